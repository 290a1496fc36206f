import type { Page } from '@tenantry/service/business';
import { retryOnContention } from '@tenantry/service/failures';
import { changedFields, changesNothing, tidyVatNumber, type Precondition } from '@tenantry/service/resources';
import { customerTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Rows, Tenant, Transaction } from '../database.ts';
import {
  quotedFields,
  type Customer,
  type CustomerChanges,
  type CustomerListQuery,
  type NamedCustomer,
  type NewCustomer,
  type WrittenCustomer,
} from './customer.ts';
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
  /** Updates what drafts show of customers that have been stored. */
  readonly renameInDrafts: (tx: Transaction, ids: readonly string[]) => Promise<void>;
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

  create(
    { tenant, actor }: Context,
    given: NewCustomer,
  ): Promise<{ readonly id: string; readonly duplicateOf: string | null }> {
    const { repository, audit } = this.#options;
    const customer = tidied(given);
    return tenant.transaction(async (tx) => {
      const created = await repository.create(tx, customer);
      const target = customerTarget({ id: created.id, name: customer.name });
      await audit.record(tx, { actor, action: 'customer.created', target });
      return created;
    });
  }

  change(
    { tenant, actor }: Context,
    { id, accepts }: CustomerTarget,
    given: CustomerChanges,
  ): Promise<WrittenCustomer> {
    const { repository, audit } = this.#options;
    const changes = tidied(given);
    const isFoundBy = changes.email !== undefined || changes.vatNumber !== undefined;
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const before = await repository.findForUpdate(tx, id);
        if (!before) throw customerNotFound();
        if (!accepts(before.version)) throw customerChanged();
        const after = await this.#write(tx, before, changes);
        const subject = { actor, target: customerTarget(after) };
        await audit.recordChange(tx, { ...subject, action: 'customer.updated', before, after });
        return {
          customer: after,
          duplicateOf: isFoundBy ? await repository.duplicateOf(tx, after) : null,
        };
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
    if (changesNothing(before, changes)) return before;
    const customer = await repository.update(tx, { ...before, ...changes });
    const changed = changedFields(before, customer);
    if (quotedFields.some((field) => changed.includes(field))) await renameInDrafts(tx, [customer.id]);
    return customer;
  }
}

/** The fields as they are kept. @throws VALIDATION_ERROR for a VAT number that is none */
function tidied<Fields extends CustomerChanges>(fields: Fields): Fields {
  const { vatNumber } = fields;
  return vatNumber ? { ...fields, vatNumber: tidyVatNumber(vatNumber, 'vatNumber') } : fields;
}
