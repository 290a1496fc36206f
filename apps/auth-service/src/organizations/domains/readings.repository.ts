import { statement, unscopedStatement, type Rows, type Transaction, type Unscoped } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** A domain whose record is to be read again, and when it was last found or missing. */
export type DueReading = Statements['domain-keys-take-due']['row'];

/** What it looks like to its owners. */
type ReadDomain = Statements['domain-of-reading']['row'];

/** Readings that one instance does at once, each of another organization: as many as `DomainRecords` lets one sharer have. */
const readAtOnceMax = 4;

// Until $2 no other instance takes them; an instance that ends before leaves them to the others.
const takeDue = unscopedStatement({
  name: 'domain-keys-take-due',
  text: `
    UPDATE domain_keys k SET due_at = $2
    FROM (
      SELECT d.domain FROM domain_keys d WHERE d.due_at <= $1 AND NOT EXISTS (
        SELECT 1 FROM domain_keys earlier
        WHERE earlier.organization = d.organization AND (earlier.due_at, earlier.domain) < (d.due_at, d.domain))
      ORDER BY d.due_at LIMIT ${readAtOnceMax} FOR UPDATE SKIP LOCKED) AS due
    WHERE k.domain = due.domain
    RETURNING k.organization AS "organizationId", k.domain, k.read_at AS "readAt"`,
});

const domainOfReading = statement({
  name: 'domain-of-reading',
  text: `
    SELECT d.id, d.domain, d.challenge, o.name AS "organizationName"
    FROM domains d JOIN organizations o ON o.id = d.organization_id
    WHERE d.organization_id = $1 AND d.domain = $2`,
});

// Nobody has read it meanwhile.
const isOurs = 'organization = $1 AND domain = $2 AND due_at = $3';

const markFound = unscopedStatement({
  name: 'domain-key-found',
  text: `UPDATE domain_keys SET misses = 0, read_at = $4, due_at = $5 WHERE ${isOurs} RETURNING misses`,
});

const markMissed = unscopedStatement({
  name: 'domain-key-missed',
  text: `
    UPDATE domain_keys SET misses = misses + 1, read_at = $4, due_at = $5 WHERE ${isOurs} AND misses < 2 RETURNING misses`,
});

const drop = unscopedStatement({
  name: 'domain-key-drop',
  text: `DELETE FROM domain_keys WHERE ${isOurs} RETURNING domain`,
});

const suspend = statement({
  name: 'domain-suspend',
  text: 'UPDATE domains SET suspended_at = $3, updated_at = $3 WHERE organization_id = $1 AND domain = $2',
});

/** A reading that is over: the key is only changed while it is due at the end of the lease. */
interface DoneReading {
  readonly organizationId: string;
  readonly domain: string;
  readonly leasedUntil: Date;
  /** When the record was last found or missing. */
  readonly readAt: Date;
  readonly dueAt: Date;
}

/** Takes domains whose record is due, and stores what was found; in the scope of the organization, which is locked. */
export class ReadingsRepository {
  takeDue(
    rows: Unscoped,
    { at, leasedUntil }: { readonly at: Date; readonly leasedUntil: Date },
  ): Promise<DueReading[]> {
    return rows.query(takeDue, [at, leasedUntil]);
  }

  async find(rows: Rows, domain: string): Promise<ReadDomain | undefined> {
    return (await rows.query(domainOfReading, [domain]))[0];
  }

  async found(tx: Transaction, reading: DoneReading): Promise<void> {
    await tx.query(markFound, valuesOf(reading));
  }

  /**
   * Counts that the record was missing. The third time in a row suspends the domain.
   *
   * @returns how often; undefined if somebody read or deleted it meanwhile
   */
  async missed(tx: Transaction, reading: DoneReading): Promise<number | undefined> {
    const [missed] = await tx.query(markMissed, valuesOf(reading));
    if (missed) return missed.misses;
    const { organizationId, domain, leasedUntil, readAt } = reading;
    const isDropped = (await tx.query(drop, [organizationId, domain, leasedUntil])).length > 0;
    if (!isDropped) return undefined;
    await tx.query(suspend, [domain, readAt]);
    return 3;
  }
}

const valuesOf = ({ organizationId, domain, leasedUntil, readAt, dueAt }: DoneReading) =>
  [organizationId, domain, leasedUntil, readAt, dueAt] as const;
