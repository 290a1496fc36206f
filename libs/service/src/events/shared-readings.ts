/**
 * Many callers wait for a reading that begins after their call, so it includes everything committed before. Calls made during a
 * reading share the next one.
 */
export class SharedReadings<Result> {
  readonly #read: () => Promise<Result>;
  #underWay: Promise<Result> | undefined;
  #next: Promise<Result> | undefined;

  constructor(read: () => Promise<Result>) {
    this.#read = read;
  }

  /** The result of a reading that begins after this call. */
  begunNow(): Promise<Result> {
    if (!this.#underWay) return this.#begin();
    const begin = (): Promise<Result> => {
      this.#next = undefined;
      return this.#begin();
    };
    return (this.#next ??= this.#underWay.then(begin, begin));
  }

  #begin(): Promise<Result> {
    const reading = this.#read().finally(() => {
      if (this.#underWay === reading) this.#underWay = undefined;
    });
    this.#underWay = reading;
    return reading;
  }
}
