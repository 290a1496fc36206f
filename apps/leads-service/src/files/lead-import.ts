import type { Audit } from '@tenantry/business-service';
import type { Check } from '@tenantry/service-kit';
import type { Context, Transaction } from '../database.ts';
import type { LeadAction, NewLead } from '../leads/lead.ts';
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
}

/** What imports need. */
export interface LeadImportOptions {
  readonly leads: {
    /** Creates leads, each with its first status. */
    insert(tx: Transaction, leads: readonly NewLead[], actorUserId: string): Promise<void>;
  };
  /** The problems of a new lead. */
  readonly check: Check;
  readonly audit: Audit<LeadAction>;
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
  { check, leads, mode, actor, signal }: ImportRowsOptions,
): Promise<ImportReport> {
  const header = await file.next();
  if (header.done) throw emptyFile();
  const read = leadRowsBelow(header.value, check);
  const errors: RejectedRow[] = [];
  let [rows, rejected, problems] = [0, 0, 0];
  let batch: NewLead[] = [];
  const flush = async (): Promise<void> => {
    // A file that will be rejected is still read, to report its other invalid rows.
    if (batch.length > 0 && (mode === 'rows' || rejected === 0)) await leads.insert(tx, batch, actor.userId);
    batch = [];
  };
  for await (const row of file) {
    signal.throwIfAborted();
    rows += 1;
    if (rows > importedRowsMax) throw tooManyRows(importedRowsMax);
    const found = read(row);
    if ('lead' in found) batch.push(found.lead);
    else {
      rejected += 1;
      problems += found.problems.length;
      const isReported = errors.length < reportedRowsMax && problems <= reportedProblemsMax;
      if (isReported) errors.push({ line: row.line, details: found.problems });
    }
    if (batch.length === batchRows) await flush();
  }
  await flush();
  return { rows, imported: rows - rejected, rejected, errors };
}
