import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { success, SuccessOf, type ErrorDetail } from '@tenantry/envelope';
import type { Permission } from '@tenantry/contracts';
import { memberOf, recheck } from '@tenantry/jwt-verify/fastify';
import type { OrganizationRows as Rows } from '@tenantry/tenancy';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type TProperties, type TSchema } from 'typebox';
import { addressKey } from '../addresses/address-key.ts';
import { byteOrderMark } from '../archive/csv.ts';
import type { Once } from '../idempotency/idempotent-route.ts';
import type { TenantOf } from '../tenants/tenants.ts';
import { clientSignal } from '../failures/client-gone.ts';
import { rules } from '../failures/vocabulary.ts';
import type { Service } from '../http/service.ts';
import { ClosedObject, LineOf, Nullable, Text, Uuid } from '../resources/fields.ts';
import { acceptStreamOnly, readPieces } from '../routes/bodies.ts';
import { sendInterimAnswers } from '../server/interim-answers.ts';
import { whileAllowed } from '../server/lasting-access.ts';
import type { Turning } from '../failures/turns.ts';
import { noTurnLeft } from './file-turns.ts';
import { noRoomLeft, RefusedFile, tooManyRows } from './files.errors.ts';
import { importedRowsMax, importMsMax } from './import-limits.ts';
import { reportText, type ImportReport } from './import-report.ts';
import type { RowsToImport } from './file-rows.ts';
import { duplicateChoices, importModes, type Imports } from './imports.ts';
import type { ReceivedFile, Uploads } from './uploads.ts';

/** How a service speaks of what files become. */
export interface ImportNoun {
  /** `/api/leads` */
  readonly prefix: string;
  readonly tag: string;
  readonly read: Permission;
  readonly write: Permission;
  /** `Lead`, in the names of operations and schemas. */
  readonly title: string;
  /** `lead` and `leads`, in descriptions. */
  readonly one: string;
  readonly many: string;
  /** What duplicates have in common: `e-mail address`. */
  readonly same: string;
  /** What else stays when an import is taken back: `, as is a customer with a quote`. */
  readonly keeps?: string;
}

/** What of a request is not the same for all files: the choices of the query. */
export type ImportQuery = Readonly<Record<string, unknown>>;

export interface ImportRoutesOptions<Item> {
  readonly tenantOf: TenantOf;
  readonly once: Once;
  readonly noun: ImportNoun;
  readonly imports: Imports<Item>;
  readonly uploads: Uploads;
  /** How a file is read, where its sender knows better: fields of the query. */
  readonly choices: TProperties;
  /** The response about a file. */
  readonly Findings: TSchema;
  /** What may be odd about a row. */
  readonly warnings: readonly string[];
  /** Finds out what a file is. @throws VALIDATION_ERROR */
  readonly describe: (file: ReceivedFile, choices: ImportQuery) => Promise<object>;
  /** The rows of a file. @throws VALIDATION_ERROR */
  readonly rowsOf: (
    file: ReceivedFile,
    choices: ImportQuery,
    isMapped: boolean,
  ) => Promise<RowsToImport<Item>>;
  /** Whether text/csv with no choice is a file whose columns are named, as in the published contract; its report is short. */
  readonly takesNamedColumns?: boolean;
  /** What the description of an import begins with, of files whose columns are named. */
  readonly about?: string;
}

const csv = 'text/csv';
/** What browsers call these files; what a file is, its bytes say. */
export const fileTypes = [
  ...[csv, 'text/tab-separated-values', 'text/vcard'],
  ...['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/octet-stream'],
];
const importBytesMax = 64 * 1024 * 1024;

export const RowProblem = ClosedObject(
  { field: Text('email'), rule: Type.Enum([...rules]), message: Text('must be a valid e-mail address') },
  { title: 'RowProblem' },
);

const count = Type.Integer({ minimum: 0 });
const counted = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

