import { userIdOf, type Actor } from '@tenantry/service-kit/resources';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Context, Rows, Transaction } from '../database.ts';
import type { DecisionRepository } from './decisions.repository.ts';
import type { ReadLarge } from './large-quotes.ts';
import type { LockedQuotes, QuoteTarget } from './locked-quotes.ts';
import { contentHash, type QuoteDocument } from './quote-document.ts';
import { quoteCannotMove, quoteExpired, quoteSuperseded } from './quotes.errors.ts';
import type { Quote } from './quote.ts';
import type { Decider, Decision } from './decision.ts';

/** Which quote is decided on, on which versions of it, and by whom. */
export interface DecisionTarget extends QuoteTarget {
  readonly decider: Decider;
  readonly readLarge: ReadLarge;
}

/** Accepting and rejecting what was sent, by the seller or by the customer. */
export interface Decisions {
  /** @throws QUOTE_EXPIRED past validUntil, INVALID_TRANSITION of what is not sent, CONFLICT of a replaced revision. */
  accept(context: Context<Actor>, target: DecisionTarget): Promise<Quote>;
  /** @throws INVALID_TRANSITION of what is not sent, CONFLICT of a replaced revision. */
  reject(
    context: Context<Actor>,
    target: DecisionTarget & { readonly reason?: string | undefined },
  ): Promise<Quote>;
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
  readonly uponAnswer: UponAnswer;
}

/** Makes the use cases of deciding. Each looks at the status under the lock: of two at once, one is refused. */
export function createDecisions(options: DecisionsOptions): Decisions {
  const { repository, locked, customers, documentOf, audit, uponAnswer } = options;

  const decide = (
    { tenant, actor, now: decidedAt }: Context<Actor>,
    { id, accepts, decider, readLarge, ...how }: DecisionTarget & Pick<Decision, 'decision' | 'reason'>,
  ): Promise<Quote> =>
    locked.with(tenant, { id, accepts }, async (tx, quote) => {
      const userId = userIdOf(actor);
      if (quote.supersededBy !== null) throw quoteSuperseded();
      if (quote.status !== 'sent') throw quoteCannotMove(quote.status, how.decision);
      if (how.decision === 'accepted' && Date.parse(quote.validUntil) < decidedAt.getTime())
        throw quoteExpired();
      // The seller closes an offer to a customer who was erased.
      if (how.decision === 'accepted' || userId === null) await customers.requireKept(tx, quote);
      const hash = contentHash(await documentOf(tx, id, readLarge));
      const decision = { userId, ...decider, ...how, decidedAt, contentHash: hash };
      const decided = await repository.insert(tx, id, decision);
      await audit.record(tx, {
        actor,
        action: `quote.${how.decision}`,
        target: quoteTarget(quote),
        details: { contentHash: hash.toString('hex') },
      });
      if (userId === null) await uponAnswer(tx, { quote: decided });
      return decided;
    });

  return {
    accept: (context, target) => decide(context, { ...target, decision: 'accepted', reason: null }),
    reject: (context, target) =>
      decide(context, { ...target, decision: 'rejected', reason: target.reason ?? null }),
    find: (rows, quoteId) => repository.find(rows, quoteId),
  };
}
