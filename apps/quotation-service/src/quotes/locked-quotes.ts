import { invalidField } from '@tenantry/envelope';
import { limits, sumOf, totalsOf, type Totals } from '@tenantry/money';
import { retryOnContention, type Precondition } from '@tenantry/service-kit';
import type { Tenant, Transaction } from '../database.ts';
import type { Quote } from './quote.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';

/** Which quote is to be changed, and on which versions of it. */
export interface LockTarget {
  readonly id: string;
  readonly accepts: Precondition;
}

/** Which quote is to be changed, and by whom. */
export interface QuoteTarget extends LockTarget {
  readonly actorUserId: string;
}

/** What is done to a quote, and takes effect together. */
export type QuoteWork<Result> = (tx: Transaction, quote: Quote) => Promise<Result>;

/** Quotes that nobody else changes while work is done on them, nor their packages and lines. */
export interface LockedQuotes {
  /** Locks a quote in a transaction that has begun. Customers are locked before quotes, wherever both are. */
  lock(tx: Transaction, target: LockTarget): Promise<Quote>;
  /** The same of a draft: what was sent is frozen. */
  lockDraft(tx: Transaction, target: LockTarget): Promise<Quote>;
  /** Locks a quote in a transaction of its own, and runs `work` in it. */
  with<Result>(tenant: Tenant, target: LockTarget, work: QuoteWork<Result>): Promise<Result>;
  /** The same of a draft: what was sent is frozen. */
  withDraft<Result>(tenant: Tenant, target: LockTarget, work: QuoteWork<Result>): Promise<Result>;
  /** Adds an amount to the subtotal of a locked draft, a negative one too, and takes VAT and total of it. */
  addToSubtotal(tx: Transaction, quote: Quote, amount: number): Promise<Quote>;
}

/** Makes the lock on quotes. */
export function createLockedQuotes(
  repository: Pick<QuoteRepository, 'findForUpdate' | 'setTotals'>,
): LockedQuotes {
  async function lock(tx: Transaction, { id, accepts }: LockTarget): Promise<Quote> {
    const quote = await repository.findForUpdate(tx, id);
    if (!quote) throw quoteNotFound();
    if (!accepts(quote.version)) throw quoteChanged();
    return quote;
  }

  async function lockDraft(tx: Transaction, target: LockTarget): Promise<Quote> {
    const quote = await lock(tx, target);
    if (quote.status !== 'draft') throw quoteFrozen();
    return quote;
  }

  return {
    lock,
    lockDraft,

    with: (tenant, target, work) =>
      retryOnContention(() => tenant.transaction(async (tx) => work(tx, await lock(tx, target)))),

    withDraft: (tenant, target, work) =>
      retryOnContention(() => tenant.transaction(async (tx) => work(tx, await lockDraft(tx, target)))),

    async addToSubtotal(tx, quote, amount) {
      const totals = requireTotals(totalsOf(sumOf([quote.subtotal, amount]), quote), 'unitPrice');
      return repository.setTotals(tx, quote.id, totals);
    },
  };
}

/**
 * Lets totals pass that have 15 digits at most, which a JSON number carries exactly.
 *
 * @throws VALIDATION_ERROR naming the field that makes them too large.
 */
export function requireTotals(totals: Totals, field: string): Totals {
  const limit = limits.quoteTotalMax;
  if (totals.totalAmount <= limit) return totals;
  const message = `takes the total of the quote over ${limit.toLocaleString('en')}`;
  throw invalidField({ field, rule: 'quoteTotal', params: { limit }, message });
}
