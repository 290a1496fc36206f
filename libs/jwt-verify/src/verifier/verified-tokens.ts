import type { Identity } from '../tokens/identity.ts';
import type { TrustedIssuer } from '../issuer/trusted-issuer.ts';

/** A token whose signature and claims have been checked, and what remains to be checked at each use. */
export interface VerifiedToken {
  readonly token: string;
  readonly identity: Identity;
  readonly issuer: TrustedIssuer;
  /** Milliseconds since the epoch, the skew included. */
  readonly usableUntilMs: number;
  /** The version of the revocations that it was last checked against. */
  revocationsVersion: number;
}

/** The characters of an ES256 signature, the last part of a token. */
const signatureLength = 86;

/**
 * A bounded cache of verified tokens in two generations: when the young one is full it becomes the old one, and tokens that
 * were not used since are dropped with the previous generation. A hit costs one look-up and moves nothing, while an LRU list
 * would be rewritten by every request.
 *
 * A token is looked up by its signature and then compared as a whole: hashing 86 characters costs an eighth of hashing a token.
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
    const signature = token.slice(-signatureLength);
    let found = this.#young.get(signature);
    if (found === undefined) found = this.#rescue(signature);
    return found?.token === token ? found : undefined;
  }

  add(verified: VerifiedToken): void {
    if (this.#generationSize > 0) this.#keep(verified.token.slice(-signatureLength), verified);
  }

  delete(token: string): void {
    const signature = token.slice(-signatureLength);
    this.#young.delete(signature);
    this.#old.delete(signature);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  /** What is used again moves to the young generation. */
  #rescue(signature: string): VerifiedToken | undefined {
    const found = this.#old.get(signature);
    if (found === undefined) return undefined;
    this.#old.delete(signature);
    this.#keep(signature, found);
    return found;
  }

  #keep(signature: string, verified: VerifiedToken): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(signature, verified);
  }
}
