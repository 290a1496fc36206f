import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { success, SuccessOf } from '@tenantry/envelope';
import { memberOf, recheck } from '@tenantry/jwt-verify/fastify';
import { addressKey } from '@tenantry/service/addresses';
import { clientSignal } from '@tenantry/service/failures';
import type { Check } from '@tenantry/service/validation';
import { acceptStreamOnly, readPieces, sendInterimAnswers, type Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { filtersOf } from '../leads/lead-list.ts';
import { LeadExportQuerySchema } from '../leads/leads.schemas.ts';
import { reportText, type ImportReport } from './import-report.ts';
import type { LeadExports } from './lead-export.ts';
import { endWithAccess, whileAllowed } from './lasting-access.http.ts';
import { noTurnLeft, type Turning } from './file-turns.ts';
import { noRoomLeft, RefusedFile, tooManyRows } from './lead-files.errors.ts';
import { importedRowsMax, importModes, importMsMax, type LeadImports } from './lead-import.ts';
import { describeLeadFile, openLeadFile } from './lead-file.ts';
import { fileChoices, FileFindingsAnswer, RowProblem } from './lead-files.schemas.ts';
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
const count = Type.Integer({ minimum: 0 });

const ImportReportSchema = SuccessOf(
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
    },
    { title: 'LeadImportReport' },
  ),
);

const ImportReportAnswer = {
  description: 'The report of the import',
  content: {
    'application/json': { schema: ImportReportSchema },
    [csv]: { schema: Type.Unsafe<string>({ type: 'string' }) },
  },
};

/** Whether a client prefers a file to JSON. */
const wantsFile = ({ accept = '' }: IncomingHttpHeaders): boolean => /^\s*text\/csv\b/i.test(accept);

/** The report as a file, whether the uploaded file was imported or its rows refused. */
function reportFile(reply: FastifyReply, report: ImportReport): string {
  reply
    .type(`${csv}; charset=utf-8`)
    .header('content-disposition', 'attachment; filename="import-report.csv"');
  return reportText(report);
}

/** The response of JSON, field by field. */
function reportAnswer({ errors, ...counts }: ImportReport, requestId: string) {
  const reported = errors.map(({ line, details }) => ({
    line,
    details: details.map(({ field, rule, message }) => ({ field, rule, message })),
  }));
  return success({ ...counts, errors: reported }, requestId);
}

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
        streams: csv,
        idempotent: true,
        errors: [noTurnLeft(), tooManyRows(importedRowsMax)],
      },
      schema: {
        operationId: 'importLeads',
        tags: ['leads'],
        summary: 'Import leads from CSV',
        description:
          'UTF-8, at most 100,000 rows and 64 MiB. The first line names the columns: name and email, and optionally phone, source and notes; the columns of an export are accepted as well. Fields are separated by commas or semicolons. Every row becomes a new lead. With mode "all" an invalid row rejects the whole file; with "rows" the other rows are imported. All rows appear at once. The file is received first and then imported, in turn with those of other organizations; meanwhile interim responses (102) are sent. With Accept: text/csv the report is a file with line, column and reason, also for the 400 of a file that mode "all" rejects.',
        querystring: ClosedObject({ mode: Type.Enum([...importModes], { default: 'all' }) }),
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
        const { mode } = request.query;
        const options = { mode, signal: file.signal, requireAccess: () => recheck(request) };
        const kept = { body: file, limitMs: importMsMax, answerBytesMax: 1024 * 1024 };
        reply.header('vary', 'Accept');
        return once(
          request,
          reply,
          async (context) => {
            const report = await leadImports.run(context, file.text(), options);
            return wantsFile(request.headers) ? reportFile(reply, report) : reportAnswer(report, request.id);
          },
          kept,
        );
      }),
  );
}
