import { withinMs } from '@tenantry/service-kit';

/** Reads a feed to its current end, and returns whether it got there. */
export type ReadToEnd = () => Promise<boolean>;

/**
 * Many callers wait for a reading that begins after their call, so it includes everything committed before. Calls made during a
 * reading share the next one.
 */
export class CatchingUp {
  readonly #readToEnd: ReadToEnd;
  #underWay: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;

  constructor(readToEnd: ReadToEnd) {
    this.#readToEnd = readToEnd;
  }

  /** @returns whether a reading that began afterwards has reached the end in time */
  within(ms: number): Promise<boolean> {
    return withinMs(ms, this.#afterNow(), () => false);
  }

  #afterNow(): Promise<boolean> {
    if (!this.#underWay) return this.#begin();
    return (this.#next ??= this.#underWay.then(() => {
      this.#next = undefined;
      return this.#begin();
    }));
  }

  #begin(): Promise<boolean> {
    const reading = this.#readToEnd()
      .catch(() => false)
      .finally(() => {
        if (this.#underWay === reading) this.#underWay = undefined;
      });
    this.#underWay = reading;
    return reading;
  }
}
