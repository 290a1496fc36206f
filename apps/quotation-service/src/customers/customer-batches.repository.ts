import type { FilledItem, Filling } from '@tenantry/service/files';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { NewCustomer } from './customer.ts';
import { firstWith } from './customers.repository.ts';

const insertMany = statement({
  name: 'customer-insert-many',
  text: `
    INSERT INTO customers (organization_id, id, name, email, address, vat_number)
    SELECT $1, uuidv7(), given.name, given.email, given.address, given.vat_number
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS given (name, email, address, vat_number)
    RETURNING id`,
});

const sameCustomers = statement({
  name: 'customers-the-same',
  text: `
    SELECT given.place::int AS place, found.id
    FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (email, vat_number, place)
    CROSS JOIN LATERAL (SELECT ${firstWith('given.email', 'given.vat_number')} AS id) AS found
    WHERE found.id IS NOT NULL`,
});

// In an order that all imports have, so that none waits for one that waits for it.
const lockMany = statement({
  name: 'customer-fill-lock',
  text: `
    SELECT id FROM customers WHERE organization_id = $1 AND erased_at IS NULL AND id = ANY ($2::uuid[])
    ORDER BY id FOR NO KEY UPDATE`,
});

const fillMany = statement({
  name: 'customer-fill-many',
  text: `
    UPDATE customers SET email = coalesce(customers.email, given.email),
      address = coalesce(customers.address, given.address),
      vat_number = coalesce(customers.vat_number, given.vat_number)
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS given (id, email, address, vat_number)
    WHERE customers.organization_id = $1 AND customers.id = given.id AND customers.erased_at IS NULL
      AND ((customers.email IS NULL AND given.email IS NOT NULL)
        OR (customers.address IS NULL AND given.address IS NOT NULL)
        OR (customers.vat_number IS NULL AND given.vat_number IS NOT NULL))
    RETURNING customers.id, new.version, old.email IS DISTINCT FROM new.email AS email,
      old.address IS DISTINCT FROM new.address AS address,
      old.vat_number IS DISTINCT FROM new.vat_number AS "vatNumber"`,
});

/** A list for each field. What PostgreSQL is given may be null, though it cannot say so. */
const listOf = (field: keyof NewCustomer, customers: readonly NewCustomer[]) =>
  customers.map((customer) => customer[field] ?? null) as string[];

/** Many customers at once. */
export class CustomerBatchRepository {
  /** Creates customers in one statement. */
  async insert(tx: Transaction, customers: readonly NewCustomer[]): Promise<readonly string[]> {
    const [names, emails] = [listOf('name', customers), listOf('email', customers)];
    const [addresses, vatNumbers] = [listOf('address', customers), listOf('vatNumber', customers)];
    return (await tx.query(insertMany, [names, emails, addresses, vatNumbers])).map(({ id }) => id);
  }

  /** The earliest customer with the e-mail address of each, or else with its VAT number, where there is one. */
  async same(rows: Rows, customers: readonly NewCustomer[]): Promise<readonly (string | undefined)[]> {
    if (customers.length === 0) return [];
    const found = await rows.query(sameCustomers, [
      listOf('email', customers),
      listOf('vatNumber', customers),
    ]);
    const byPlace = new Map(found.map(({ place, id }) => [place, id]));
    return customers.map((_, n) => byPlace.get(n + 1));
  }

  /** Fills what is empty of customers; each is named once. @returns those that had something empty */
  async fill(tx: Transaction, fillings: readonly Filling<NewCustomer>[]): Promise<readonly FilledItem[]> {
    if (fillings.length === 0) return [];
    const ids = fillings.map(({ id }) => id);
    const items = fillings.map(({ item }) => item);
    await tx.query(lockMany, [ids]);
    const lists = [listOf('email', items), listOf('address', items), listOf('vatNumber', items)] as const;
    const filled = await tx.query(fillMany, [ids, ...lists]);
    return filled.map(({ id, version, ...isFilled }) => ({
      ...{ id, version },
      fields: (['email', 'address', 'vatNumber'] as const).filter((field) => isFilled[field]),
    }));
  }
}
