import { invalidField } from '@tenantry/envelope';
import { limits, sumOf, totalsOf } from '@tenantry/money';
import { retryOnContention, type Precondition } from '@tenantry/service-kit';
import type { Tenant, Transaction } from '../database.ts';
import type { Quote } from './quote.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';

/** Which quote is to be changed, on which versions of it, and by whom. */
export interface QuoteTarget {
  readonly id: string;
  readonly accepts: Precondition;
  readonly actorUserId: string;
}

/** What is done to a quote, and takes effect together. */
export type QuoteWork<Result> = (tx: Transaction, quote: Quote) => Promise<Result>;

/** Quotes that nobody else changes while work is done on them, nor their packages and lines. */
export interface LockedQuotes {
  with<Result>(tenant: Tenant, target: QuoteTarget, work: QuoteWork<Result>): Promise<Result>;
  /** The same of a draft: what was sent is frozen. */
  withDraft<Result>(tenant: Tenant, target: QuoteTarget, work: QuoteWork<Result>): Promise<Result>;
  /** Adds an amount to the subtotal of a locked draft, a negative one too, and takes VAT and total of it. */
  addToSubtotal(tx: Transaction, quote: Quote, amount: number): Promise<Quote>;
}

/** Makes the lock on quotes. */
export function createLockedQuotes(
  repository: Pick<QuoteRepository, 'findForUpdate' | 'setTotals'>,
): LockedQuotes {
  const locked: LockedQuotes = {
    with: (tenant, { id, accepts }, work) =>
      retryOnContention(() =>
        tenant.transaction(async (tx) => {
          const quote = await repository.findForUpdate(tx, id);
          if (!quote) throw quoteNotFound();
          if (!accepts(quote.version)) throw quoteChanged();
          return work(tx, quote);
        }),
      ),

    withDraft: (tenant, target, work) =>
      locked.with(tenant, target, (tx, quote) => {
        if (quote.status !== 'draft') throw quoteFrozen();
        return work(tx, quote);
      }),

    async addToSubtotal(tx, quote, amount) {
      const totals = totalsOf(sumOf([quote.subtotal, amount]), quote);
      if (totals.totalAmount > limits.quoteTotalMax) throw quoteTooLarge();
      return repository.setTotals(tx, quote.id, totals);
    },
  };
  return locked;
}

/** A quote's total has 15 digits at most, which a JSON number carries exactly. */
const quoteTooLarge = () => {
  const limit = limits.quoteTotalMax;
  const message = `takes the total of the quote over ${limit.toLocaleString('en')}`;
  return invalidField({ field: 'unitPrice', rule: 'quoteTotal', params: { limit }, message });
};
