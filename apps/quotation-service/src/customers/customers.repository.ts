import {
  foundIn,
  foundPageText,
  pageOf,
  pageText,
  suggestionsText,
  theOne,
  type Page,
} from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import {
  customerFields,
  type Customer,
  type CustomerFields,
  type CustomerListQuery,
  type NamedCustomer,
  type NewCustomer,
} from './customer.ts';

/** The columns of {@link customerFields}. */
const columnNames = customerFields.map((field) => (field === 'vatNumber' ? 'vat_number' : field));

const columns = `id, ${customerFields.map((field, at) => `${columnNames[at]} AS "${field}"`).join(', ')}, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

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
  text: `
    UPDATE customers SET ${columnNames.map((name, at) => `${name} = $${at + 3}`).join(', ')}
    WHERE ${kept} AND id = $2 RETURNING ${columns}`,
});

// Folded in a query of its own: under row-level security no index is asked for what a comparison computes.
/** The earliest customer with an e-mail address, or else with a VAT number. */
export const firstWith = (email: string, vatNumber: string, others = ''): string => `coalesce((
      SELECT id FROM customers WHERE ${kept} AND folded_email = (SELECT app.fold_text(${email})) ${others}
      ORDER BY folded_email, id LIMIT 1
    ), (
      SELECT id FROM customers WHERE ${kept} AND vat_number = ${vatNumber} ${others} ORDER BY vat_number, id LIMIT 1
    ))`;

const createCustomer = statement({
  name: 'customer-create',
  text: `
    INSERT INTO customers (organization_id, id, ${columnNames.join(', ')})
    VALUES ($1, uuidv7(), ${columnNames.map((_, at) => `$${at + 2}`).join(', ')})
    RETURNING id, ${firstWith('$3', '$5')} AS "duplicateOf"`,
});

const duplicateOfCustomer = statement({
  name: 'customer-duplicate',
  text: `SELECT ${firstWith('$3', '$4', 'AND id <> $2')} AS id`,
});

const customerOfPage = `SELECT ${columns} FROM customers WHERE organization_id = $1 AND id = page.id LIMIT 1`;

const listed = `FROM customers WHERE ${kept}`;
const matching = `AND ${foundIn('search_text', '$4')}`;

const pages = {
  en: { name: pagesInEnglish('ASC'), '-name': pagesInEnglish('DESC') },
  sv: { name: pagesInSwedish('ASC'), '-name': pagesInSwedish('DESC') },
};

type Direction = 'ASC' | 'DESC';

/** By name and what follows it in the text that is searched, which is without accents. */
function pagesInEnglish(direction: Direction) {
  const order = { columns: ['search_text', 'id'], direction };
  const textOf = (matches: string) =>
    pageText(order, { matches, total: `SELECT count(*) ${matches}`, item: customerOfPage });
  return pageStatements(`customer-page-${direction.toLowerCase()}`, {
    all: textOf(listed),
    searched: textOf(`${listed} ${matching}`),
  });
}

/** By an expression of the name, which has an index of its own. What is found is read from that of the text, and then ordered. */
function pagesInSwedish(direction: Direction) {
  const order = { columns: ['swedish', 'id'], direction };
  const keys = `SELECT app.swedish_order(name) AS swedish, id ${listed}`;
  const total = `SELECT count(*) ${listed}`;
  return pageStatements(`customer-page-sv-${direction.toLowerCase()}`, {
    all: pageText(order, { matches: `FROM (${keys}) AS candidates`, total, item: customerOfPage }),
    searched: foundPageText(order, {
      matches: `FROM (${keys} ${matching}) AS candidates`,
      item: customerOfPage,
    }),
  });
}

function pageStatements(
  name: string,
  { all, searched }: { readonly all: string; readonly searched: string },
) {
  return {
    all: statement({ name, like: 'customer-page', text: all }),
    searched: statement({ name: `${name}-search`, like: 'customer-page-search', text: searched }),
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
  async list(
    rows: Rows,
    { page, pageSize, sort, language, search = '' }: CustomerListQuery,
  ): Promise<Page<Customer>> {
    const offset = (page - 1) * pageSize;
    const { all, searched } = pages[language][sort];
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
    { id, ...fields }: CustomerFields & { readonly id: string },
  ): Promise<Customer> {
    return theOne(await tx.query(updateCustomer, [id, ...valuesOf(fields)]));
  }

  /** Creates a customer under an id of its own. */
  async create(tx: Transaction, customer: NewCustomer): Promise<{ id: string; duplicateOf: string | null }> {
    const { name, email = null, address = null, vatNumber = null, language = null } = customer;
    return theOne(await tx.query(createCustomer, valuesOf({ name, email, address, vatNumber, language })));
  }

  /** The earliest other customer with the e-mail address, or else with the VAT number, of this one. */
  async duplicateOf(rows: Rows, { id, email, vatNumber }: Customer): Promise<string | null> {
    return theOne(await rows.query(duplicateOfCustomer, [id, email ?? '', vatNumber ?? ''])).id;
  }
}

/** In the order of {@link customerFields}. */
const valuesOf = ({ name, email, address, vatNumber, language }: CustomerFields) =>
  [name, email, address, vatNumber, language] as const;
