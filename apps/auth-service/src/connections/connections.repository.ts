import { isUniqueViolation } from '@tenantry/service/failures';
import { statement, unscopedStatement, type Rows, type Transaction, type Unscoped } from '../database.ts';
import { made, makerColumns, type Maker } from '../organizations/index.ts';
import type { Statements } from '../statements.types.ts';
import type { Kind } from './kinds.ts';
import type { IdpMetadata } from './openid/metadata.ts';
import type { SamlMetadata } from './saml/saml-provider.ts';

type Row = Statements['connections']['row'];

/** A connection as it is stored. */
export type StoredConnection = StoredOpenId | StoredSaml;

interface Stored extends Omit<Row, 'kind' | 'metadata' | 'createdBy' | 'createdByName'> {
  readonly createdBy: Maker;
}

/** To an IdP that speaks OpenID Connect. */
interface StoredOpenId extends Stored {
  readonly kind: Exclude<Kind, 'saml'>;
  readonly metadata: IdpMetadata | null;
}

/** To an IdP that speaks SAML. */
export interface StoredSaml extends Stored {
  readonly kind: 'saml';
  readonly metadata: SamlMetadata | null;
}

/** Which connection of which organization signs people in. */
export type ConnectionKey = Statements['connection-key-by-domain']['row'];

/** The columns of a change. */
export type ConnectionChange = Pick<
  StoredConnection,
  | 'name'
  | 'issuer'
  | 'clientId'
  | 'encryptedSecret'
  | 'secretId'
  | 'provesSecondFactor'
  | 'metadata'
  | 'metadataReadAt'
  | 'metadataUrl'
>;

interface NewConnection extends Pick<Row, 'id' | 'kind' | 'name' | 'createdBy'> {
  readonly at: Date;
}

const connections = statement({
  name: 'connections',
  text: `
    SELECT c.id, c.kind, c.name, c.issuer, c.client_id AS "clientId", c.encrypted_secret AS "encryptedSecret",
      c.secret_id AS "secretId", c.proves_second_factor AS "provesSecondFactor", c.metadata,
      c.metadata_read_at AS "metadataReadAt", c.metadata_url AS "metadataUrl", ${makerColumns('c')}, c.created_at AS "createdAt",
      k.enabled_at AS "enabledAt", (
        SELECT count(*)::int FROM connection_identities i
        WHERE i.organization_id = $1 AND i.connection_id = c.id) AS people, (
        SELECT max(i.last_used_at) FROM connection_identities i
        WHERE i.organization_id = $1 AND i.connection_id = c.id) AS "usedAt", EXISTS (
        SELECT FROM connection_identities i
        WHERE i.organization_id = $1 AND i.connection_id = c.id AND i.is_own
          AND NOT ($3::uuid IS NULL) AND i.user_id = $3) AS "isLinked"
    FROM connections c LEFT JOIN connection_keys k ON k.organization = c.organization_id AND k.id = c.id
    WHERE c.organization_id = $1 AND ($2::uuid IS NULL OR c.id = $2) ORDER BY c.created_at, c.id`,
});

const insertConnection = statement({
  name: 'connection-insert',
  text: `
    INSERT INTO connections (organization_id, id, kind, name, created_by, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6)`,
});

const updateConnection = statement({
  name: 'connection-update',
  text: `
    UPDATE connections SET name = $3, issuer = $4, client_id = $5, encrypted_secret = $6, secret_id = $7,
      proves_second_factor = $8, metadata = $9, metadata_read_at = $10, metadata_url = $11, updated_at = $12
    WHERE organization_id = $1 AND id = $2`,
});

const setMetadata = statement({
  name: 'connection-set-metadata',
  text: 'UPDATE connections SET metadata = $3 WHERE organization_id = $1 AND id = $2 AND issuer = $4',
});

// Of the instances, one reads it again.
const claimMetadata = statement({
  name: 'connection-claim-metadata',
  text: `
    UPDATE connections SET metadata_read_at = $3
    WHERE organization_id = $1 AND id = $2 AND metadata_read_at <= $4 RETURNING id`,
});

const removeConnection = statement({
  name: 'connection-remove',
  text: 'DELETE FROM connections WHERE organization_id = $1 AND id = $2',
});

const requiresSecondFactor = statement({
  name: 'connection-requires-second-factor',
  text: `
    SELECT o.require_two_factor AS required FROM organizations AS o (organization_id)
    WHERE o.organization_id = $1`,
});

const slugOfOrganization = statement({
  name: 'connection-organization-slug',
  text: 'SELECT o.slug FROM organizations AS o (organization_id) WHERE o.organization_id = $1',
});

const insertKey = unscopedStatement({
  name: 'connection-key-insert',
  text: 'INSERT INTO connection_keys (organization, id, mode, enabled_at, due_at) VALUES ($1, $2, $3, $4, $5)',
});

