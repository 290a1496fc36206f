import { statement, unscopedStatement, type Rows, type Transaction, type Unscoped } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';
import type { SamlMetadata } from './saml-provider.ts';

/** A connection of SAML whose certificates are to be looked at. */
export type DueConnection = Statements['connection-keys-take-due']['row'];

/** What is known of it. */
type Known = Statements['connection-of-reading']['row'];

/** It, while it is on. */
export interface KnownConnection extends Omit<Known, 'metadata' | 'issuer'> {
  readonly issuer: string;
  readonly metadata: SamlMetadata;
}

/** Readings that one instance does at once. */
const batchSize = 4;

// Until $2 no other instance takes them; an instance that ends before leaves them to the others.
const takeDue = unscopedStatement({
  name: 'connection-keys-take-due',
  text: `
    UPDATE connection_keys k SET due_at = $2
    FROM (
      SELECT id FROM connection_keys WHERE due_at <= $1 ORDER BY due_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED) AS due
    WHERE k.id = due.id
    RETURNING k.organization AS "organizationId", k.id`,
});

const connectionOfReading = statement({
  name: 'connection-of-reading',
  text: `
    SELECT c.id, c.name, c.issuer, c.metadata, c.metadata_url AS "metadataUrl", c.announced_end AS "announcedEnd",
      o.name AS "organizationName"
    FROM connections c JOIN organizations o ON o.id = c.organization_id
    WHERE c.organization_id = $1 AND c.id = $2 AND c.kind = 'saml'`,
});

const storeReading = statement({
  name: 'connection-store-reading',
  text: `
    UPDATE connections SET metadata = $3, metadata_read_at = $4
    WHERE organization_id = $1 AND id = $2 AND issuer = $5 AND metadata_url = $6`,
});

const announceEnd = statement({
  name: 'connection-announce-end',
  text: 'UPDATE connections SET announced_end = $3 WHERE organization_id = $1 AND id = $2',
});

// Nobody has taken it meanwhile.
const postpone = unscopedStatement({
  name: 'connection-key-postpone',
  text: 'UPDATE connection_keys SET due_at = $4 WHERE organization = $1 AND id = $2 AND due_at = $3',
});

/** Takes connections whose metadata is due, and stores what it says; in the scope of the organization, which is locked. */
export class MetadataReadingsRepository {
  takeDue(
    rows: Unscoped,
    { at, leasedUntil }: { readonly at: Date; readonly leasedUntil: Date },
  ): Promise<DueConnection[]> {
    return rows.query(takeDue, [at, leasedUntil]);
  }

  async find(rows: Rows, id: string): Promise<KnownConnection | undefined> {
    const [found] = await rows.query(connectionOfReading, [id]);
    if (!found || found.metadata === null || found.issuer === null) return undefined;
    return { ...found, issuer: found.issuer, metadata: found.metadata as SamlMetadata };
  }

  /** Unless its owner has entered another entity or address meanwhile. */
  async store(
    tx: Transaction,
    { id, issuer, metadataUrl }: Pick<KnownConnection, 'id' | 'issuer' | 'metadataUrl'>,
    { metadata, at }: { readonly metadata: SamlMetadata; readonly at: Date },
  ): Promise<void> {
    await tx.query(storeReading, [id, JSON.stringify(metadata), at, issuer, metadataUrl ?? '']);
  }

  async announce(tx: Transaction, id: string, end: Date): Promise<void> {
    await tx.query(announceEnd, [id, end]);
  }

  async postpone(
    tx: Transaction,
    { organizationId, id }: DueConnection,
    { leasedUntil, dueAt }: { readonly leasedUntil: Date; readonly dueAt: Date },
  ): Promise<void> {
    await tx.query(postpone, [organizationId, id, leasedUntil, dueAt]);
  }
}
