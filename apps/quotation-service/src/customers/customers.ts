import type { Page } from '@tenantry/service/business';
import { retryOnContention } from '@tenantry/service/failures';
import type { Precondition } from '@tenantry/service/resources';
import { customerTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Rows, Tenant, Transaction } from '../database.ts';
import type { Customer, CustomerChanges, CustomerListQuery, NamedCustomer } from './customer.ts';
import { customerChanged, customerErased, customerNotFound } from './customers.errors.ts';
import type { CustomerRepository } from './customers.repository.ts';
import type { FindLead } from './leads.ts';

/** The customer to change or erase, and the accepted versions of it. */
export interface CustomerTarget {
  readonly id: string;
  readonly accepts: Precondition;
}

export interface CustomersOptions {
  readonly repository: CustomerRepository;
  readonly findLead: FindLead;
  readonly audit: QuotationAudit;
  /** Updates a customer's name in drafts. */
  readonly renameInDrafts: (tx: Transaction, customer: Customer) => Promise<void>;
}

/** The use cases of customers. */
export class Customers {
  readonly #options: CustomersOptions;

  constructor(options: CustomersOptions) {
    this.#options = options;
  }

  /** One page, with the exact total. */
  list(tenant: Tenant, query: CustomerListQuery): Promise<Page<Customer>> {
    return this.#options.repository.list(tenant, query);
  }

  async get(tenant: Tenant, id: string): Promise<Customer> {
    const customer = await this.#options.repository.find(tenant, id);
    if (!customer) throw customerNotFound();
    return customer;
  }

  change(
    { tenant, actor }: Context,
    { id, accepts }: CustomerTarget,
    changes: CustomerChanges,
  ): Promise<Customer> {
    const { repository, audit } = this.#options;
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const before = await repository.findForUpdate(tx, id);
        if (!before) throw customerNotFound();
        if (!accepts(before.version)) throw customerChanged();
        const after = await this.#write(tx, before, changes);
        const subject = { actor, target: customerTarget(after) };
        await audit.recordChange(tx, { ...subject, action: 'customer.updated', before, after });
        return after;
      }),
    );
  }

  /**
   * Asks leads-service for the name of an unknown customer without one, since its id may be a lead's. Call it outside of
   * transactions: it may take 300 ms.
   *
   * @param authorization the caller's header, by which leads-service decides what they may see
   */
  async identify(
    rows: Rows,
    customer: NamedCustomer,
    authorization: string | undefined,
  ): Promise<NamedCustomer> {
    const { repository, findLead } = this.#options;
    if (customer.name !== undefined || authorization === undefined) return customer;
    const known = await repository.find(rows, customer.id);
    if (known && known.name !== '') return customer;
    const lead = await findLead(customer.id, authorization);
    return { ...customer, lead };
  }

  /**
   * The customer of a quote, created if new; locked until the transaction ends.
   *
   * @throws CONFLICT where it was erased.
   */
  async lock(tx: Transaction, { id, lead, ...named }: NamedCustomer): Promise<Customer> {
    const { repository } = this.#options;
    const known = await repository.findForUpdate(tx, id);
    if (known) return known;
    const { name = lead?.name, email = lead?.email } = named;
    await repository.insert(tx, { id, name, email });
    // Another request may have created it meanwhile.
    const made = await repository.findForUpdate(tx, id);
    if (!made) throw customerErased();
    return made;
  }

  /** Updates a locked customer from a request about a quote, and renames it in its drafts. */
  async learn(tx: Transaction, known: Customer, customer: NamedCustomer): Promise<Customer> {
    const { lead, language } = customer;
    const name = customer.name ?? (known.name === '' ? lead?.name : undefined);
    const email = customer.email ?? known.email ?? lead?.email;
    return this.#write(tx, known, {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(language && { language }),
    });
  }

  /** Both at once. @throws CONFLICT where it was erased. */
  async remember(tx: Transaction, customer: NamedCustomer): Promise<Customer> {
    return this.learn(tx, await this.lock(tx, customer), customer);
  }

  /**
   * Checks that the customer of a locked quote was not erased: nothing may be sent to it, or accepted from it.
   *
   * @throws CONFLICT where it was.
   */
  async requireKept(tx: Transaction, { customerId }: { readonly customerId: string }): Promise<void> {
    if (!(await this.#options.repository.find(tx, customerId))) throw customerErased();
  }

  async #write(tx: Transaction, before: Customer, changes: CustomerChanges): Promise<Customer> {
    const { repository, renameInDrafts } = this.#options;
    const { id, name, email, language } = { ...before, ...changes };
    const isRenamed = name !== before.name || email !== before.email;
    if (!isRenamed && language === before.language) return before;
    const customer = await repository.update(tx, { id, name, email, language });
    if (isRenamed) await renameInDrafts(tx, customer);
    return customer;
  }
}
