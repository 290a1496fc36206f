import { randomUUID } from 'node:crypto';
import type { ErrorDetail } from '@tenantry/envelope';
import { isOverQuota } from '@tenantry/service/failures';
import type { AccountActor } from '@tenantry/service/resources';
import { daySeconds, type ScheduleWork } from '@tenantry/service/work';
import { foldText } from '@tenantry/text';
import type { Context, Rows, Transaction } from '../database.ts';
import type { FilledLead, Filling, LeadAudit, NewLead } from '../leads/lead.ts';
import { importedRowsMax, importMsMax } from './import-limits.ts';
import { RefusedFile, tooManyRows } from './lead-files.errors.ts';
import type { ImportReport, RowVerdict } from './import-report.ts';
import { LeftOutRows } from './left-out-rows.ts';
import type { LeadImportRepository } from './lead-imports.repository.ts';
import type { ReadRow } from './mapped-rows.ts';
import { pastImportsKind } from './past-imports.ts';

/** Whether an invalid row rejects the whole file, or only itself, or nothing is imported and each row is judged. */
export const importModes = ['all', 'rows', 'check'] as const;
export type ImportMode = (typeof importModes)[number];

/** What becomes of a row with the address of a lead, or of an earlier row. */
export const duplicateChoices = ['import', 'skip', 'fill'] as const;
export type DuplicateChoice = (typeof duplicateChoices)[number];

/** The rows of a file, and the names of its columns. */
export interface RowsToImport {
  readonly names: readonly string[];
  readonly rows: AsyncGenerator<ReadRow>;
}

/** How a file is imported. */
export interface ImportOptions {
  readonly mode: ImportMode;
  readonly duplicates: DuplicateChoice;
  readonly fileName: string | null;
  /** Aborted when the client has disconnected: then nothing is imported. */
  readonly signal: AbortSignal;
  /** Rejects once the actor may act no more: asked before each batch, and before the transaction commits. */
  readonly requireAccess: () => Promise<unknown>;
  /** Runs what notes how far an import is: beside its transaction, so that others see it. */
  readonly outside: (work: (rows: Rows) => Promise<void>) => Promise<void>;
}

/** What imports need. */
export interface LeadImportOptions {
  readonly leads: {
    /** Creates leads, each with its first status. @returns their ids */
    insert(tx: Transaction, leads: readonly NewLead[], actor: AccountActor): Promise<readonly string[]>;
    /** The earliest live lead with each address, where there is one. */
    byEmail(rows: Rows, emails: readonly string[]): Promise<readonly (string | undefined)[]>;
    /** Fills what is empty of leads; each is named once. */
    fill(tx: Transaction, fillings: readonly Filling[]): Promise<readonly FilledLead[]>;
  };
  readonly imports: Pick<LeadImportRepository, 'begin' | 'move' | 'end' | 'addPart'>;
  readonly audit: LeadAudit;
  readonly scheduleWork: ScheduleWork;
}

const reportedRowsMax = 1_000;
const reportedProblemsMax = 4_000;
const batchRows = 250;
const progressEveryMs = 1_000;

/** Imports files. */
export class LeadImports {
  readonly #options: LeadImportOptions;

  constructor(options: LeadImportOptions) {
    this.#options = options;
  }

