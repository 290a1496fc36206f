import { invalidField } from '@tenantry/envelope';
import { limits, sumOf, totalsOf, type Totals } from '@tenantry/money';
import { retryOnContention } from '@tenantry/service/failures';
import type { Precondition } from '@tenantry/service/resources';
import type { Customer, NamedCustomer } from '../customers/customer.ts';
import type { Customers } from '../customers/customers.ts';
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

/** A quote whose text is counted. */
export type Counted = Quote & { readonly textBytes: number };

/** The differences that a change makes; negative for decreases. */
export interface Added {
  readonly amount: number;
  readonly text?: TextChange;
}

/** Locks quotes, with their packages and lines, for changes. */
export class LockedQuotes {
  readonly #repository: QuoteRepository;
  readonly #customers: Customers;

  constructor(repository: QuoteRepository, customers: Customers) {
    this.#repository = repository;
    this.#customers = customers;
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
  with<Result>(
    tenant: Tenant,
    target: QuoteTarget,
    work: (tx: Transaction, quote: Quote) => Promise<Result>,
  ): Promise<Result> {
    return retryOnContention(() => tenant.transaction(async (tx) => work(tx, await this.lock(tx, target))));
  }

  /** The same of a draft: what was sent is frozen. */
  withDraft<Result>(
    tenant: Tenant,
    target: QuoteTarget,
    work: (tx: Transaction, quote: Counted) => Promise<Result>,
  ): Promise<Result> {
    return retryOnContention(() =>
      tenant.transaction(async (tx) => work(tx, await this.lockDraft(tx, target))),
    );
  }

  /**
   * The same with the quote's customer, up to date and locked as well.
   *
   * @throws CONFLICT where the customer was erased.
   */
  withCustomer<Result>(
    tenant: Tenant,
    { language, ...target }: QuoteTarget & Pick<NamedCustomer, 'language'>,
    work: (tx: Transaction, quote: Quote, customer: Customer) => Promise<Result>,
  ): Promise<Result> {
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        // Customers are locked before quotes, here as everywhere.
        const id = await this.#repository.customerIdOf(tx, target.id);
        if (id === undefined) throw quoteNotFound();
        const customer = await this.#customers.remember(tx, { id, language });
        const quote = await this.lock(tx, target);
        if (quote.customerId !== id) throw quoteChanged();
        return work(tx, quote, customer);
      }),
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