/** The report of an import; that of a file whose columns were named has the first four. */
const ReportOf = ({ title, one, many, same }: ImportNoun, warnings: readonly string[]) =>
  SuccessOf(
    ClosedObject(
      {
        rows: count,
        imported: count,
        rejected: count,
        errors: Type.Array(
          ClosedObject({
            line: Type.Integer({ minimum: 1, description: 'the line in which the row begins' }),
            details: Type.Array(RowProblem),
          }),
          { description: 'the first thousand rejected rows' },
        ),
        importId: Type.Optional(Nullable(Uuid())),
        filled: counted(`${many} whose empty fields were filled`),
        skipped: counted('duplicates that were left out'),
        duplicates: counted(`rows with the ${same} of a ${one} or of an earlier row`),
        warned: counted('rows with something odd'),
        leftOut: counted('rows in the file of those that were left out, or a value of which was'),
        verdicts: Type.Optional(
          Type.Array(
            ClosedObject(
              {
                line: Type.Integer({ minimum: 1 }),
                as: Type.Enum(['new', 'duplicate', 'refused']),
                duplicateOf: Nullable(Uuid({ description: `the ${one} with the same ${same}` })),
                duplicateOfLine: Nullable(
                  Type.Integer({ description: `the earlier row with the same ${same}` }),
                ),
                details: Type.Array(RowProblem),
                warnings: Type.Array(Type.Enum([...warnings])),
              },
              { title: `${title}RowVerdict` },
            ),
            {
              description: 'of a check: the first thousand rows that are fine, and the first thousand others',
            },
          ),
        ),
      },
      { title: `${title}ImportReport` },
    ),
  );

/** Whether a client prefers a file to JSON. */
const wantsFile = ({ accept = '' }: IncomingHttpHeaders): boolean => /^\s*text\/csv\b/i.test(accept);

/** The report as a file, whether the uploaded file was imported or its rows refused; of a check, the rows that are left out. */
function reportFile(reply: FastifyReply, report: ImportReport): string {
  reply
    .type(`${csv}; charset=utf-8`)
    .header('content-disposition', 'attachment; filename="import-report.csv"');
  return report.leftOut ? report.leftOut.take().text || byteOrderMark : reportText(report);
}

/** The problems of a row, as responses show them. */
export const problemsOf = (problems: readonly ErrorDetail[]) =>
  problems.map(({ field, rule, message }) => ({ field, rule, message }));

/** The response of JSON, field by field. One about columns that were named has always been this short. */
function reportAnswer(report: ImportReport, isMapped: boolean) {
  const { rows, imported, rejected, errors } = report;
  const reported = errors.map(({ line, details }) => ({ line, details: problemsOf(details) }));
  const counts = { rows, imported, rejected, errors: reported };
  if (!isMapped) return counts;
  const { id, filled, skipped, duplicates, warned, saved: leftOut, verdicts } = report;
  return {
    ...counts,
    ...{ importId: id, filled, skipped, duplicates, warned, leftOut },
    verdicts: verdicts.map(({ details, warnings, ...verdict }) => ({
      ...verdict,
      details: problemsOf(details),
      warnings: [...warnings],
    })),
  };
}

/** Whether a request is about columns of any name: it says something of them, asks only, or its file is no CSV. */
const isMappedBy = ({ mode, ...query }: ImportQuery, { 'content-type': type = '' }: IncomingHttpHeaders) =>
  mode === 'check' || Object.keys(query).some((name) => name !== 'file') || !/^text\/csv\b/i.test(type);

/** The sharer of a request's turn, until it gets its response or disconnects. */
export const turningOf = (request: FastifyRequest, reply: FastifyReply): Turning => ({
  organizationId: memberOf(request).organizationId,
  address: addressKey(request.ip),
  signal: clientSignal(reply),
});

/** Receives the file of a request and waits for a turn before `work` begins, sending interim responses until it ends. */
async function withFile<Result>(
  uploads: Uploads,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  work: (file: ReceivedFile) => Promise<Result>,
): Promise<Result> {
  const stop = sendInterimAnswers(reply);
  try {
    const pieces = whileAllowed(request, readPieces(request, { bytesMax: importBytesMax }));
    const file = await uploads.receive(pieces, turningOf(request, reply));
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  } finally {
    stop();
  }
}

/** The query of an import, beside the choices. */
interface ImportedHow {
  readonly mode: (typeof importModes)[number];
  readonly duplicates?: (typeof duplicateChoices)[number];
  readonly file?: string;
}

