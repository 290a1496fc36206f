import { randomUUID } from 'node:crypto';
import type { ErrorDetail } from '@tenantry/envelope';
import type { OrganizationRows as Rows, OrganizationTransaction as Transaction } from '@tenantry/tenancy';
import { isOverQuota } from '../failures/database-faults.ts';
import type { AccountActor } from '../resources/actors.ts';
import type { Context } from '../tenants/context.ts';
import type { ScheduleWork } from '../work/due-work.ts';
import { daySeconds } from '../work/housekeeping.ts';
import type { FileRow, ReadRow, RowsToImport } from './file-rows.ts';
import { RefusedFile, tooManyRows } from './files.errors.ts';
import { importedRowsMax, importMsMax } from './import-limits.ts';
import type { ImportReport, RowVerdict } from './import-report.ts';
import type { FilledItem, ImportsRepository } from './imports.repository.ts';
import { LeftOutRows } from './left-out-rows.ts';
import { pastImportsKind } from './past-imports.ts';

/** Whether an invalid row rejects the whole file, or only itself, or nothing is imported and each row is judged. */
export const importModes = ['all', 'rows', 'check'] as const;
export type ImportMode = (typeof importModes)[number];

/** What becomes of a row that is the same as something that is there, or as an earlier row. */
export const duplicateChoices = ['import', 'skip', 'fill'] as const;
export type DuplicateChoice = (typeof duplicateChoices)[number];

/** What the empty fields of something are filled with. */
export interface Filling<Item> {
  readonly id: string;
  readonly item: Item;
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

/** What the rows of files become. */
export interface ImportedItems<Item> {
  /** What is the same: two with one of these texts are duplicates. */
  keysOf(item: Item): readonly string[];
  /** What duplicates have in common, for the report: the field, and `has the address of`. */
  readonly sameness: { readonly field: string; readonly verb: string; readonly noun: string };
  /** Creates them. @returns their ids */
  insert(tx: Transaction, items: readonly Item[], actor: AccountActor): Promise<readonly string[]>;
  /** The earliest that is the same as each, where there is one. */
  same(rows: Rows, items: readonly Item[]): Promise<readonly (string | undefined)[]>;
  /** Fills what is empty; each is named once. @returns those that had something empty */
  fill(tx: Transaction, fillings: readonly Filling<Item>[]): Promise<readonly FilledItem[]>;
  /** Notes in the trail that a file was imported. */
  recordImport(
    tx: Transaction,
    actor: AccountActor,
    counts: {
      readonly imported: number;
      readonly rejected: number;
      readonly filled?: number;
      readonly skipped?: number;
    },
  ): Promise<void>;
}

/** What imports need. */
export interface ImportsOptions<Item> {
  readonly items: ImportedItems<Item>;
  readonly imports: Pick<ImportsRepository, 'begin' | 'takeTurn' | 'move' | 'end' | 'addPart'>;
  readonly scheduleWork: ScheduleWork;
}

const reportedRowsMax = 1_000;
const reportedProblemsMax = 4_000;
const batchRows = 250;
const progressEveryMs = 1_000;

/** Imports files. */
export class Imports<Item> {
  readonly #options: ImportsOptions<Item>;

  constructor(options: ImportsOptions<Item>) {
    this.#options = options;
  }

