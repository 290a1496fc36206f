import type { Readable } from 'node:stream';
import { noTurnLeft, turningOf, type ImportNoun } from '@tenantry/service/files';
import { endWithAccess, sendInterimAnswers, type Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { filtersOf } from '../leads/lead-list.ts';
import { LeadExportQuerySchema } from '../leads/leads.schemas.ts';
import type { LeadExports } from './lead-export.ts';

/** How leads are spoken of where files become leads. */
export const leadNoun: ImportNoun = {
  ...{ prefix: '/api/leads', tag: 'leads', read: 'leads:read', write: 'leads:write' },
  ...{ title: 'Lead', one: 'lead', many: 'leads', same: 'address' },
};

/** What is said of the files of the published contract, whose first line names the columns of leads. */
export const aboutNamedColumns =
  'text/csv with nothing else in the query than mode and file: UTF-8, the first line names the columns, name and email, and optionally phone, source and notes; the columns of an export are accepted as well; fields are separated by commas or semicolons; every row becomes a new lead. Otherwise: ';

export interface LeadExportRoutesOptions extends Pick<Requests, 'tenantOf'> {
  readonly leadExports: LeadExports;
}

const csv = 'text/csv';

/** Exports leads to a CSV file. */
export function leadExportRoutes(app: Service, { leadExports, tenantOf }: LeadExportRoutesOptions): void {
  app.get(
    '/api/leads/export',
    {
      config: { access: 'leads:read', errors: [noTurnLeft()] },
      schema: {
        operationId: 'exportLeads',
        tags: ['leads'],
        summary: 'Export leads as CSV',
        description:
          'A snapshot of all leads of a query, with the filters and orders of the list. UTF-8 with a byte order mark. Anything that a spreadsheet would run as a formula, at the start of a cell or after a comma, semicolon, tab, line break or vertical bar, gets a leading quote, which an import removes. Once the session has ended, the connection is closed in the middle of the file.',
        querystring: LeadExportQuerySchema,
        produces: [csv],
        response: { 200: Type.Unsafe<Readable>({ type: 'string' }) },
      },
    },
    async (request, reply) => {
      const stop = sendInterimAnswers(reply);
      const query = filtersOf(request.query);
      const file = await leadExports.begin(tenantOf(request), query, turningOf(request, reply)).finally(stop);
      return reply
        .type(`${csv}; charset=utf-8`)
        .header('content-disposition', 'attachment; filename="leads.csv"')
        .send(await endWithAccess(request, file));
    },
  );
}
