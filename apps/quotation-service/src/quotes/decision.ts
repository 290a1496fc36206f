/** The decision on a sent quote: who decided, when, from where, and on which content. */
export interface Decision extends Decider {
  /** Of the seller; null if the customer decides by the link. */
  readonly userId: string | null;
  readonly decision: 'accepted' | 'rejected';
  readonly decidedAt: Date;
  readonly reason: string | null;
  /** SHA-256 of what was offered. */
  readonly contentHash: Buffer;
}

/** Who decides, and their client address. */
export interface Decider {
  /** The customer's signature. An acceptance has one of the two. */
  readonly name: string | null;
  readonly ipAddress: string | null;
  /** Truncated to 500 characters. */
  readonly userAgent: string | null;
}
