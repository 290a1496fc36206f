import { statement, unscopedStatement, type Rows, type Transaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';
import { made, makerColumns, type Maker } from '../makers.ts';

/** Whether people with an address in a domain may become members by themselves. */
export type Joins = 'nobody' | 'member';

/** A domain as it is stored: when it was read last and how often it was missing, while the organization has proven it. */
export type StoredDomain = Omit<Statements['domains']['row'], 'createdBy' | 'createdByName'> & {
  readonly createdBy: Maker;
};

/** A domain that is about to be added. */
interface NewDomain {
  readonly id: string;
  /** In A-labels and lower case. */
  readonly domain: string;
  readonly challenge: string;
  readonly joins: Joins;
  readonly createdBy: string;
  readonly at: Date;
}

/** A domain that was just read, and when it is read again. */
interface Reading {
  /** That of the scope. */
  readonly organizationId: string;
  readonly domain: string;
  readonly at: Date;
  readonly dueAt: Date;
}

const domains = statement({
  name: 'domains',
  times: 'text',
  text: `
    SELECT d.id, d.domain, d.challenge, d.joins, d.verified_at AS "verifiedAt", d.suspended_at AS "suspendedAt",
      ${makerColumns('d')}, d.created_at AS "createdAt", k.read_at AS "readAt", k.misses
    FROM domains d LEFT JOIN domain_keys k ON k.organization = d.organization_id AND k.domain = d.domain
    WHERE d.organization_id = $1 AND ($2::uuid IS NULL OR d.id = $2) ORDER BY d.created_at, d.id`,
});

const proven = statement({
  name: 'domains-proven',
  text: `
    SELECT d.domain FROM domains d JOIN domain_keys k ON k.organization = d.organization_id AND k.domain = d.domain
    WHERE d.organization_id = $1 ORDER BY d.domain`,
});

const countDomains = statement({
  name: 'domains-count',
  text: 'SELECT count(*)::int AS domains FROM domains WHERE organization_id = $1',
});

const insertDomain = statement({
  name: 'domain-insert',
  text: `
    INSERT INTO domains (organization_id, id, domain, challenge, joins, created_by, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
    ON CONFLICT (organization_id, domain) DO NOTHING RETURNING id`,
});

const setJoins = statement({
  name: 'domain-set-joins',
  text: 'UPDATE domains SET joins = $3, updated_at = $4 WHERE organization_id = $1 AND id = $2',
});

const removeDomain = statement({
  name: 'domain-remove',
  text: 'DELETE FROM domains WHERE organization_id = $1 AND id = $2',
});

const markVerified = statement({
  name: 'domain-mark-verified',
  text: `
    UPDATE domains SET verified_at = $3, suspended_at = NULL, updated_at = $3
    WHERE organization_id = $1 AND domain = $2 AND (verified_at IS NULL OR suspended_at IS NOT NULL) RETURNING id`,
});

// Of organizations that prove one domain at once, the second waits for the first here, and gets no row.
const holdKey = unscopedStatement({
  name: 'domain-key-hold',
  text: `
    INSERT INTO domain_keys (organization, domain, read_at, due_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (domain) DO UPDATE SET read_at = $3, due_at = $4, misses = 0 WHERE domain_keys.organization = $1
    RETURNING domain`,
});

/** Stores domains; the organization is that of the scope, and locked for every change. */
export class DomainsRepository {
  /** In order of creation. */
  async list(rows: Rows): Promise<StoredDomain[]> {
    return (await rows.query(domains, [null])).map(made);
  }

  async get(rows: Rows, id: string): Promise<StoredDomain | undefined> {
    return (await rows.query(domains, [id])).map(made)[0];
  }

  /** Those that the organization has proven, and whose record was not missing three times in a row. */
  async proven(rows: Rows): Promise<string[]> {
    return (await rows.query(proven, [])).map(({ domain }) => domain);
  }

  async count(tx: Transaction): Promise<number> {
    return (await tx.query(countDomains, []))[0]?.domains ?? 0;
  }

  /** @returns whether the organization did not have it */
  async insert(
    tx: Transaction,
    { id, domain, challenge, joins, createdBy, at }: NewDomain,
  ): Promise<boolean> {
    return (await tx.query(insertDomain, [id, domain, challenge, joins, createdBy, at])).length > 0;
  }

  async setJoins(
    tx: Transaction,
    { id, joins, at }: { readonly id: string; readonly joins: Joins; readonly at: Date },
  ): Promise<void> {
    await tx.query(setJoins, [id, joins, at]);
  }

  /** With what it has proven. */
  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(removeDomain, [id]);
  }

  /** Its record was found. @returns whether the domain is new; undefined where another organization has proven it */
  async hold(tx: Transaction, { organizationId, domain, at, dueAt }: Reading): Promise<boolean | undefined> {
    if ((await tx.query(holdKey, [organizationId, domain, at, dueAt])).length === 0) return undefined;
    return (await tx.query(markVerified, [domain, at])).length > 0;
  }
}