  /** Judges each row of a file, and imports none. */
  async check({ tenant, actor }: Context, file: RowsToImport, options: ImportOptions): Promise<ImportReport> {
    const run = new ImportRun({ ...this.#options, ...options, actor, names: file.names, id: null });
    await run.read(file.rows, tenant);
    return run.report();
  }

  /** Imports the rows of a file as new leads, in one transaction: all or none. */
  async run({ tenant, actor }: Context, file: RowsToImport, options: ImportOptions): Promise<ImportReport> {
    const { audit, imports, scheduleWork } = this.#options;
    const { outside, fileName } = options;
    const id = randomUUID();
    const run = new ImportRun({ ...this.#options, ...options, actor, names: file.names, id });
    // It is noted beside the transaction, so that an import that is killed is seen to have begun.
    await outside((rows) => imports.begin(rows, { id, actor, fileName }));
    try {
      return await tenant.transaction(
        async (tx) => {
          await run.read(file.rows, tx, tx);
          options.signal.throwIfAborted();
          await options.requireAccess();
          const report = run.report();
          if (options.mode === 'all' && report.rejected > 0) throw new RefusedFile(report);
          await imports.end(tx, id, 'done', run.counts);
          const { imported, rejected, filled, skipped } = run.counts;
          const more = { ...(filled > 0 && { filled }), ...(skipped > 0 && { skipped }) };
          await audit.record(tx, {
            actor,
            action: 'lead.imported',
            details: { imported, rejected, ...more },
          });
          const { organizationId } = tenant.scope;
          await scheduleWork(tx, { kind: pastImportsKind, id: organizationId, afterSeconds: daySeconds });
          return report;
        },
        { limitMs: importMsMax },
      );
    } catch (error) {
      const counts = { ...nothing, rows: run.counts.rows };
      await outside((rows) => imports.end(rows, id, 'failed', counts)).catch(() => undefined);
      throw error;
    }
  }
}

const nothing = { rows: 0, imported: 0, filled: 0, skipped: 0, rejected: 0, saved: 0 };

interface RunOptions extends Omit<LeadImportOptions, 'audit' | 'scheduleWork'>, ImportOptions {
  readonly actor: AccountActor;
  readonly names: readonly string[];
  /** Null of one that only judges. */
  readonly id: string | null;
}

type LeadRow = ReadRow & { readonly lead: NewLead };

const isLead = (row: ReadRow): row is LeadRow => row.lead !== undefined;

/** The first row with an address: the lead that has it already, or null. */
interface Seen {
  readonly line: number;
  readonly leadId: string | null;
}

/** One reading of a file, batch by batch. */
class ImportRun {
  readonly #options: RunOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #errors: { readonly line: number; readonly details: readonly ErrorDetail[] }[] = [];
  readonly #verdicts: RowVerdict[] = [];
  readonly #leftOut: LeftOutRows;
  #counts = { ...nothing };
  #problems = 0;
  #duplicates = 0;
  #warned = 0;
  #reported = { fine: 0, other: 0 };
  #part = 0;
  #isFull = false;
  #noted = performance.now();

  constructor(options: RunOptions) {
    this.#options = options;
    this.#leftOut = new LeftOutRows(options.names);
  }

  get counts() {
    const { rows, filled, skipped, rejected, saved } = this.#counts;
    return {
      ...{ rows, filled, skipped, rejected, saved },
      imported: rows - rejected - skipped - this.#filledRows,
    };
  }

  #filledRows = 0;

  report(): ImportReport {
    const { id, mode } = this.#options;
    const { rows, imported, rejected, ...others } = this.counts;
    return {
      ...{ rows, imported, rejected, errors: this.#errors },
      ...{ ...others, id, duplicates: this.#duplicates, warned: this.#warned },
      verdicts: this.#verdicts,
      leftOut: mode === 'check' ? this.#leftOut : null,
    };
  }

  /** Reads all rows; `tx` takes what is imported, and `rows` knows the leads that are there. */
  async read(file: AsyncGenerator<ReadRow>, rows: Rows, tx?: Transaction): Promise<void> {
    const { signal } = this.#options;
    let batch: ReadRow[] = [];
    const flush = async () => {
      await this.#settle(batch, rows, tx);
      batch = [];
    };
    for await (const row of file) {
      signal.throwIfAborted();
      this.#counts.rows += 1;
      if (this.#counts.rows > importedRowsMax) throw tooManyRows(importedRowsMax);
      if (row.warnings.length > 0) this.#warned += 1;
      batch.push(row);
      if (batch.length === batchRows) await flush();
    }
    await flush();
    // Rows that the last batch had no room for.
    if (tx) await this.#write(tx, { added: [], fillings: [] });
  }

  async #settle(batch: readonly ReadRow[], rows: Rows, tx: Transaction | undefined): Promise<void> {
    const { requireAccess, mode, duplicates } = this.#options;
    await requireAccess();
    await this.#note();
    // A file that will be rejected is still read, to report its other invalid rows.
    const good = batch.filter(isLead);
    const isLost = mode === 'all' && (this.#counts.rejected > 0 || good.length < batch.length);
    const asked = mode === 'check' || duplicates !== 'import';
    const known = asked && !isLost ? await this.#duplicatesIn(good, rows) : new Map<LeadRow, Seen>();
    const added: LeadRow[] = [];
    const fillings = new Map<string, Filling>();
    const filling: LeadRow[] = [];
    for (const row of batch) {
      if (!isLead(row)) {
        this.#reject(row, row.problems);
        continue;
      }
      const duplicate = known.get(row);
      if (duplicate) this.#duplicates += 1;
      if (mode === 'check') this.#judge(row, duplicate);
      if (!duplicate || duplicates === 'import') added.push(row);
      else if (duplicates === 'skip') this.#skip(row, duplicate);
      else {
        this.#fill(row, { duplicate, added, fillings });
        filling.push(row);
      }
    }
    this.#filledRows += filling.length;
    if (!tx || isLost) return;
    const isWritten = await this.#write(tx, { added, fillings: [...fillings.values()] });
    if (isWritten) return;
    this.#filledRows -= filling.length;
    for (const row of [...added, ...filling]) this.#reject(row, [beyondQuota]);
  }

  /** The rows of a batch whose address a lead or an earlier row has. One query for all of them. */
  async #duplicatesIn(batch: readonly LeadRow[], rows: Rows): Promise<Map<LeadRow, Seen>> {
    const keys = batch.map(({ lead }) => foldText(lead.email));
    const isNew = (key: string, n: number) => !this.#seen.has(key) && keys.indexOf(key) === n;
    const places = keys.flatMap((key, n) => (isNew(key, n) ? [n] : []));
    const emails = places.map((n) => batch[n]?.lead.email ?? '');
    const ids = await this.#options.leads.byEmail(rows, emails);
    const idAt = new Map(places.map((n, at) => [n, ids[at]]));
    const known = new Map<LeadRow, Seen>();
    for (const [n, row] of batch.entries()) {
      const key = keys[n] ?? '';
      const earlier = this.#seen.get(key);
      const leadId = idAt.get(n) ?? null;
      if (earlier) known.set(row, earlier);
      else if (leadId !== null) known.set(row, { line: row.line, leadId });
      if (!earlier) this.#seen.set(key, { line: row.line, leadId });
    }
    return known;
  }

  #skip(row: LeadRow, { line, leadId }: Seen): void {
    this.#counts.skipped += 1;
    const message = leadId === null ? `has the address of line ${line}` : `has the address of lead ${leadId}`;
    this.#save(row, [{ field: 'email', message }]);
  }

  /** A lead that is there is filled; a row of this file takes what a later one has. */
  #fill(
    row: LeadRow,
    { duplicate, added, fillings }: { duplicate: Seen; added: LeadRow[]; fillings: Map<string, Filling> },
  ): void {
    const { leadId, line } = duplicate;
    if (leadId !== null) {
      fillings.set(leadId, { id: leadId, lead: { ...row.lead, ...fillings.get(leadId)?.lead } });
      return;
    }
    const at = added.findIndex((earlier) => earlier.line === line);
    const earlier = added[at];
    if (earlier) added[at] = { ...earlier, lead: { ...row.lead, ...earlier.lead } };
    else this.#laterFillings.push(row);
  }

  /** Rows that fill leads which an earlier batch has made. */
  #laterFillings: LeadRow[] = [];

  async #write(
    tx: Transaction,
    { added, fillings }: { readonly added: readonly LeadRow[]; readonly fillings: readonly Filling[] },
  ): Promise<boolean> {
    const { leads, imports, actor, mode, id } = this.#options;
    const later = this.#laterFillings;
    this.#laterFillings = [];
    const write = async (
      part: Transaction,
    ): Promise<{ ids: readonly string[]; filled: readonly FilledLead[] }> => {
      const ids =
        added.length > 0
          ? await leads.insert(
              part,
              added.map(({ lead }) => lead),
              actor,
            )
          : [];
      const filled = await leads.fill(part, fillings);
      // What a row adds to one that this import has made is no change of a lead that was there.
      const made = await leads.byEmail(
        part,
        later.map(({ lead }) => lead.email),
      );
      const more = new Map<string, Filling>();
      for (const [n, { lead }] of later.entries()) {
        const leadId = made[n];
        if (leadId !== undefined)
          more.set(leadId, { id: leadId, lead: { ...lead, ...more.get(leadId)?.lead } });
      }
      return { ids, filled: [...filled, ...(await leads.fill(part, [...more.values()]))] };
    };
    let written: Awaited<ReturnType<typeof write>> | undefined;
    if (mode === 'all') written = await write(tx);
    else if (!this.#isFull) {
      written = await fits(tx, write);
      this.#isFull = !written;
    }
    const { ids = [], filled = [] } = written ?? {};
    this.#counts.filled += filled.length;
    const leftOut = this.#leftOut.take();
    if (id === null || (ids.length === 0 && filled.length === 0 && leftOut.text === ''))
      return written !== undefined;
    const part = { part: this.#part, leadIds: ids, filled };
    this.#part += 1;
    const isSaved = await fits(tx, async (inner) => {
      await imports.addPart(inner, id, { ...part, leftOut: leftOut.text });
      return true;
    });
    if (isSaved === true) this.#counts.saved += leftOut.rows;
    return written !== undefined;
  }

  #reject(row: ReadRow, details: readonly ErrorDetail[]): void {
    this.#counts.rejected += 1;
    this.#problems += details.length;
    const isReported = this.#errors.length < reportedRowsMax && this.#problems <= reportedProblemsMax;
    if (isReported) this.#errors.push({ line: row.line, details });
    this.#save(row, details);
    if (this.#options.mode === 'check') this.#judge(row, undefined);
  }

  /** Keeps a row for the file of those that are left out. */
  #save(row: ReadRow, reasons: readonly { readonly field: string; readonly message: string }[]): void {
    this.#leftOut.add(row, reasons);
  }

  /** Reports what becomes of a row: the first thousand that are fine, and the first thousand others. */
  #judge({ line, problems, warnings }: ReadRow, duplicate: Seen | undefined): void {
    const as = problems.length > 0 ? 'refused' : duplicate ? 'duplicate' : 'new';
    const kind = as === 'new' && warnings.length === 0 ? 'fine' : 'other';
    this.#reported[kind] += 1;
    if (this.#reported[kind] > reportedRowsMax) return;
    const { leadId = null } = duplicate ?? {};
    const duplicateOfLine = duplicate && leadId === null ? duplicate.line : null;
    this.#verdicts.push({ line, as, duplicateOf: leadId, duplicateOfLine, details: problems, warnings });
  }

  /** Says how far it is, now and then; nothing depends on it. */
  async #note(): Promise<void> {
    const { imports, outside, id } = this.#options;
    if (id === null || performance.now() - this.#noted < progressEveryMs) return;
    this.#noted = performance.now();
    await outside((rows) => imports.move(rows, id, this.#counts.rows)).catch(() => undefined);
  }
}

const beyondQuota: ErrorDetail = {
  field: 'row',
  rule: 'quota',
  message: 'does not fit into the quota of the organization',
};

/** Runs a part of the transaction; undefined if the organization has no room for it: then nothing of it takes effect. */
async function fits<Result>(
  tx: Transaction,
  part: (tx: Transaction) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await tx.asScope().transaction(part);
  } catch (error) {
    if (isOverQuota(error)) return undefined;
    throw error;
  }
}
