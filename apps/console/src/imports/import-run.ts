import type { ImportReport } from './thing.queries.ts';

/** The state of an import. */
export interface ImportState {
  /** `waiting`: the connection is lost, and the file will be sent again. `stopped`: nothing of it is there. */
  readonly status: 'running' | 'waiting' | 'stopped' | 'failed' | 'done';
  readonly report: ImportReport | undefined;
  readonly error: unknown;
}

/** What an import needs. */
export interface ImportDependencies {
  /** Sends the file: under one key it is imported once, however often. */
  readonly send: (signal: AbortSignal) => Promise<ImportReport>;
  /** Whether to retry, and after how many seconds. */
  readonly retryAfter: (error: unknown, attempt: number) => number | undefined;
  readonly pause: (seconds: number) => Promise<void>;
}

/** Imports a file, through lost connections, until it is done or stopped. */
export class ImportRun {
  readonly #dependencies: ImportDependencies;
  readonly #listeners = new Set<() => void>();
  #state: ImportState = { status: 'running', report: undefined, error: undefined };
  #stopping = new AbortController();

  constructor(dependencies: ImportDependencies) {
    this.#dependencies = dependencies;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getState = (): ImportState => this.#state;

  /** Begins, or begins once more after a stop or a failure. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    const isStopped = () => signal.aborted;
    const { send, retryAfter, pause } = this.#dependencies;
    for (let attempt = 1; ; attempt += 1) {
      this.#set({ status: 'running', error: undefined });
      try {
        const report = await send(signal);
        this.#set({ status: 'done', report });
        return;
      } catch (error) {
        // One that was stopped has said so, and may be begun again by now.
        if (isStopped()) return;
        const seconds = retryAfter(error, attempt);
        this.#set({ error, status: seconds === undefined ? 'failed' : 'waiting' });
        if (seconds === undefined) return;
        await pause(seconds);
        if (isStopped()) return;
      }
    }
  }

  /** Stops: what the service has not finished is not there. */
  stop(): void {
    if (this.#state.status !== 'running' && this.#state.status !== 'waiting') return;
    this.#set({ status: 'stopped' });
    this.#stopping.abort();
  }

  #set(changed: Partial<ImportState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
