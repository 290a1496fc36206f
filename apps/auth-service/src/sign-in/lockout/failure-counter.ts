/** Whose failures are counted: an e-mail address and the device that shows itself, both as hashes. */
export interface Attempt {
  readonly emailHash: Buffer;
  /** Null for a client that names no device. */
  readonly deviceHash: Buffer | null;
}

/** How failures lock. */
export interface LockoutFigures {
  /** Consecutive failures before the first lock. */
  readonly threshold: number;
  /** How long the first lock lasts; each failure after it doubles the time. */
  readonly seconds: number;
  readonly secondsMax: number;
}

/** One counter: all unknown devices share the one without a device. */
export interface Counter {
  readonly emailHash: Buffer;
  readonly deviceHash: Buffer;
  /** Consecutive failures, the one that is about to be tried included. */
  readonly failures: number;
  readonly lockedUntil: Date | null;
}
