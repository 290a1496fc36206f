import type { Rows } from '../database.ts';

/** What became of a quote that was sent: by whom, when, from where, and of what. */
export interface Decision extends Decider {
  /** Of the seller; null where the customer decides by the link. */
  readonly userId: string | null;
  readonly decision: 'accepted' | 'rejected';
  readonly decidedAt: Date;
  readonly reason: string | null;
  /** SHA-256 of what was offered. */
  readonly contentHash: Buffer;
}

/** As whom somebody decides, and from where. */
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