/** Reading a file to find out what it is, and importing it. */
export function importRoutes<Item>(app: Service, options: ImportRoutesOptions<Item>): void {
  const { noun, imports, uploads, choices, Findings, warnings, describe, rowsOf, tenantOf, once } = options;
  const { takesNamedColumns = false, about = '' } = options;
  const { prefix, tag, title, one, many, same } = noun;
  const tags = [tag];
  const errors = [noTurnLeft(), noRoomLeft(), tooManyRows(importedRowsMax)];
  acceptStreamOnly(app, ...fileTypes);

  app.post(
    `${prefix}/import/read`,
    {
      config: { access: noun.write, streams: fileTypes, errors },
      schema: {
        operationId: `read${title}File`,
        tags,
        summary: 'Find out how a file would be imported',
        description: `Takes CSV and other separated text, Excel workbooks (.xlsx) and contact cards (vCard), at most 100,000 rows and 64 MiB, and answers what was found: encoding, separator, header, columns, and what each field of a ${one} would be made of. Nothing is kept. Each of these can be decided in the query, where the answer is not right. The media type does not matter.`,
        querystring: ClosedObject(choices),
        response: { 200: Findings },
      },
    },
    async (request, reply) =>
      withFile(uploads, { request, reply }, async (file) =>
        success(await describe(file, request.query as ImportQuery), request.id),
      ),
  );

  const Report = ReportOf(noun, warnings);
  const answer = {
    description: 'The report of the import',
    content: {
      'application/json': { schema: Report },
      [csv]: { schema: Type.Unsafe<string>({ type: 'string' }) },
    },
  };
  app.post(
    `${prefix}/import`,
    {
      config: { access: noun.write, streams: fileTypes, idempotent: true, errors },
      schema: {
        operationId: `import${title}s`,
        tags,
        summary: `Import ${many} from a file`,
        description: `At most 100,000 rows and 64 MiB. ${about}The file is read as POST ${prefix}/import/read says, with the same choices in the query. With mode "all" an invalid row rejects the whole file; with "rows" the other rows are imported; with "check" nothing is, and the report says of each row whether it is new, a duplicate of a ${one} or of an earlier row (the same ${same}), or refused. All rows appear at once. The file is received first and then imported, in turn with those of other organizations; meanwhile interim responses (102) are sent. With Accept: text/csv the report is a file with line, column and reason, also for the 400 of a file that mode "all" rejects; that of a check has the rows that would be left out, in the columns of the file.`,
        querystring: ClosedObject({
          mode: Type.Enum([...importModes], { default: 'all' }),
          file: Type.Optional(LineOf(200, { description: 'its name', examples: ['customers.csv'] })),
          ...choices,
          duplicates: Type.Optional(
            Type.Enum([...duplicateChoices], {
              description: `what becomes of a row with the ${same} of a ${one} or of an earlier row: it is imported, the default; left out; or fills what is empty`,
            }),
          ),
        }),
        response: { 200: answer },
      },
      errorHandler: (error: unknown, request, reply) => {
        if (!(error instanceof RefusedFile) || !wantsFile(request.headers)) throw error;
        reply.statusCode = 400;
        void reply.send(reportFile(reply, error.report));
      },
    },
    async (request, reply) =>
      withFile(uploads, { request, reply }, async (file) => {
        const query = request.query as ImportQuery & ImportedHow;
        const { headers } = request;
        const { mode, duplicates = 'import', file: fileName = null, ...chosen } = query;
        const isMapped = !takesNamedColumns || isMappedBy(query, headers);
        const tenant = tenantOf(request);
        // In the context of before the transaction, in which queries beside it would be refused.
        const before = AsyncLocalStorage.snapshot();
        const outside = (work: (rows: Rows) => Promise<void>) => before(() => work(tenant));
        const how = {
          ...{ mode, duplicates, fileName, outside },
          signal: file.signal,
          requireAccess: () => recheck(request),
        };
        const kept = { body: file, limitMs: importMsMax, answerBytesMax: 1024 * 1024 };
        reply.header('vary', 'Accept');
        return once(
          request,
          reply,
          async (context) => {
            const rows = await rowsOf(file, chosen, isMapped);
            const report =
              mode === 'check'
                ? await imports.check(context, rows, how)
                : await imports.run(context, rows, how);
            if (wantsFile(headers)) return reportFile(reply, report);
            return success(reportAnswer(report, isMapped), request.id);
          },
          kept,
        );
      }),
  );
}
