import { invalidField } from '@tenantry/envelope';
import { limits, sumOf, totalsOf, type Totals } from '@tenantry/money';
import { retryOnContention } from '@tenantry/service-kit/failures';
import type { Precondition } from '@tenantry/service-kit/resources';
import type { Tenant, Transaction } from '../database.ts';
import { bytesAfter, type TextChange } from './quote-text.ts';
import type { Quote } from './quote.ts';
import { quoteChanged, quoteFrozen, quoteNotFound } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';

/** The quote to change, and the accepted versions of it. */
export interface QuoteTarget {
  readonly id: string;
  readonly accepts: Precondition;
}

/** Work on a locked quote, in its transaction. */
export type QuoteWork<Result> = (tx: Transaction, quote: Quote) => Promise<Result>;

/** A quote whose text is counted. */
export type Counted = Quote & { readonly textBytes: number };

/** The same as {@link QuoteWork} of a draft. */
export type DraftWork<Result> = (tx: Transaction, quote: Counted) => Promise<Result>;

/** The differences that a change makes; negative for decreases. */
export interface Added {
  readonly amount: number;
  readonly text?: TextChange;
}

/** Locks quotes, with their packages and lines, for changes. */
export class LockedQuotes {
  readonly #repository: Pick<QuoteRepository, 'findForUpdate' | 'countText' | 'setSums'>;

  constructor(repository: Pick<QuoteRepository, 'findForUpdate' | 'countText' | 'setSums'>) {
    this.#repository = repository;
  }

  /** Locks a quote in a transaction that has begun. Customers are always locked before quotes. */
  async lock(tx: Transaction, { id, accepts }: QuoteTarget): Promise<Quote> {
    const quote = await this.#repository.findForUpdate(tx, id);
    if (!quote) throw quoteNotFound();
    if (!accepts(quote.version)) throw quoteChanged();
    return quote;
  }

  /** The same of a draft, with its text counted: what was sent is frozen. */
  async lockDraft(tx: Transaction, target: QuoteTarget): Promise<Counted> {
    const quote = await this.lock(tx, target);
    if (quote.status !== 'draft') throw quoteFrozen();
    return this.count(tx, quote);
  }

  /** Counts the text of a locked quote, if unknown. */
  async count(tx: Transaction, quote: Quote): Promise<Counted> {
    return {
      ...quote,
      textBytes: quote.textBytes ?? (await this.#repository.countText(tx, quote.id)),
    };
  }

  /** Locks a quote in a transaction of its own, and runs `work` in it. */
  with<Result>(tenant: Tenant, target: QuoteTarget, work: QuoteWork<Result>): Promise<Result> {
    return retryOnContention(() => tenant.transaction(async (tx) => work(tx, await this.lock(tx, target))));
  }

  /** The same of a draft: what was sent is frozen. */
  withDraft<Result>(tenant: Tenant, target: QuoteTarget, work: DraftWork<Result>): Promise<Result> {
    return retryOnContention(() =>
      tenant.transaction(async (tx) => work(tx, await this.lockDraft(tx, target))),
    );
  }

  /** Adds to the sums of a locked draft: computes VAT and total from the new subtotal, and refuses too much text. */
  async addToSums(tx: Transaction, quote: Counted, { amount, text }: Added): Promise<Quote> {
    const totals = requireTotals(totalsOf(sumOf([quote.subtotal, amount]), quote), 'unitPrice');
    const textBytes = text ? bytesAfter(quote.textBytes, text) : quote.textBytes;
    return this.#repository.setSums(tx, quote.id, { ...totals, textBytes });
  }
}

/**
 * Checks that totals have at most 15 digits, which a JSON number represents exactly.
 *
 * @throws VALIDATION_ERROR naming the field that makes them too large.
 */
export function requireTotals(totals: Totals, field: string): Totals {
  const limit = limits.quoteTotalMax;
  if (totals.totalAmount <= limit) return totals;
  const message = `takes the total of the quote over ${limit.toLocaleString('en')}`;
  throw invalidField({ field, rule: 'quoteTotal', params: { limit }, message });
}
