import type { Quota } from './rate-limit.ts';

/**
 * Proof that limits have counted something. Only they create it, so a function that requires one cannot be called uncounted.
 */
export class Counted {
  /** What is left. */
  readonly quota: Quota;
  readonly #takeBack: () => Promise<unknown>;

  constructor(quota: Quota, takeBack: () => Promise<unknown>) {
    this.quota = quota;
    this.#takeBack = takeBack;
  }

  /** Undoes the count. Call it at most once, outside of transactions. */
  async giveBack(): Promise<void> {
    await this.#takeBack();
  }
}
