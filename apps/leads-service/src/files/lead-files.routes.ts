import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { success } from '@tenantry/envelope';
import { memberOf, recheck } from '@tenantry/jwt-verify/fastify';
import { addressKey } from '@tenantry/service/addresses';
import { clientSignal } from '@tenantry/service/failures';
import type { Check } from '@tenantry/service/validation';
import {
  acceptStreamOnly,
  endWithAccess,
  readPieces,
  sendInterimAnswers,
  whileAllowed,
  type Service,
} from '@tenantry/service/http';
import { ClosedObject, LineOf } from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Requests, Rows } from '../database.ts';
import { filtersOf } from '../leads/lead-list.ts';
import { LeadExportQuerySchema } from '../leads/leads.schemas.ts';
import { reportText, type ImportReport } from './import-report.ts';
import type { LeadExports } from './lead-export.ts';
import { noTurnLeft, type Turning } from './file-turns.ts';
import { noRoomLeft, RefusedFile, tooManyRows } from './lead-files.errors.ts';
import { importedRowsMax, importMsMax } from './import-limits.ts';
import { duplicateChoices, importModes, type LeadImports } from './lead-import.ts';
import { namedRows } from './lead-rows.ts';
import { byteOrderMark } from '@tenantry/service/archive';
import { describeLeadFile, mappedRows, openLeadFile, problemsOf } from './lead-file.ts';
import { fileChoices, FileFindingsAnswer, ImportReportSchema } from './lead-files.schemas.ts';
import type { ReceivedFile, Uploads } from './uploads.ts';

export interface LeadFilesRoutesOptions extends Requests {
  readonly leadExports: LeadExports;
  readonly leadImports: LeadImports;
  readonly uploads: Uploads;
  /** The problems of a new lead. */
  readonly check: Check;
}

const csv = 'text/csv';
/** What browsers call these files; what a file is, its bytes say. */
const fileTypes = [
  ...[csv, 'text/tab-separated-values', 'text/vcard'],
  ...['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/octet-stream'],
];
const importBytesMax = 64 * 1024 * 1024;

const ImportReportAnswer = {
  description: 'The report of the import',
  content: {
    'application/json': { schema: ImportReportSchema },
    [csv]: { schema: Type.Unsafe<string>({ type: 'string' }) },
  },
};

/** Whether a client prefers a file to JSON. */
const wantsFile = ({ accept = '' }: IncomingHttpHeaders): boolean => /^\s*text\/csv\b/i.test(accept);

/** The report as a file, whether the uploaded file was imported or its rows refused; of a check, the rows that are left out. */
function reportFile(reply: FastifyReply, report: ImportReport): string {
  reply
    .type(`${csv}; charset=utf-8`)
    .header('content-disposition', 'attachment; filename="import-report.csv"');
  return report.leftOut ? report.leftOut.take().text || byteOrderMark : reportText(report);
}

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
const isMappedBy = (
  { mode, ...query }: Readonly<Record<string, unknown>>,
  { 'content-type': type = '' }: IncomingHttpHeaders,
): boolean =>
  mode === 'check' || Object.keys(query).some((name) => name !== 'file') || !/^text\/csv\b/i.test(type);

/** The sharer of a request's turn, until it gets its response or disconnects. */
const turningOf = (request: FastifyRequest, reply: FastifyReply): Turning => ({
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

/** Exports leads to a CSV file, and imports them from one. */
export function leadFilesRoutes(
  app: Service,
  { leadExports, leadImports, uploads, check, tenantOf, once }: LeadFilesRoutesOptions,
): void {
  acceptStreamOnly(app, ...fileTypes);

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

  app.post(
    '/api/leads/import/read',
    {
      config: {
        access: 'leads:write',
        streams: fileTypes,
        errors: [noTurnLeft(), noRoomLeft(), tooManyRows(importedRowsMax)],
      },
      schema: {
        operationId: 'readLeadFile',
        tags: ['leads'],
        summary: 'Find out how a file would be imported',
        description:
          'Takes CSV and other separated text, Excel workbooks (.xlsx) and contact cards (vCard), at most 100,000 rows and 64 MiB, and answers what was found: encoding, separator, header, columns, and what each field of a lead would be made of. Nothing is kept. Each of these can be decided in the query, where the answer is not right. The media type does not matter.',
        querystring: ClosedObject(fileChoices),
        response: { 200: FileFindingsAnswer },
      },
    },
    async (request, reply) =>
      withFile(uploads, { request, reply }, async ({ bytes }) => {
        const file = await openLeadFile(bytes, request.query, check);
        return success(await describeLeadFile(file, importedRowsMax), request.id);
      }),
  );

  app.post(
    '/api/leads/import',
    {
      config: {
        access: 'leads:write',
        streams: fileTypes,
        idempotent: true,
        errors: [noTurnLeft(), noRoomLeft(), tooManyRows(importedRowsMax)],
      },
      schema: {
        operationId: 'importLeads',
        tags: ['leads'],
        summary: 'Import leads from a file',
        description:
          'At most 100,000 rows and 64 MiB. text/csv with nothing else in the query than mode and file: UTF-8, the first line names the columns, name and email, and optionally phone, source and notes; the columns of an export are accepted as well; fields are separated by commas or semicolons; every row becomes a new lead. Otherwise the file is read as POST /api/leads/import/read says, with the same choices in the query. With mode "all" an invalid row rejects the whole file; with "rows" the other rows are imported; with "check" nothing is, and the report says of each row whether it is new, a duplicate of a lead or of an earlier row (the same address), or refused. All rows appear at once. The file is received first and then imported, in turn with those of other organizations; meanwhile interim responses (102) are sent. With Accept: text/csv the report is a file with line, column and reason, also for the 400 of a file that mode "all" rejects; that of a check has the rows that would be left out, in the columns of the file.',
        querystring: ClosedObject({
          mode: Type.Enum([...importModes], { default: 'all' }),
          file: Type.Optional(LineOf(200, { description: 'its name', examples: ['customers.csv'] })),
          ...fileChoices,
          duplicates: Type.Optional(
            Type.Enum([...duplicateChoices], {
              description:
                'what becomes of a row with the address of a lead or of an earlier row: it is imported, the default; left out; or fills what is empty',
            }),
          ),
        }),
        response: { 200: ImportReportAnswer },
      },
      errorHandler: (error: unknown, request, reply) => {
        if (!(error instanceof RefusedFile) || !wantsFile(request.headers)) throw error;
        reply.statusCode = 400;
        void reply.send(reportFile(reply, error.report));
      },
    },
    async (request, reply) =>
      withFile(uploads, { request, reply }, async (file) => {
        const { query, headers } = request;
        const { mode, duplicates = 'import', file: fileName = null, ...choices } = query;
        const isMapped = isMappedBy(query, headers);
        const tenant = tenantOf(request);
        // In the context of before the transaction, in which queries beside it would be refused.
        const before = AsyncLocalStorage.snapshot();
        const outside = (work: (rows: Rows) => Promise<void>) => before(() => work(tenant));
        const options = {
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
            const rows = isMapped
              ? await mappedRows(file.bytes, choices, check)
              : await namedRows(file.bytes, check);
            const report =
              mode === 'check'
                ? await leadImports.check(context, rows, options)
                : await leadImports.run(context, rows, options);
            if (wantsFile(headers)) return reportFile(reply, report);
            return success(reportAnswer(report, isMapped), request.id);
          },
          kept,
        );
      }),
  );
}
