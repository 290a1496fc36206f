import type { Identity } from './identity.ts';

/** A token whose signature and claims have been checked, and what remains to be checked at each use. */
export interface VerifiedToken {
  readonly identity: Identity;
  /** Milliseconds since the epoch, the skew included. */
  readonly usableUntilMs: number;
  /** The version of the revocations it was last held against. */
  revocationsVersion: number;
}

/**
 * A bounded store of verified tokens in two generations: a full young one becomes the old one, and what
 * was not used since is forgotten with the generation before. A hit costs one look-up and moves nothing,
 * where a list in order of use would be rewritten by every request.
 */
export class VerifiedTokens {
  readonly #generationSize: number;
  #young = new Map<string, VerifiedToken>();
  #old = new Map<string, VerifiedToken>();

  /** `size`: the most tokens ever kept; fewer than two keeps none. */
  constructor(size: number) {
    this.#generationSize = Math.floor(size / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(token: string): VerifiedToken | undefined {
    const found = this.#young.get(token);
    if (found !== undefined) return found;
    const rescued = this.#old.get(token);
    if (rescued !== undefined) {
      this.#old.delete(token);
      this.set(token, rescued);
    }
    return rescued;
  }

  set(token: string, verified: VerifiedToken): void {
    if (this.#generationSize === 0) return;
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(token, verified);
  }

  delete(token: string): void {
    this.#young.delete(token);
    this.#old.delete(token);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
