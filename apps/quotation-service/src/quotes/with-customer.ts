import { retryOnContention } from '@tenantry/service-kit/failures';
import type { Customer, NamedCustomer } from '../customers/customer.ts';
import type { Customers } from '../customers/customers.ts';
import type { Tenant, Transaction } from '../database.ts';
import type { QuoteTarget, LockedQuotes } from './locked-quotes.ts';
import type { Quote } from './quote.ts';
import { quoteChanged, quoteNotFound } from './quotes.errors.ts';
import type { RevisionRepository } from './revisions.repository.ts';

/** The quote to work on, and updates of its customer. */
export type CustomerTarget = QuoteTarget & Pick<NamedCustomer, 'language'>;

/**
 * Runs `work` on a quote and its up-to-date customer, both locked.
 *
 * @throws CONFLICT where the customer was erased.
 */
export type WithCustomer = <Result>(
  tenant: Tenant,
  target: CustomerTarget,
  work: (tx: Transaction, quote: Quote, customer: Customer) => Promise<Result>,
) => Promise<Result>;

export interface WithCustomerOptions {
  readonly repository: Pick<RevisionRepository, 'customerIdOf'>;
  readonly locked: Pick<LockedQuotes, 'lock'>;
  readonly customers: Pick<Customers, 'remember'>;
}

export function createWithCustomer({ repository, locked, customers }: WithCustomerOptions): WithCustomer {
  return (tenant, { language, ...target }, work) =>
    retryOnContention(() =>
      tenant.transaction(async (tx) => {
        // Customers are locked before quotes, here as everywhere.
        const id = await repository.customerIdOf(tx, target.id);
        if (id === undefined) throw quoteNotFound();
        const customer = await customers.remember(tx, { id, language });
        const quote = await locked.lock(tx, target);
        if (quote.customerId !== id) throw quoteChanged();
        return work(tx, quote, customer);
      }),
    );
}
