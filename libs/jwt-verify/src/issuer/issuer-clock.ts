import { clockSkewSeconds, lifetimeSecondsMax } from '../tokens/identity.ts';

/** The clocks are compared at most this often, unless the process's own was set. */
const comparisonIntervalMs = 1000;
/** Minimum time for which a response of the issuer counts; twice that at most, while others follow. */
const generationMs = 60_000;

/**
 * The time by which an issuer's tokens are checked: the later of the process's clock and the issuer's. Each response of the
 * issuer contains its time, and a steady clock continues it, so a clock that is behind, or is set back, does not extend the
 * life of a token.
 *
 * A response may be delayed but is never early: the issuer's clock shows at least the time in it. The fastest response is the
 * most accurate, so the latest time counts, among those of the last minutes: this also follows an issuer whose own clock was
 * set back.
 */
export class IssuerClock {
  readonly #wall: () => number;
  readonly #steady: () => number;
  /** How far the issuer's clock is ahead of the steady one, by the responses of this generation and of the last. */
  #lead = -Infinity;
  #lastLead = -Infinity;
  #generationSinceMs = -Infinity;
  /** How far the process's clock was behind the issuer's when they were last compared. */
  #behindMs = 0;
  #comparedAtMs = Infinity;

  /**
   * @param clock milliseconds since the epoch. Default: the process's clock, which may be set at any time.
   * @param steady milliseconds of a clock that is not. Default: the one given, or the time since the process started.
   */
  constructor(clock?: () => number, steady: () => number = clock ?? (() => performance.now())) {
    this.#wall = clock ?? (() => Date.now());
    this.#steady = steady;
  }

  /** Milliseconds since the epoch, never before what the issuer's own clock is known to show. */
  now(): number {
    const wall = this.#wall();
    const sinceComparisonMs = wall - this.#comparedAtMs;
    if (sinceComparisonMs < 0 || sinceComparisonMs >= comparisonIntervalMs) this.#compare(wall);
    return wall + this.#behindMs;
  }

  /** Milliseconds by which the process's clock is ahead of the issuer's; negative if behind, 0 while unknown. */
  get aheadMs(): number {
    const issuer = this.#issuerNow();
    return issuer === -Infinity ? 0 : this.#wall() - issuer;
  }

  /** Whether the process's clock is so far ahead that even a new token of the issuer looks expired. */
  get isUseless(): boolean {
    return this.aheadMs >= (lifetimeSecondsMax + clockSkewSeconds) * 1000;
  }

  /** Updates the clock from a response that has just arrived. */
  hear(issuerMs: number): void {
    const steady = this.#steady();
    const lead = issuerMs - steady;
    if (steady - this.#generationSinceMs >= generationMs) {
      this.#lastLead = this.#lead;
      this.#lead = lead;
      this.#generationSinceMs = steady;
    } else if (lead > this.#lead) {
      this.#lead = lead;
    }
    this.#compare(this.#wall());
  }

  #compare(wall: number): void {
    this.#behindMs = Math.max(0, this.#issuerNow() - wall);
    this.#comparedAtMs = wall;
  }

  #issuerNow(): number {
    return this.#steady() + Math.max(this.#lead, this.#lastLead);
  }
}
