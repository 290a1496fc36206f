import { foundIn, pageOf, pageText, suggestionsText, theOne, type Page } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { Customer, CustomerListQuery, NamedCustomer } from './customer.ts';

const columns = 'id, name, email, language, version, created_at AS "createdAt", updated_at AS "updatedAt"';

const kept = 'organization_id = $1 AND erased_at IS NULL';

const customerById = statement({
  name: 'customer-by-id',
  text: `SELECT ${columns} FROM customers WHERE ${kept} AND id = $2`,
});

const customerByIdForUpdate = statement({
  name: 'customer-by-id-for-update',
  text: `${customerById.text} FOR NO KEY UPDATE`,
});

const insertCustomer = statement({
  name: 'customer-insert',
  text: `
    INSERT INTO customers (organization_id, id, name, email) VALUES ($1, $2, $3, $4)
    ON CONFLICT (organization_id, id) DO NOTHING`,
});

const updateCustomer = statement({
  name: 'customer-update',
  text: `UPDATE customers SET name = $3, email = $4, language = $5 WHERE ${kept} AND id = $2 RETURNING ${columns}`,
});

const customerOfPage = `SELECT ${columns} FROM customers WHERE organization_id = $1 AND id = page.id LIMIT 1`;

function listText(direction: 'ASC' | 'DESC', search: string): string {
  const matches = `FROM customers WHERE ${kept} ${search}`;
  const total = `SELECT count(*) ${matches}`;
  return pageText({ columns: ['search_text', 'id'], direction }, { matches, total, item: customerOfPage });
}

const matching = `AND ${foundIn('search_text', '$4')}`;

const pages = {
  name: pageStatements('ASC'),
  '-name': pageStatements('DESC'),
};

function pageStatements(direction: 'ASC' | 'DESC') {
  const name = `customer-page-${direction.toLowerCase()}`;
  return {
    all: statement({ name, like: 'customer-page', text: listText(direction, '') }),
    searched: statement({
      name: `${name}-search`,
      like: 'customer-page-search',
      text: listText(direction, matching),
    }),
  };
}

/** Customers whose names begin with a text, in the order of their names; erased ones are not there. */
export const customerSuggestions = statement({
  name: 'customer-suggestions',
  text: suggestionsText({
    table: 'customers',
    key: 'id',
    text: 'search_text',
    kept: 'erased_at IS NULL',
    columns: 'id, name, email',
  }),
});

/** The customers of an organization, without erased ones. */
export class CustomerRepository {
  async list(rows: Rows, { page, pageSize, sort, search = '' }: CustomerListQuery): Promise<Page<Customer>> {
    const offset = (page - 1) * pageSize;
    const { all, searched } = pages[sort];
    return pageOf(
      search === ''
        ? await rows.query(all, [pageSize, offset])
        : await rows.query(searched, [pageSize, offset, search]),
    );
  }

  async find(rows: Rows, id: string): Promise<Customer | undefined> {
    return (await rows.query(customerById, [id]))[0];
  }

  /** Finds the customer, and locks it until the transaction ends. */
  async findForUpdate(tx: Transaction, id: string): Promise<Customer | undefined> {
    return (await tx.query(customerByIdForUpdate, [id]))[0];
  }

  /** Creates a customer unless it exists: another request may have created it meanwhile, or it was erased. */
  async insert(tx: Transaction, { id, name = '', email }: NamedCustomer): Promise<void> {
    await tx.query(insertCustomer, [id, name, email ?? null]);
  }

  /** Stores a customer, and returns it with its new version. */
  async update(
    tx: Transaction,
    { id, name, email, language }: Omit<Customer, 'version' | 'createdAt' | 'updatedAt'>,
  ): Promise<Customer> {
    return theOne(await tx.query(updateCustomer, [id, name, email, language]));
  }
}
