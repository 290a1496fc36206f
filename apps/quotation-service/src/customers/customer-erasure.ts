import { retryOnContention } from '@tenantry/service/failures';
import type { Chores, ScheduleWork } from '@tenantry/service/work';
import type { QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Transaction } from '../database.ts';
import type { Customer } from './customer.ts';
import type { CustomerErasureRepository } from './customer-erasure.repository.ts';
import type { CustomerTarget } from './customers.ts';
import { customerChanged, customerNotFound } from './customers.errors.ts';
import type { CustomerRepository } from './customers.repository.ts';

export interface CustomerErasureOptions {
  readonly customers: Pick<CustomerRepository, 'findForUpdate'>;
  readonly repository: CustomerErasureRepository;
  readonly schedule: ScheduleWork;
  readonly audit: QuotationAudit;
  /** Deletes the rows of a customer that imports left out. */
  readonly forgetLeftOutRows: (tx: Transaction, customer: Customer) => Promise<void>;
}

const kind = 'customer-erasure';

/**
 * Permanently erases a customer from an organization. Its quotes stay, with their numbers and sums, so that the seller's books
 * have no gaps. A customer with very many quotes is erased from a hundred immediately, and from the others within minutes.
 */
export class CustomerErasure {
  readonly #options: CustomerErasureOptions;

  constructor(options: CustomerErasureOptions) {
    this.#options = options;
  }

  /** Erases a customer. From then on nothing can be sent to it, and no quote created for it. */
  erase({ tenant, actor }: Context, { id, accepts }: CustomerTarget): Promise<void> {
    const { customers, repository, schedule, audit, forgetLeftOutRows } = this.#options;
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const customer = await customers.findForUpdate(tx, id);
        if (!customer) throw customerNotFound();
        if (!accepts(customer.version)) throw customerChanged();
        await repository.erase(tx, id);
        const left = await repository.eraseFromQuotes(tx, id);
        await repository.forgetResponses(tx, id);
        await forgetLeftOutRows(tx, customer);
        if (left !== undefined) await schedule(tx, { kind, id });
        await audit.forgetTarget(tx, id);
        await audit.record(tx, { actor, action: 'customer.erased', target: { type: 'customer', id } });
      }),
    );
  }

  /** The remaining work for customers with many quotes. */
  get chores(): Chores {
    const { repository } = this.#options;
    return {
      [kind]: {
        async work({ id }, { tenant, signal }) {
          let after: string | undefined;
          do {
            signal.throwIfAborted();
            const last = after;
            after = await retryOnContention(() =>
              tenant.transaction((tx) => repository.eraseFromQuotes(tx as Transaction, id, last)),
            );
          } while (after !== undefined);
          return 'done';
        },
      },
    };
  }
}
