import type { api } from '@tenantry/client';
import type { BadRow, GoodRow } from './checked-file.ts';
import { fileOf, portionsOf } from './portions.ts';

/** The state of an import. */
export interface ImportState {
  /** `waiting`: the connection is lost, and the same portion will be sent again. */
  readonly status: 'running' | 'waiting' | 'stopping' | 'stopped' | 'failed' | 'done';
  readonly total: number;
  /** Rows that the service has responded to. */
  readonly settled: number;
  readonly imported: number;
  /** Rows that the service has refused. */
  readonly refused: readonly BadRow[];
  /** Rows that were sent without a response: they may or may not be imported. */
  readonly unsure: number;
  readonly error: unknown;
}

/** A portion as it is sent: under one key it is imported once, however often. */
export interface Portion {
  readonly text: string;
  readonly key: string;
}

/** What an import needs. */
export interface ImportDependencies {
  readonly send: (portion: Portion) => Promise<api.LeadImportReport>;
  /** Whether to retry, and after how many seconds. */
  readonly retryAfter: (error: unknown, attempt: number) => number | undefined;
  readonly pause: (seconds: number) => Promise<void>;
  /** Unique for each import. */
  readonly id: string;
}

/** Imports the rows of a file portion by portion, through lost connections, until it is done or stopped. */
export class ImportRun {
  readonly #dependencies: ImportDependencies;
  readonly #portions: readonly (readonly GoodRow[])[];
  readonly #listeners = new Set<() => void>();
  #next = 0;
  #isStopped = false;
  #state: ImportState;
  #work: Promise<void> | undefined;

  constructor(rows: readonly GoodRow[], dependencies: ImportDependencies) {
    this.#dependencies = dependencies;
    this.#portions = portionsOf(rows);
    const counts = { total: rows.length, settled: 0, imported: 0, unsure: 0 };
    this.#state = { ...counts, status: 'running', refused: [], error: undefined };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getState = (): ImportState => this.#state;

  /** Begins, or continues after a stop or a failure. */
  start(): Promise<void> {
    this.#isStopped = false;
    if (this.#work) this.#set({ status: 'running' });
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  /** Stops after the current portion, or immediately while the connection is lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#state.status === 'running') this.#set({ status: 'stopping' });
    if (this.#state.status === 'waiting') this.#set({ status: 'stopped' });
    else await this.#work;
  }

  async #run(): Promise<void> {
    this.#set({ status: 'running', error: undefined });
    for (let rows = this.#portions[this.#next]; rows; rows = this.#portions[this.#next]) {
      if (this.#isStopped) {
        this.#set({ status: 'stopped' });
        return;
      }
      const isSettled = await this.#settle(rows);
      if (!isSettled) return;
      this.#next += 1;
    }
    this.#set({ status: 'done' });
  }

  /** Sends a portion until it gets a response. @returns false if it was stopped */
  async #settle(rows: readonly GoodRow[]): Promise<boolean> {
    const { text, rowAt } = fileOf(rows);
    const portion = { text, key: `${this.#dependencies.id}-${this.#next}` };
    this.#set({ unsure: rows.length });
    for (let attempt = 1; ; attempt += 1) {
      try {
        const report = await this.#dependencies.send(portion);
        this.#count(rows, report, rowAt);
        return true;
      } catch (error) {
        const seconds = this.#dependencies.retryAfter(error, attempt);
        const isOver = seconds === undefined || this.#isStopped;
        this.#set({ error, status: !isOver ? 'waiting' : this.#isStopped ? 'stopped' : 'failed' });
        if (isOver) return false;
        await this.#dependencies.pause(seconds);
        if (this.#isStopped) return false;
        this.#set({ status: 'running' });
      }
    }
  }

  #count(
    rows: readonly GoodRow[],
    { imported, errors }: api.LeadImportReport,
    rowAt: ReadonlyMap<number, GoodRow>,
  ): void {
    const refused = errors.flatMap(({ line, details }) => {
      const row = rowAt.get(line);
      return row ? [{ ...row, findings: details }] : [];
    });
    const { settled, imported: before, refused: known, status } = this.#state;
    this.#set({
      settled: settled + rows.length,
      imported: before + imported,
      unsure: 0,
      error: undefined,
      refused: [...known, ...refused],
      status: status === 'waiting' ? 'running' : status,
    });
  }

  #set(changed: Partial<ImportState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
