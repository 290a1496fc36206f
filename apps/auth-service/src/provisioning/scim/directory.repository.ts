import { statement, type OrganizationRows, type Transaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';
import type { Values } from './attributes.ts';
import type { UserFilter, Window } from './filter.ts';
import { userNameKey, type Said } from './users.ts';

type Row = Statements['directory-person']['row'];

/** Somebody whom a directory provisions. `active` is what holds here, whoever decided it. */
export interface Person extends Omit<Row, 'attributes'> {
  readonly attributes: Values;
}

/** The account behind an address or an id, and how it stands to the organization and to the directory. */
export type Account = Statements['directory-account']['row'];

interface Whose {
  readonly connectionId: string;
  readonly userId: string;
}

const columns = `d.user_id AS "userId", d.user_name AS "userName", d.external_id AS "externalId", d.attributes,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt", u.disabled_at IS NULL AND EXISTS (
    SELECT FROM members m WHERE m.organization_id = $1 AND m.user_id = d.user_id) AS active`;

const person = statement({
  name: 'directory-person',
  text: `
    SELECT ${columns} FROM directory_people d JOIN users u ON u.id = d.user_id
    WHERE d.organization_id = $1 AND d.connection_id = $2 AND d.user_id = $3`,
});

const personByUserName = statement({
  name: 'directory-person-by-user-name',
  text: `
    SELECT ${columns} FROM directory_people d JOIN users u ON u.id = d.user_id
    WHERE d.organization_id = $1 AND d.connection_id = $2 AND d.user_name_key = $3`,
});

const peopleByExternalId = statement({
  name: 'directory-people-by-external-id',
  text: `
    SELECT ${columns} FROM directory_people d JOIN users u ON u.id = d.user_id
    WHERE d.organization_id = $1 AND d.connection_id = $2 AND d.external_id = $3 ORDER BY d.user_id LIMIT $4`,
});

const people = statement({
  name: 'directory-people',
  text: `
    SELECT ${columns} FROM directory_people d JOIN users u ON u.id = d.user_id
    WHERE d.organization_id = $1 AND d.connection_id = $2 ORDER BY d.user_id LIMIT $3 OFFSET $4`,
});

const countPeople = statement({
  name: 'directory-people-count',
  text: `
    SELECT count(*)::int AS people FROM directory_people WHERE organization_id = $1 AND connection_id = $2`,
});

const insertPerson = statement({
  name: 'directory-person-insert',
  text: `
    INSERT INTO directory_people
      (organization_id, connection_id, user_id, user_name, user_name_key, external_id, attributes, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
});

const updatePerson = statement({
  name: 'directory-person-update',
  text: `
    UPDATE directory_people SET user_name = $4, user_name_key = $5, external_id = $6, attributes = $7, updated_at = $8
    WHERE organization_id = $1 AND connection_id = $2 AND user_id = $3`,
});

const removePerson = statement({
  name: 'directory-person-remove',
  text: 'DELETE FROM directory_people WHERE organization_id = $1 AND connection_id = $2 AND user_id = $3',
});

const accountColumns = ` u.id AS "userId", u.email, u.disabled_at IS NOT NULL AS disabled,
      coalesce(u.disabled_by_organization_id = $1, false) AS "disabledHere",
      u.email_verified_at IS NOT NULL AS verified, u.awaits_confirmation AS awaits,
      coalesce(u.created_by_organization_id = $1, false) AS made, m.role, EXISTS (
        SELECT FROM members o JOIN users v ON v.id = o.user_id
        WHERE o.organization_id = $1 AND o.role = 'owner' AND o.user_id <> u.id AND v.disabled_at IS NULL) AS "otherOwners",
      EXISTS (
        SELECT FROM connection_identities i
        WHERE i.organization_id = $1 AND i.connection_id = $2 AND i.user_id = u.id AND i.is_own) AS "isLinked",
      EXISTS (
        SELECT FROM directory_people d
        WHERE d.organization_id = $1 AND d.connection_id = $2 AND d.user_id = u.id) AS "isKnown"
    FROM users u LEFT JOIN members m ON m.organization_id = $1 AND m.user_id = u.id`;

const account = statement({
  name: 'directory-account',
  text: `SELECT ${accountColumns} WHERE u.id = $3`,
});

const accountByEmail = statement({
  name: 'directory-account-by-email',
  text: `SELECT ${accountColumns} WHERE u.email = $3`,
});

/** Stores whom directories provision; the organization is that of the scope. */
export class DirectoryRepository {
  async find(rows: OrganizationRows, { connectionId, userId }: Whose): Promise<Person | undefined> {
    return (await rows.query(person, [connectionId, userId])).map(personOf)[0];
  }

  async findByUserName(
    rows: OrganizationRows,
    connectionId: string,
    userName: string,
  ): Promise<Person | undefined> {
    return (await rows.query(personByUserName, [connectionId, userNameKey(userName)])).map(personOf)[0];
  }

  /** Whom a filter finds, with how many there are. */
  async list(
    rows: OrganizationRows,
    connectionId: string,
    { filter, startIndex, count }: Window & { readonly filter?: UserFilter | undefined },
  ): Promise<{ readonly total: number; readonly people: readonly Person[] }> {
    const offset = startIndex - 1;
    if (filter) {
      const found = await this.#found(rows, connectionId, filter);
      return { total: found.length, people: found.slice(offset, offset + count) };
    }
    const [[counted], page] = await Promise.all([
      rows.query(countPeople, [connectionId]),
      rows.query(people, [connectionId, count, offset]),
    ]);
    return { total: counted?.people ?? 0, people: page.map(personOf) };
  }

  async count(rows: OrganizationRows, connectionId: string): Promise<number> {
    return (await rows.query(countPeople, [connectionId]))[0]?.people ?? 0;
  }

  async insert(tx: Transaction, { connectionId, userId }: Whose, said: Said, at: Date): Promise<void> {
    await tx.query(insertPerson, [connectionId, userId, ...saidColumns(said), at]);
  }

  async update(tx: Transaction, { connectionId, userId }: Whose, said: Said, at: Date): Promise<void> {
    await tx.query(updatePerson, [connectionId, userId, ...saidColumns(said), at]);
  }

  async remove(tx: Transaction, { connectionId, userId }: Whose): Promise<void> {
    await tx.query(removePerson, [connectionId, userId]);
  }

  async account(rows: OrganizationRows, { connectionId, userId }: Whose): Promise<Account | undefined> {
    return (await rows.query(account, [connectionId, userId]))[0];
  }

  async accountByEmail(
    rows: OrganizationRows,
    connectionId: string,
    email: string,
  ): Promise<Account | undefined> {
    return (await rows.query(accountByEmail, [connectionId, email]))[0];
  }

  async #found(rows: OrganizationRows, connectionId: string, { by, value }: UserFilter): Promise<Person[]> {
    if (by === 'userName') {
      const found = await this.findByUserName(rows, connectionId, value);
      return found ? [found] : [];
    }
    return (await rows.query(peopleByExternalId, [connectionId, value, externalIdsMax])).map(personOf);
  }
}

/** The most people of one external id that are found: a directory gives it to one. */
const externalIdsMax = 200;

const saidColumns = ({ userName, externalId, attributes }: Said) =>
  [userName, userNameKey(userName), externalId, JSON.stringify(attributes)] as const;

const personOf = (row: Row): Person => ({ ...row, attributes: row.attributes as Values });
