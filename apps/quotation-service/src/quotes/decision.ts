import type { Rows } from '../database.ts';

/** The decision on a sent quote: who decided, when, from where, and on which content. */
export interface Decision extends Decider {
  /** Of the seller; null where the customer decides by the link. */
  readonly userId: string | null;
  readonly decision: 'accepted' | 'rejected';
  readonly decidedAt: Date;
  readonly reason: string | null;
  /** SHA-256 of what was offered. */
  readonly contentHash: Buffer;
}

/** Who decides, and from where. */
export interface Decider {
  /** As the customer signs. An acceptance has one of the two. */
  readonly name: string | null;
  readonly ipAddress: string | null;
  /** At most 500 characters of it. */
  readonly userAgent: string | null;
}

/** The decisions of an organization, as those read them who tell of them. */
export interface FindDecision {
  find(rows: Rows, quoteId: string): Promise<Decision | undefined>;
}
