/** The key of a counter: an e-mail address and the device of the client, both as hashes. */
export interface Attempt {
  readonly emailHash: Buffer;
  /** Null for a client that names no device. */
  readonly deviceHash: Buffer | null;
}

/** The rules of a lock. */
export interface LockoutFigures {
  /** Consecutive failures before the first lock. */
  readonly threshold: number;
  /** How long the first lock lasts; each failure after it doubles the time. */
  readonly seconds: number;
  readonly secondsMax: number;
}

/** A counter; all unknown devices share the one without a device. */
export interface Counter {
  readonly emailHash: Buffer;
  readonly deviceHash: Buffer;
  /** Consecutive failures, including the current attempt. */
  readonly failures: number;
  readonly lockedUntil: Date | null;
}
