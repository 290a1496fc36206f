import { Readable } from 'node:stream';
import { page, PageOf, success, SuccessOf } from '@tenantry/envelope';
import { Type } from 'typebox';
import { byteOrderMark } from '../archive/csv.ts';
import type { ContextOf } from '../tenants/context.ts';
import type { TenantOf } from '../tenants/tenants.ts';
import type { Service } from '../http/service.ts';
import { ClosedObject, Nullable, Text, Timestamp, Uuid } from '../resources/fields.ts';
import { PageQueryOf } from '../resources/pages.ts';
import type { ImportNoun } from './import.routes.ts';
import { importStatuses, type PastImport } from './imports.repository.ts';
import { importNotFound, undoDays, type PastImports } from './past-imports.ts';

export interface PastImportsRoutesOptions {
  readonly tenantOf: TenantOf;
  readonly contextOf: ContextOf;
  readonly noun: ImportNoun;
  readonly pastImports: PastImports;
}

const count = Type.Integer({ minimum: 0 });
const ImportPath = ClosedObject({ id: Uuid() });

const PastImportOf = ({ title, many }: ImportNoun) =>
  ClosedObject(
    {
      id: Uuid(),
      file: Nullable(Text('customers.csv')),
      startedAt: Timestamp(),
      status: Type.Enum([...importStatuses], {
        description: 'nothing was imported by one that failed or was interrupted',
      }),
      rows: Type.Integer({ minimum: 0, description: 'rows that were read so far' }),
      imported: count,
      filled: Type.Integer({ minimum: 0, description: `${many} whose empty fields were filled` }),
      skipped: Type.Integer({ minimum: 0, description: 'duplicates that were left out' }),
      rejected: count,
      leftOut: Type.Integer({
        minimum: 0,
        description: 'rows in the file of those that were left out, or a value of which was',
      }),
      undoneAt: Nullable(Timestamp()),
      undone: Type.Integer({ minimum: 0, description: `${many} that were taken back` }),
    },
    { title: `${title}Import` },
  );

const answerOf = ({ fileName, saved, ...shown }: PastImport) => ({
  ...shown,
  file: fileName,
  leftOut: saved,
});

/** Past imports, and taking one back. */
export function pastImportsRoutes(
  app: Service,
  { noun, pastImports, tenantOf, contextOf }: PastImportsRoutesOptions,
): void {
  const { prefix, tag, title, many, keeps = '' } = noun;
  const tags = [tag];
  const PastImportSchema = PastImportOf(noun);
  const Kept = Type.Array(ClosedObject({ id: Uuid(), name: Text('Charles Babbage') }), {
    description: 'the first hundred of them',
  });
  app.get(
    `${prefix}/imports`,
    {
      config: { access: noun.read },
      schema: {
        operationId: `list${title}Imports`,
        tags,
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
    `${prefix}/imports/:id`,
    {
      config: { access: noun.read, errors: [importNotFound()] },
      schema: {
        operationId: `get${title}Import`,
        tags,
        summary: 'Get an import',
        params: ImportPath,
        response: { 200: SuccessOf(PastImportSchema) },
      },
    },
    async (request) =>
      success(answerOf(await pastImports.get(tenantOf(request), request.params.id)), request.id),
  );

  app.get(
    `${prefix}/imports/:id/left-out`,
    {
      config: { access: noun.read, errors: [importNotFound()] },
      schema: {
        operationId: `exportLeftOut${title}s`,
        tags,
        summary: 'Export the rows that an import left out as CSV',
        description:
          'With the columns of the imported file, and before them the line and the reason of each row: mend them, and import the file again.',
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
    `${prefix}/imports/:id/undo`,
    {
      config: { access: noun.write, errors: [importNotFound()] },
      schema: {
        operationId: `undo${title}Import`,
        tags,
        summary: 'Take an import back',
        description: `Deletes its ${many} that nobody has changed since, and empties what it filled. What was changed stays, and is named${keeps}.`,
        params: ImportPath,
        response: {
          200: SuccessOf(
            ClosedObject(
              {
                undone: Type.Integer({ minimum: 0, description: `${many} that were taken back` }),
                kept: Type.Integer({
                  minimum: 0,
                  description: `${many} that stay, because they were changed`,
                }),
                [`kept${title}s`]: Kept,
              },
              { title: `Undone${title}Import` },
            ),
          ),
        },
      },
    },
    async (request) => {
      const { named, ...counts } = await pastImports.undo(contextOf(request), request.params.id);
      return success({ ...counts, [`kept${title}s`]: [...named] }, request.id);
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
