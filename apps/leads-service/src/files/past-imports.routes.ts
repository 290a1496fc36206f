import { Readable } from 'node:stream';
import { page, PageOf, success, SuccessOf } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { ClosedObject, Nullable, PageQueryOf, Text, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { byteOrderMark } from '@tenantry/service/archive';
import { importStatuses, type PastImport } from './lead-imports.repository.ts';
import { importNotFound, undoDays, type PastImports } from './past-imports.ts';

export interface PastImportsRoutesOptions extends Requests {
  readonly pastImports: PastImports;
}

const count = Type.Integer({ minimum: 0 });
const ImportPath = ClosedObject({ id: Uuid() });

const PastImportSchema = ClosedObject(
  {
    id: Uuid(),
    file: Nullable(Text('customers.csv')),
    startedAt: Timestamp(),
    status: Type.Enum([...importStatuses], {
      description: 'nothing was imported by one that failed or was interrupted',
    }),
    rows: Type.Integer({ minimum: 0, description: 'rows that were read so far' }),
    imported: count,
    filled: Type.Integer({ minimum: 0, description: 'leads whose empty fields were filled' }),
    skipped: Type.Integer({ minimum: 0, description: 'duplicates that were left out' }),
    rejected: count,
    leftOut: Type.Integer({ minimum: 0, description: 'rows in the file of those that were left out' }),
    undoneAt: Nullable(Timestamp()),
    undone: Type.Integer({ minimum: 0, description: 'leads that were taken back' }),
  },
  { title: 'LeadImport' },
);

const answerOf = ({ fileName, saved, ...shown }: PastImport) => ({
  ...shown,
  file: fileName,
  leftOut: saved,
});

/** Past imports, and taking one back. */
export function pastImportsRoutes(
  app: Service,
  { pastImports, tenantOf, contextOf }: PastImportsRoutesOptions,
): void {
  app.get(
    '/api/leads/imports',
    {
      config: { access: 'leads:read' },
      schema: {
        operationId: 'listLeadImports',
        tags: ['leads'],
        summary: 'List imports, newest first',
        description: `Also of one that is running, with the number of rows it has read. Imports are kept for ${undoDays} days.`,
        querystring: PageQueryOf({}),
        response: { 200: PageOf(PastImportSchema) },
      },
    },
    async (request) => {
      const { items, total } = await pastImports.list(tenantOf(request), request.query);
      return page(items.map(answerOf), { ...request.query, total });
    },
  );

  app.get(
    '/api/leads/imports/:id',
    {
      config: { access: 'leads:read', errors: [importNotFound()] },
      schema: {
        operationId: 'getLeadImport',
        tags: ['leads'],
        summary: 'Get an import',
        params: ImportPath,
        response: { 200: SuccessOf(PastImportSchema) },
      },
    },
    async (request) =>
      success(answerOf(await pastImports.get(tenantOf(request), request.params.id)), request.id),
  );

  app.get(
    '/api/leads/imports/:id/left-out',
    {
      config: { access: 'leads:read', errors: [importNotFound()] },
      schema: {
        operationId: 'exportLeftOutRows',
        tags: ['leads'],
        summary: 'Export the rows that an import left out as CSV',
        description:
          'With the columns of the imported file, and behind them the line and the reason of each row: mend them, and import the file again.',
        params: ImportPath,
        produces: ['text/csv'],
        response: { 200: Type.Unsafe<Readable>({ type: 'string' }) },
      },
    },
    async (request, reply) => {
      const tenant = tenantOf(request);
      const { id } = await pastImports.get(tenant, request.params.id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="left-out.csv"')
        .send(Readable.from(orMark(pastImports.leftOut(tenant, id)), { objectMode: false }));
    },
  );

  app.post(
    '/api/leads/imports/:id/undo',
    {
      config: { access: 'leads:write', errors: [importNotFound()] },
      schema: {
        operationId: 'undoLeadImport',
        tags: ['leads'],
        summary: 'Take an import back',
        description:
          'Deletes its leads that nobody has changed since, as DELETE does, and empties what it filled. Leads that were changed stay, and are named.',
        params: ImportPath,
        response: {
          200: SuccessOf(
            ClosedObject(
              {
                undone: Type.Integer({ minimum: 0, description: 'leads that were taken back' }),
                kept: Type.Integer({ minimum: 0, description: 'leads that stay, because they were changed' }),
                keptLeads: Type.Array(ClosedObject({ id: Uuid(), name: Text('Charles Babbage') }), {
                  description: 'the first hundred of them',
                }),
              },
              { title: 'UndoneLeadImport' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const { keptLeads, ...counts } = await pastImports.undo(contextOf(request), request.params.id);
      return success({ ...counts, keptLeads: [...keptLeads] }, request.id);
    },
  );
}

/** A file without rows is still a file. */
async function* orMark(texts: AsyncGenerator<string>): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const text of texts) {
    isEmpty = false;
    yield text;
  }
  if (isEmpty) yield byteOrderMark;
}
