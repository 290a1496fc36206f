import { postponedMax } from '@tenantry/contracts';
import { backoffMs } from '../calls/backoff.ts';

interface Waiting {
  readonly failures: number;
  readonly againAtMs: number;
}

const retry = { firstMs: 250, maxMs: 30_000 };

/** Organizations whose events cannot be stored: they are postponed, and tried again later and later, while others go on. */
export class WaitingOrganizations {
  readonly #clock: () => number;
  readonly #waiting = new Map<string, Waiting>();

  /** @param clock gives milliseconds that only ever grow */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(organizationId: string): boolean {
    return this.#waiting.has(organizationId);
  }

  /** Those whose next attempt is not due. */
  postponed(): string[] {
    const nowMs = this.#clock();
    const ids = [...this.#waiting].filter(([, { againAtMs }]) => nowMs < againAtMs).map(([id]) => id);
    return ids.slice(0, postponedMax);
  }

  /** For how many whole seconds the reader may wait for news, given the most that it may: until the next attempt is due. */
  waitSeconds(secondsMax: number): number {
    const nextMs = Math.min(...[...this.#waiting.values()].map(({ againAtMs }) => againAtMs));
    const seconds = Math.ceil((nextMs - this.#clock()) / 1_000);
    return Math.max(0, Math.min(seconds, secondsMax));
  }

  /** @returns whether it has begun to wait */
  failed(organizationId: string): boolean {
    const failures = (this.#waiting.get(organizationId)?.failures ?? 0) + 1;
    this.#waiting.set(organizationId, { failures, againAtMs: this.#clock() + backoffMs(failures, retry) });
    return failures === 1;
  }

  /** A page was stored that held everything but the postponed. @returns those that wait no longer */
  succeeded(postponed: readonly string[]): string[] {
    const arrived = [...this.#waiting.keys()].filter((id) => !postponed.includes(id));
    for (const id of arrived) this.#waiting.delete(id);
    return arrived;
  }
}
