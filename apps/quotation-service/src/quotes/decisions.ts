import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Rows, Tenant, Transaction } from '../database.ts';
import type { DecisionRepository } from './decisions.repository.ts';
import type { ReadLarge } from './large-quotes.ts';
import type { LockTarget, LockedQuotes } from './locked-quotes.ts';
import { contentHash, type QuoteDocument } from './quote-document.ts';
import { quoteCannotMove, quoteExpired, quoteSuperseded } from './quotes.errors.ts';
import type { Quote } from './quote.ts';
import type { Decider, Decision } from './decision.ts';

/** Which quote is decided on, on which versions of it, and by whom. */
export interface DecisionTarget extends LockTarget {
  readonly decider: Decider;
  readonly readLarge: ReadLarge;
}

/** Accepting and rejecting what was sent, by the seller or by the customer. */
export interface Decisions {
  /** @throws QUOTE_EXPIRED past validUntil, INVALID_TRANSITION of what is not sent, CONFLICT of a replaced revision. */
  accept(tenant: Tenant, target: DecisionTarget): Promise<Quote>;
  /** @throws INVALID_TRANSITION of what is not sent, CONFLICT of a replaced revision. */
  reject(tenant: Tenant, target: DecisionTarget & { readonly reason?: string | undefined }): Promise<Quote>;
  find(rows: Rows, quoteId: string): Promise<Decision | undefined>;
}

/** What follows from a customer's answer, in its transaction: together with it or not at all. */
export type UponAnswer = (tx: Transaction, answered: { readonly quote: Quote }) => Promise<void>;

/** What deciding needs. */
export interface DecisionsOptions {
  readonly repository: DecisionRepository;
  readonly locked: LockedQuotes;
  readonly customers: Pick<Customers, 'requireKept'>;
  /** The quote as it is read. */
  readonly documentOf: (tx: Transaction, quoteId: string, readLarge: ReadLarge) => Promise<QuoteDocument>;
  readonly audit: QuotationAudit;
  readonly now: () => Date;
  readonly uponAnswer?: readonly UponAnswer[];
}

/** Makes the use cases of deciding. Each looks at the status under the lock: of two at once, one is refused. */
export function createDecisions(options: DecisionsOptions): Decisions {
  const { repository, locked, customers, documentOf, audit, now, uponAnswer = [] } = options;

  const decide = (
    tenant: Tenant,
    { id, accepts, decider, readLarge, ...how }: DecisionTarget & Pick<Decision, 'decision' | 'reason'>,
  ): Promise<Quote> =>
    locked.with(tenant, { id, accepts }, async (tx, quote) => {
      const decidedAt = now();
      if (quote.supersededBy !== null) throw quoteSuperseded();
      if (quote.status !== 'sent') throw quoteCannotMove(quote.status, how.decision);
      if (how.decision === 'accepted' && Date.parse(quote.validUntil) < decidedAt.getTime())
        throw quoteExpired();
      // The seller closes an offer to a customer who was erased.
      if (how.decision === 'accepted' || decider.userId === null) await customers.requireKept(tx, quote);
      const hash = contentHash(await documentOf(tx, id, readLarge));
      const decided = await repository.insert(tx, id, { ...decider, ...how, decidedAt, contentHash: hash });
      await audit.record(tx, {
        actorUserId: decider.userId,
        action: `quote.${how.decision}`,
        target: quoteTarget(id),
        details: { contentHash: hash.toString('hex') },
      });
      if (decider.userId === null) for (const follow of uponAnswer) await follow(tx, { quote: decided });
      return decided;
    });

  return {
    accept: (tenant, target) => decide(tenant, { ...target, decision: 'accepted', reason: null }),
    reject: (tenant, target) =>
      decide(tenant, { ...target, decision: 'rejected', reason: target.reason ?? null }),
    find: (rows, quoteId) => repository.find(rows, quoteId),
  };
}
