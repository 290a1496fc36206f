import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { success, SuccessOf } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import { acceptStreamOnly, readBody, Text, type Service } from '@tenantry/service-kit';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { TenantOf } from '../database.ts';
import { filtersOf } from '../leads/lead-list.ts';
import { LeadExportQuerySchema } from '../leads/leads.schemas.ts';
import type { ImportReport } from './import-report.ts';
import type { ExportLeads } from './lead-export.ts';
import { clientGone, RefusedFile, tooManyRows } from './lead-files.errors.ts';
import { importedRowsMax, importModes, type ImportLeads } from './lead-import.ts';
import { reportText } from './report-file.ts';
import { noTurnLeft } from './turns.ts';

/** What the routes need. */
export interface LeadFilesRoutesOptions {
  readonly exportLeads: ExportLeads;
  readonly importLeads: ImportLeads;
  readonly tenantOf: TenantOf;
}

const closed = { additionalProperties: false } as const;
const csv = 'text/csv';
const importBytesMax = 64 * 1024 * 1024;
const count = Type.Integer({ minimum: 0 });

const RowProblem = Type.Object(
  { field: Text('email'), rule: Text('format'), message: Text('must be a valid e-mail address') },
  { ...closed, title: 'RowProblem' },
);

const ImportReportSchema = SuccessOf(
  Type.Object(
    {
      rows: count,
      imported: count,
      rejected: count,
      errors: Type.Array(
        Type.Object(
          {
            line: Type.Integer({ minimum: 1, description: 'the line that the row begins in' }),
            details: Type.Array(RowProblem),
          },
          closed,
        ),
        { description: 'the first thousand rejected rows' },
      ),
    },
    { ...closed, title: 'LeadImportReport' },
  ),
);

const ImportReportAnswer = {
  description: 'What became of the file',
  content: {
    'application/json': { schema: ImportReportSchema },
    [csv]: { schema: Type.Unsafe<string>({ type: 'string' }) },
  },
};

/** Whether a client would rather have a file than JSON. */
const wantsFile = ({ accept = '' }: IncomingHttpHeaders): boolean => /^\s*text\/csv\b/i.test(accept);

/** Answers with a file, whether the file that was sent was taken or refused for its rows. */
async function reportFile(reply: FastifyReply, imported: Promise<ImportReport>) {
  const report = await imported.catch((error: unknown) => {
    if (!(error instanceof RefusedFile)) throw error;
    reply.code(400);
    return error.report;
  });
  return reply
    .type(`${csv}; charset=utf-8`)
    .header('content-disposition', 'attachment; filename="import-report.csv"')
    .send(reportText(report));
}

/** Aborted when the client goes away before it has its answer. */
function abandoned({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(clientGone());
  });
  return controller.signal;
}

/** Leads out into a CSV file, and in from one. */
export async function leadFilesRoutes(
  app: Service,
  { exportLeads, importLeads, tenantOf }: LeadFilesRoutesOptions,
): Promise<void> {
  acceptStreamOnly(app, csv);

  app.get(
    '/api/leads/export',
    {
      config: { access: 'leads:read', errors: [noTurnLeft()] },
      schema: {
        operationId: 'exportLeads',
        tags: ['leads'],
        summary: 'Export leads as CSV',
        description:
          'All leads of a query, as of one moment, with the filters and orders of the list. A cell that a spreadsheet would run as a formula begins with a quote.',
        querystring: LeadExportQuerySchema,
        produces: [csv],
        response: { 200: Type.Unsafe<Readable>({ type: 'string' }) },
      },
    },
    async (request, reply) => {
      const { begin, rest } = await exportLeads(tenantOf(request), filtersOf(request.query));
      const file = Readable.from(rest);
      file.unshift(begin);
      return reply
        .type(`${csv}; charset=utf-8`)
        .header('content-disposition', 'attachment; filename="leads.csv"')
        .send(file);
    },
  );

  app.post(
    '/api/leads/import',
    {
      config: { access: 'leads:write', streams: csv, errors: [noTurnLeft(), tooManyRows(importedRowsMax)] },
      schema: {
        operationId: 'importLeads',
        tags: ['leads'],
        summary: 'Import leads from CSV',
        description:
          'UTF-8, at most 100,000 rows and 64 MiB. The first line names the columns: name and email, and any of phone, source and notes; those of an export may be there as well. Fields are separated by commas or semicolons. Every row becomes a new lead. With mode "all" a bad row refuses the whole file and nothing is imported; with "rows" the others are. What is imported is there at one moment. The body is read as fast as its rows are written, so the progress of the upload is the progress of the import. With Accept: text/csv the report is a file of line, column and reason, also with 400 for a file that mode "all" refuses.',
        querystring: Type.Object({ mode: Type.Enum([...importModes], { default: 'all' }) }, closed),
        response: { 200: ImportReportAnswer },
      },
    },
    async (request, reply) => {
      const { mode } = request.query;
      const { userId: actorUserId } = memberOf(request);
      const file = readBody(request, { bytesMax: importBytesMax });
      reply.header('vary', 'Accept');
      const isFile = wantsFile(request.headers);
      const options = { mode, actorUserId, signal: abandoned(reply) };
      const imported = importLeads(tenantOf(request), file, options);
      if (isFile) return reportFile(reply, imported);
      const report = await imported;
      const { errors, ...counts } = report;
      const reported = errors.map(({ line, details }) => ({
        line,
        details: details.map(({ field, rule, message }) => ({ field, rule, message })),
      }));
      return success({ ...counts, errors: reported }, request.id);
    },
  );
}
