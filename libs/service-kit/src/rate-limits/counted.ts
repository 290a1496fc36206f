import type { Quota } from './rate-limit.ts';

/** Something that limits have counted. They alone make one: what asks for one cannot be done uncounted. */
export class Counted {
  /** What is left. */
  readonly quota: Quota;
  readonly #takeBack: () => Promise<unknown>;

  constructor(quota: Quota, takeBack: () => Promise<unknown>) {
    this.quota = quota;
    this.#takeBack = takeBack;
  }

  /** Counts it no longer. Call it once, and outside of transactions. */
  async giveBack(): Promise<void> {
    await this.#takeBack();
  }
}
