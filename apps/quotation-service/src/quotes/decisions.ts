import { userIdOf, type Actor } from '@tenantry/service/resources';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Outbox } from '@tenantry/service/work';
import type { Customers } from '../customers/customers.ts';
import type { AcceptedQuoteNews } from '../customers/leads.ts';
import type { Context, Rows, Transaction } from '../database.ts';
import type { DecisionRepository } from './decisions.repository.ts';
import type { ReadLarge } from './large-quotes.ts';
import type { LockedQuotes, QuoteTarget } from './locked-quotes.ts';
import { contentHash } from './quote-document.ts';
import { quoteCannotMove, quoteExpired, quoteSuperseded } from './quotes.errors.ts';
import type { Quotes } from './quotes.ts';
import type { Quote } from './quote.ts';
import type { Decider, Decision } from './decision.ts';

/** The quote to decide on, the accepted versions, and who decides. */
export interface DecisionTarget extends QuoteTarget {
  readonly decider: Decider;
  readonly readLarge: ReadLarge;
}

/** What notifies sellers of the decisions of their customers. */
export interface SellerNotices {
  /** Queues the notice, in the transaction of the decision. */
  queue(tx: Transaction, quote: Pick<Quote, 'id'>): Promise<void>;
}

export interface DecisionsOptions {
  readonly repository: DecisionRepository;
  readonly locked: LockedQuotes;
  readonly customers: Pick<Customers, 'requireKept'>;
  readonly quotes: Pick<Quotes, 'document'>;
  readonly audit: QuotationAudit;
  readonly notices: SellerNotices;
  /** Tells leads-service of accepted quotes. */
  readonly outbox: Pick<Outbox<{ readonly 'quote-accepted': AcceptedQuoteNews }>, 'put'>;
}

/**
 * Accepts and rejects sent quotes, by the seller or by the customer. The status is read under the lock, so of two concurrent
 * decisions one is refused.
 */
export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** @throws QUOTE_EXPIRED past validUntil, INVALID_TRANSITION if it is not sent, CONFLICT for a replaced revision. */
  accept(context: Context<Actor>, target: DecisionTarget): Promise<Quote> {
    return this.#decide(context, { ...target, decision: 'accepted', reason: null });
  }

  /** @throws INVALID_TRANSITION if it is not sent, CONFLICT for a replaced revision. */
  reject(
    context: Context<Actor>,
    target: DecisionTarget & { readonly reason?: string | undefined },
  ): Promise<Quote> {
    return this.#decide(context, { ...target, decision: 'rejected', reason: target.reason ?? null });
  }

  find(rows: Rows, quoteId: string): Promise<Decision | undefined> {
    return this.#options.repository.find(rows, quoteId);
  }

  #decide(
    { tenant, actor, now: decidedAt }: Context<Actor>,
    { id, accepts, decider, readLarge, ...how }: DecisionTarget & Pick<Decision, 'decision' | 'reason'>,
  ): Promise<Quote> {
    const { repository, locked, customers, quotes, audit, notices, outbox } = this.#options;
    return locked.with(tenant, { id, accepts }, async (tx, quote) => {
      const userId = userIdOf(actor);
      if (quote.supersededBy !== null) throw quoteSuperseded();
      if (quote.status !== 'sent') throw quoteCannotMove(quote.status, how.decision);
      if (how.decision === 'accepted' && Date.parse(quote.validUntil) < decidedAt.getTime())
        throw quoteExpired();
      // The seller may still close an offer to an erased customer.
      if (how.decision === 'accepted' || userId === null) await customers.requireKept(tx, quote);
      const hash = await contentHash(await quotes.document(tx, id, readLarge));
      const decision = { userId, ...decider, ...how, decidedAt, contentHash: hash };
      const decided = await repository.insert(tx, id, decision);
      await audit.record(tx, {
        actor,
        action: `quote.${how.decision}`,
        target: quoteTarget(quote),
        details: { contentHash: hash.toString('hex') },
      });
      if (userId === null) await notices.queue(tx, decided);
      if (how.decision === 'accepted') {
        const { customerId: leadId, number } = quote;
        const payload = { leadId, number, acceptedAt: decidedAt.toISOString() };
        await outbox.put(tx, { topic: 'quote-accepted', subjectId: id, payload });
      }
      return decided;
    });
  }
}
