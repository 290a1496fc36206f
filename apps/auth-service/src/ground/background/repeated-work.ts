import type { Logger } from '@tenantry/service/logging';
import type { BackgroundWork } from '@tenantry/service/work';
import { inTrace } from '@tenantry/tracing';

/** Work that is repeated. */
interface RepeatedWorkOptions {
  /** For traces and the log: `purge organizations`. */
  readonly name: string;
  readonly intervalMs: number;
  /** Whether it is also done as the service starts. */
  readonly atStart?: boolean;
  /** Does it once, ending early on the signal. Whatever is left over or fails is for the next time. */
  readonly run: (ending: AbortSignal) => Promise<unknown>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Repeats work in an instance, without overlap. */
export class RepeatedWork implements BackgroundWork {
  readonly #options: RepeatedWorkOptions;
  readonly #ending = new AbortController();
  #running: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RepeatedWorkOptions) {
    this.#options = options;
  }

  start(): void {
    const { intervalMs, atStart = false } = this.#options;
    this.#timer = setInterval(() => this.#begin(), intervalMs).unref();
    if (atStart) this.#begin();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running;
  }

  #begin(): void {
    const { name, run, logger } = this.#options;
    this.#running ??= inTrace(name, () => run(this.#ending.signal))
      .catch((error: unknown) => logger.warn({ err: error }, `${name}: failed`))
      .finally(() => (this.#running = undefined));
  }
}