  /** Judges each row of a file, and imports none. */
  async check(
    { tenant, actor }: Context,
    file: RowsToImport<Item>,
    options: ImportOptions,
  ): Promise<ImportReport> {
    const run = new ImportRun({ ...this.#options, ...options, actor, names: file.names, id: null });
    await run.read(file.rows, tenant);
    return run.report();
  }

  /** Imports the rows of a file, in one transaction: all or none. */
  async run(
    { tenant, actor }: Context,
    file: RowsToImport<Item>,
    options: ImportOptions,
  ): Promise<ImportReport> {
    const { items, imports, scheduleWork } = this.#options;
    const { outside, fileName } = options;
    const id = randomUUID();
    const run = new ImportRun({ ...this.#options, ...options, actor, names: file.names, id });
    // It is noted beside the transaction, so that an import that is killed is seen to have begun.
    await outside((rows) => imports.begin(rows, { id, actor, fileName }));
    try {
      return await tenant.transaction(
        async (tx) => {
          // The same file may be under way at another instance.
          if (options.duplicates !== 'import') await imports.takeTurn(tx, id);
          await run.read(file.rows, tx, tx);
          options.signal.throwIfAborted();
          await options.requireAccess();
          const report = run.report();
          if (options.mode === 'all' && report.rejected > 0) throw new RefusedFile(report);
          await imports.end(tx, id, 'done', run.counts);
          const { imported, rejected, filled, skipped } = run.counts;
          const more = { ...(filled > 0 && { filled }), ...(skipped > 0 && { skipped }) };
          await items.recordImport(tx, actor, { imported, rejected, ...more });
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

interface RunOptions<Item> extends Omit<ImportsOptions<Item>, 'scheduleWork'>, ImportOptions {
  readonly actor: AccountActor;
  readonly names: readonly string[];
  /** Null of one that only judges. */
  readonly id: string | null;
}

type ItemRow<Item> = ReadRow<Item> & { readonly item: Item };

const isItem = <Item>(row: ReadRow<Item>): row is ItemRow<Item> => row.item !== undefined;

/** The first row with a key: what has it already, or null. */
interface Seen {
  readonly line: number;
  readonly id: string | null;
}

/** One reading of a file, batch by batch. */
class ImportRun<Item> {
  readonly #options: RunOptions<Item>;
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

  constructor(options: RunOptions<Item>) {
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

  /** Reads all rows; `tx` takes what is imported, and `rows` knows what is there. */
  async read(file: AsyncGenerator<ReadRow<Item>>, rows: Rows, tx?: Transaction): Promise<void> {
    const { signal } = this.#options;
    let batch: ReadRow<Item>[] = [];
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

  async #settle(batch: readonly ReadRow<Item>[], rows: Rows, tx: Transaction | undefined): Promise<void> {
    const { requireAccess, mode, duplicates } = this.#options;
    await requireAccess();
    await this.#note();
    // A file that will be rejected is still read, to report its other invalid rows.
    const good = batch.filter(isItem);
    const isLost = mode === 'all' && (this.#counts.rejected > 0 || good.length < batch.length);
    const asked = mode === 'check' || duplicates !== 'import';
    const known = asked && !isLost ? await this.#duplicatesIn(good, rows) : new Map<ItemRow<Item>, Seen>();
    const added: ItemRow<Item>[] = [];
    const fillings = new Map<string, Filling<Item>>();
    const filling: ItemRow<Item>[] = [];
    for (const row of batch) {
      if (!isItem(row)) {
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
    const isWritten = !tx || isLost || (await this.#write(tx, { added, fillings: [...fillings.values()] }));
    if (isWritten) {
      for (const row of [...added, ...filling]) {
        if (row.leftOut !== undefined && row.leftOut.length > 0) this.#save(row, row.leftOut);
      }
      return;
    }
    this.#filledRows -= filling.length;
    for (const row of [...added, ...filling]) this.#reject(row, [beyondQuota]);
  }

  /** The rows of a batch that are the same as something that is there, or an earlier row. One query for all of them. */
  async #duplicatesIn(batch: readonly ItemRow<Item>[], rows: Rows): Promise<Map<ItemRow<Item>, Seen>> {
    const { items } = this.#options;
    const keyed = batch.map((row) => ({ row, keys: items.keysOf(row.item) }));
    const fresh = keyed.filter(({ keys }) => !keys.some((key) => this.#seen.has(key)));
    const ids = await items.same(
      rows,
      fresh.map(({ row }) => row.item),
    );
    const idOf = new Map(fresh.map(({ row }, n) => [row, ids[n]]));
    const known = new Map<ItemRow<Item>, Seen>();
    for (const { row, keys } of keyed) {
      const earlier = keys.flatMap((key) => this.#seen.get(key) ?? [])[0];
      const seen = earlier ?? { line: row.line, id: idOf.get(row) ?? null };
      if (earlier || seen.id !== null) known.set(row, seen);
      for (const key of keys) if (!this.#seen.has(key)) this.#seen.set(key, seen);
    }
    return known;
  }

  #skip(row: ItemRow<Item>, { line, id }: Seen): void {
    this.#counts.skipped += 1;
    const { field, verb, noun } = this.#options.items.sameness;
    this.#save(row, [{ field, message: `${verb} ${id === null ? `line ${line}` : `${noun} ${id}`}` }]);
  }

  /** What is there is filled; a row of this file takes what a later one has. */
  #fill(
    row: ItemRow<Item>,
    {
      duplicate,
      added,
      fillings,
    }: { duplicate: Seen; added: ItemRow<Item>[]; fillings: Map<string, Filling<Item>> },
  ): void {
    const { id, line } = duplicate;
    if (id !== null) {
      fillings.set(id, { id, item: { ...row.item, ...fillings.get(id)?.item } });
      return;
    }
    const at = added.findIndex((earlier) => earlier.line === line);
    const earlier = added[at];
    if (earlier) added[at] = { ...earlier, item: { ...row.item, ...earlier.item } };
    else this.#laterFillings.push(row);
  }

  /** Rows that fill what an earlier batch has made. */
  #laterFillings: ItemRow<Item>[] = [];

  async #write(
    tx: Transaction,
    {
      added,
      fillings,
    }: { readonly added: readonly ItemRow<Item>[]; readonly fillings: readonly Filling<Item>[] },
  ): Promise<boolean> {
    const { items, imports, actor, mode, id } = this.#options;
    const later = this.#laterFillings;
    this.#laterFillings = [];
    const write = async (part: Transaction) => {
      const given = added.map(({ item }) => item);
      const ids = given.length > 0 ? await items.insert(part, given, actor) : [];
      const filled = await items.fill(part, fillings);
      // What a row adds to one that this import has made is no change of what was there.
      const made = await items.same(
        part,
        later.map(({ item }) => item),
      );
      const more = new Map<string, Filling<Item>>();
      for (const [n, { item }] of later.entries()) {
        const madeId = made[n];
        if (madeId !== undefined)
          more.set(madeId, { id: madeId, item: { ...item, ...more.get(madeId)?.item } });
      }
      return { ids, filled: [...filled, ...(await items.fill(part, [...more.values()]))] };
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
    const part = { part: this.#part, ids, filled };
    this.#part += 1;
    const isSaved = await fits(tx, async (inner) => {
      await imports.addPart(inner, id, { ...part, leftOut: leftOut.text });
      return true;
    });
    if (isSaved === true) this.#counts.saved += leftOut.rows;
    return written !== undefined;
  }

  #reject(row: ReadRow<Item>, details: readonly ErrorDetail[]): void {
    this.#counts.rejected += 1;
    this.#problems += details.length;
    const isReported = this.#errors.length < reportedRowsMax && this.#problems <= reportedProblemsMax;
    if (isReported) this.#errors.push({ line: row.line, details });
    this.#save(row, details);
    if (this.#options.mode === 'check') this.#judge(row, undefined);
  }

  /** Keeps a row for the file of those that are left out. */
  #save(row: FileRow, reasons: readonly { readonly field: string; readonly message: string }[]): void {
    this.#leftOut.add(row, reasons);
  }

  /** Reports what becomes of a row: the first thousand that are fine, and the first thousand others. */
  #judge({ line, problems, warnings }: ReadRow<Item>, duplicate: Seen | undefined): void {
    const as = problems.length > 0 ? 'refused' : duplicate ? 'duplicate' : 'new';
    const kind = as === 'new' && warnings.length === 0 ? 'fine' : 'other';
    this.#reported[kind] += 1;
    if (this.#reported[kind] > reportedRowsMax) return;
    const { id = null } = duplicate ?? {};
    const duplicateOfLine = duplicate && id === null ? duplicate.line : null;
    this.#verdicts.push({ line, as, duplicateOf: id, duplicateOfLine, details: problems, warnings });
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
