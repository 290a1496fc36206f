import { retryOnContention } from '@tenantry/service-kit/failures';
import type { Precondition } from '@tenantry/service-kit/resources';
import { customerTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Rows, Tenant, Transaction } from '../database.ts';
import type {
  Customer,
  CustomerChanges,
  CustomerListQuery,
  CustomerPage,
  NamedCustomer,
} from './customer.ts';
import { customerChanged, customerErased, customerNotFound } from './customers.errors.ts';
import type { CustomerRepository } from './customers.repository.ts';
import type { FindLead } from './leads.ts';

/** What can be done with the customers of an organization. */
export interface Customers {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: CustomerListQuery): Promise<CustomerPage>;
  get(tenant: Tenant, id: string): Promise<Customer>;
  change(context: Context, change: CustomerChange): Promise<Customer>;
  /**
   * Asks leads-service for the name of a customer that comes without one and is not known: the id may be a lead's.
   * Outside of every transaction, since it may take 300 ms.
   *
   * @param authorization the caller's header, by which leads-service tells what they may see
   */
  identify(rows: Rows, customer: NamedCustomer, authorization: string | undefined): Promise<NamedCustomer>;
  /**
   * The customer of a quote, made where it is new; locked until the transaction ends.
   *
   * @throws CONFLICT where it was erased.
   */
  lock(tx: Transaction, customer: NamedCustomer): Promise<Customer>;
  /** Changes a locked customer by what is said of it beside a quote, and renames it in its drafts. */
  learn(tx: Transaction, locked: Customer, customer: NamedCustomer): Promise<Customer>;
  /** Both at once. @throws CONFLICT where it was erased. */
  remember(tx: Transaction, customer: NamedCustomer): Promise<Customer>;
  /**
   * Lets a quote pass that is locked, unless its customer was erased: nothing is sent to it, and nothing taken from it.
   *
   * @throws CONFLICT where it was.
   */
  requireKept(tx: Transaction, quote: { readonly customerId: string }): Promise<void>;
}

/** A change of a customer. */
export interface CustomerChange {
  readonly id: string;
  /** On which versions it may be made. */
  readonly accepts: Precondition;
  readonly changes: CustomerChanges;
}

/** What the use cases of customers need. */
export interface CustomersOptions {
  readonly repository: CustomerRepository;
  readonly findLead: FindLead;
  readonly audit: QuotationAudit;
  /** Drafts call a customer by its present name. */
  readonly renameInDrafts: (tx: Transaction, customer: Customer) => Promise<void>;
}

export function createCustomers({
  repository,
  findLead,
  renameInDrafts,
  audit,
}: CustomersOptions): Customers {
  async function write(tx: Transaction, before: Customer, changes: CustomerChanges): Promise<Customer> {
    const { id, name, email, language } = { ...before, ...changes };
    const isRenamed = name !== before.name || email !== before.email;
    if (!isRenamed && language === before.language) return before;
    const customer = await repository.update(tx, { id, name, email, language });
    if (isRenamed) await renameInDrafts(tx, customer);
    return customer;
  }

  async function lock(tx: Transaction, { id, lead, ...named }: NamedCustomer): Promise<Customer> {
    const known = await repository.findForUpdate(tx, id);
    if (known) return known;
    const { name = lead?.name, email = lead?.email } = named;
    await repository.insert(tx, { id, name, email });
    // Another request may have made it in the meantime.
    const made = await repository.findForUpdate(tx, id);
    if (!made) throw customerErased();
    return made;
  }

  async function learn(tx: Transaction, known: Customer, customer: NamedCustomer): Promise<Customer> {
    const { lead, language } = customer;
    const name = customer.name ?? (known.name === '' ? lead?.name : undefined);
    const email = customer.email ?? known.email ?? lead?.email;
    return write(tx, known, {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(language && { language }),
    });
  }

  return {
    list: (tenant, query) => repository.list(tenant, query),

    async get(tenant, id) {
      const customer = await repository.find(tenant, id);
      if (!customer) throw customerNotFound();
      return customer;
    },

    change: ({ tenant, actor }, { id, accepts, changes }) =>
      retryOnContention(() =>
        tenant.transaction(async (tx) => {
          const before = await repository.findForUpdate(tx, id);
          if (!before) throw customerNotFound();
          if (!accepts(before.version)) throw customerChanged();
          const after = await write(tx, before, changes);
          const change = { before, after, fields: ['name', 'email', 'language'] } as const;
          const subject = { actor, target: customerTarget(after) };
          await audit.recordChange(tx, { ...subject, action: 'customer.updated', ...change });
          return after;
        }),
      ),

    async identify(rows, customer, authorization) {
      if (customer.name !== undefined || authorization === undefined) return customer;
      const known = await repository.find(rows, customer.id);
      if (known && known.name !== '') return customer;
      const lead = await findLead(customer.id, authorization);
      return { ...customer, lead };
    },

    lock,
    learn,
    remember: async (tx, customer) => learn(tx, await lock(tx, customer), customer),

    async requireKept(tx, { customerId }) {
      if (!(await repository.find(tx, customerId))) throw customerErased();
    },
  };
}