const removeKey = unscopedStatement({
  name: 'connection-key-remove',
  text: 'DELETE FROM connection_keys WHERE organization = $1 AND id = $2 RETURNING id',
});

const keyByDomain = unscopedStatement({
  name: 'connection-key-by-domain',
  text: `
    SELECT k.id, k.organization AS "organizationId"
    FROM domain_keys d JOIN connection_keys k ON k.organization = d.organization WHERE d.domain = $1`,
});

const keyBySlug = unscopedStatement({
  name: 'connection-key-by-slug',
  text: `
    SELECT k.id, k.organization AS "organizationId"
    FROM organizations o JOIN connection_keys k ON k.organization = o.id WHERE o.slug = $1`,
});

const isAnyOn = unscopedStatement({
  name: 'connection-key-is-any',
  text: 'SELECT EXISTS (SELECT FROM connection_keys) AS "isOn"',
});

/** Stores connections; the organization is that of the scope, and locked for every change but of what an IdP says. */
export class ConnectionsRepository {
  /** In order of creation. @param userId whose link `isLinked` is about */
  async list(rows: Rows, userId: string | null): Promise<StoredConnection[]> {
    return (await rows.query(connections, [null, userId])).map(connectionOf);
  }

  async get(rows: Rows, id: string, userId: string | null = null): Promise<StoredConnection | undefined> {
    return (await rows.query(connections, [id, userId])).map(connectionOf)[0];
  }

  async insert(tx: Transaction, { id, kind, name, createdBy, at }: NewConnection): Promise<void> {
    await tx.query(insertConnection, [id, kind, name, createdBy, at]);
  }

  async update(tx: Transaction, id: string, change: ConnectionChange, at: Date): Promise<void> {
    const {
      name,
      issuer,
      clientId,
      encryptedSecret,
      secretId,
      provesSecondFactor,
      metadata,
      metadataReadAt,
      metadataUrl,
    } = change;
    const client = [name, issuer, clientId, encryptedSecret, secretId, provesSecondFactor] as const;
    const json = metadata === null ? null : JSON.stringify(metadata);
    await tx.query(updateConnection, [id, ...client, json, metadataReadAt, metadataUrl, at]);
  }

  /** What an issuer says of itself now. */
  async setMetadata(
    rows: Rows,
    { id, issuer, metadata }: { readonly id: string; readonly issuer: string; readonly metadata: object },
  ): Promise<void> {
    await rows.query(setMetadata, [id, JSON.stringify(metadata), issuer]);
  }

  /** @returns whether it was read before a moment, and is to be read again by whoever asks first */
  async claimMetadata(
    rows: Rows,
    { id, at, before }: { readonly id: string; readonly at: Date; readonly before: Date },
  ): Promise<boolean> {
    return (await rows.query(claimMetadata, [id, at, before])).length > 0;
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(removeConnection, [id]);
  }

  /** Whether the organization requires a second factor of its members. */
  async requiresSecondFactor(tx: Transaction): Promise<boolean> {
    return (await tx.query(requiresSecondFactor, []))[0]?.required ?? false;
  }

  /** The slug of the organization. */
  async slug(rows: Rows): Promise<string | undefined> {
    return (await rows.query(slugOfOrganization, []))[0]?.slug;
  }

  /** Turns a connection on. @returns false where another one of the organization is, which ends the transaction */
  async enable(
    tx: Transaction,
    { organizationId, id, kind, at }: ConnectionKey & { readonly kind: Kind; readonly at: Date },
  ): Promise<boolean> {
    try {
      const isSaml = kind === 'saml';
      await tx.query(insertKey, [organizationId, id, isSaml ? 'saml' : 'openid', at, isSaml ? at : null]);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Turns a connection off. @returns whether it was on */
  async disable(tx: Transaction, { organizationId, id }: ConnectionKey): Promise<boolean> {
    return (await tx.query(removeKey, [organizationId, id])).length > 0;
  }

  /** The connection that signs in whoever has an address in a domain, written as it is stored. */
  async findByDomain(rows: Unscoped, domain: string): Promise<ConnectionKey | undefined> {
    return (await rows.query(keyByDomain, [domain]))[0];
  }

  /** Whether one of any organization is on. */
  async isAnyOn(rows: Unscoped): Promise<boolean> {
    return (await rows.query(isAnyOn, []))[0]?.isOn ?? false;
  }

  /** The connection of the organization with a slug. */
  async findBySlug(rows: Unscoped, slug: string): Promise<ConnectionKey | undefined> {
    return (await rows.query(keyBySlug, [slug]))[0];
  }
}

/** The kind says what its metadata is. */
const connectionOf = (row: Row): StoredConnection => made(row) as unknown as StoredConnection;
