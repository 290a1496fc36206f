import type { ErrorDetail } from '@tenantry/envelope';
import { isOverQuota } from '@tenantry/service/failures';
import type { AccountActor } from '@tenantry/service/resources';
import type { Check } from '@tenantry/service/validation';
import type { Context, Transaction } from '../database.ts';
import type { LeadAudit, NewLead } from '../leads/lead.ts';
import { csvRows, UnreadableCsv, type CsvRow } from './csv.ts';
import { emptyFile, RefusedFile, tooManyRows, unreadableFile } from './lead-files.errors.ts';
import { leadRowsBelow } from './lead-rows.ts';
import type { ImportReport, RejectedRow } from './import-report.ts';

/** Whether an invalid row rejects the whole file, or only itself. */
export const importModes = ['all', 'rows'] as const;
export type ImportMode = (typeof importModes)[number];

/** How a file is imported. */
export interface ImportOptions {
  readonly mode: ImportMode;
  /** Aborted when the client has disconnected: then nothing is imported. */
  readonly signal: AbortSignal;
  /** Rejects once the actor may act no more: asked before each batch, and before the transaction commits. */
  readonly requireAccess: () => Promise<unknown>;
}

/** What imports need. */
export interface LeadImportOptions {
  readonly leads: {
    /** Creates leads, each with its first status. */
    insert(tx: Transaction, leads: readonly NewLead[], actor: AccountActor): Promise<void>;
  };
  /** The problems of a new lead. */
  readonly check: Check;
  readonly audit: LeadAudit;
}

export const importedRowsMax = 100_000;
const reportedRowsMax = 1_000;
const reportedProblemsMax = 4_000;
const batchRows = 250;
/** Several times the duration of the largest file on a busy machine. */
export const importMsMax = 2 * 60_000;

/** Imports files. */
export class LeadImports {
  readonly #options: LeadImportOptions;

  constructor(options: LeadImportOptions) {
    this.#options = options;
  }

  /** Imports the rows of a file as new leads, in one transaction: all or none. */
  async run(
    { tenant, actor }: Context,
    file: AsyncGenerator<string>,
    options: ImportOptions,
  ): Promise<ImportReport> {
    const { audit } = this.#options;
    try {
      return await tenant.transaction(
        async (tx) => {
          const report = await importRows(tx, csvRows(file), { ...this.#options, ...options, actor });
          options.signal.throwIfAborted();
          await options.requireAccess();
          if (options.mode === 'all' && report.rejected > 0) throw new RefusedFile(report);
          const { imported, rejected } = report;
          await audit.record(tx, { actor, action: 'lead.imported', details: { imported, rejected } });
          return report;
        },
        { limitMs: importMsMax },
      );
    } catch (error) {
      throw error instanceof UnreadableCsv ? unreadableFile(error.line) : error;
    }
  }
}

type ImportRowsOptions = Pick<LeadImportOptions, 'check' | 'leads'> & ImportOptions & Pick<Context, 'actor'>;

async function importRows(
  tx: Transaction,
  file: AsyncGenerator<CsvRow>,
  { check, leads, mode, actor, signal, requireAccess }: ImportRowsOptions,
): Promise<ImportReport> {
  const header = await file.next();
  if (header.done) throw emptyFile();
  const read = leadRowsBelow(header.value, check);
  const errors: RejectedRow[] = [];
  let [rows, rejected, problems] = [0, 0, 0];
  let batch: { readonly lead: NewLead; readonly line: number }[] = [];
  let isFull = false;
  const reject = (line: number, details: readonly ErrorDetail[]): void => {
    rejected += 1;
    problems += details.length;
    const isReported = errors.length < reportedRowsMax && problems <= reportedProblemsMax;
    if (isReported) errors.push({ line, details });
  };
  const insert = (part: Transaction): Promise<void> =>
    leads.insert(
      part,
      batch.map(({ lead }) => lead),
      actor,
    );
  const flush = async (): Promise<void> => {
    await requireAccess();
    // A file that will be rejected is still read, to report its other invalid rows.
    if (batch.length === 0 || (mode === 'all' && rejected > 0)) batch = [];
    else if (mode === 'all') await insert(tx);
    else if (!isFull) isFull = !(await fits(tx, insert));
    if (isFull) for (const { line } of batch) reject(line, [beyondQuota]);
    batch = [];
  };
  for await (const row of file) {
    signal.throwIfAborted();
    rows += 1;
    if (rows > importedRowsMax) throw tooManyRows(importedRowsMax);
    const found = read(row);
    if ('lead' in found) batch.push({ lead: found.lead, line: row.line });
    else reject(row.line, found.problems);
    if (batch.length === batchRows) await flush();
  }
  await flush();
  return { rows, imported: rows - rejected, rejected, errors };
}

const beyondQuota: ErrorDetail = {
  field: 'row',
  rule: 'quota',
  message: 'does not fit into the quota of the organization',
};

/** Runs a part of the transaction. @returns false if the organization has no room for it: then nothing of it takes effect. */
async function fits(tx: Transaction, part: (tx: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await tx.asScope().transaction(part);
    return true;
  } catch (error) {
    if (isOverQuota(error)) return false;
    throw error;
  }
}
