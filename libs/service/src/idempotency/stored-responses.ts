import { theOne, type TenantRows } from '@tenantry/tenancy';
import { statement } from '../statements.ts';

/** Identifies a repeated request. */
export interface RequestKey {
  readonly userId: string;
  /** SHA-256 of the Idempotency-Key. */
  readonly key: Buffer;
  /** SHA-256 of the request, independent of the order of its fields. */
  readonly request: Buffer;
  /** The same, with the fields in the order received. */
  readonly asWritten: Buffer;
}

/** A response as it was sent. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a key. */
export interface KnownKey {
  /** Whether this transaction holds the key now, and no other does. */
  readonly held: boolean;
  /** The request that came with the key, and its response if there is one. */
  readonly stored: (StoredResponse & { readonly request: Buffer }) | undefined;
}

/** The kind of due work that deletes stored responses. */
export const forgettingKind = 'idempotency-keys';
const batchSize = 1_000;

const storedUnderKey = statement({
  name: 'idempotency-find',
  text: `
    SELECT EXISTS (
      SELECT FROM idempotency_keys WHERE organization_id = $1 AND user_id = $2 AND key = $3
        AND created_at > clock_timestamp() - INTERVAL '24 hours') AS kept`,
});

const holdKey = statement({
  name: 'idempotency-hold',
  text: `
    SELECT held, status, headers, body, request
    FROM (SELECT pg_try_advisory_xact_lock(hashtextextended(
      concat($1::uuid, $2::uuid, encode($3::bytea, 'hex')), 0)) AS held) AS lock
    LEFT JOIN idempotency_keys k ON k.organization_id = $1 AND k.user_id = $2 AND k.key = $3
      AND k.created_at > clock_timestamp() - INTERVAL '24 hours'`,
});

// Due an hour after a response expires, so that one run deletes all of an hour. Work that is already due is unchanged.
const keepResponse = statement({
  name: 'idempotency-keep',
  text: `
    WITH kept AS (
      INSERT INTO idempotency_keys (organization_id, user_id, key, request, status, headers, body)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (organization_id, user_id, key) DO UPDATE
      SET request = excluded.request, status = excluded.status, headers = excluded.headers, body = excluded.body,
        created_at = excluded.created_at
      WHERE idempotency_keys.created_at <= clock_timestamp() - INTERVAL '24 hours'
      RETURNING organization_id
    ), due AS (
      INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
      SELECT organization_id, '${forgettingKind}', organization_id, clock_timestamp() + INTERVAL '25 hours' FROM kept
      ON CONFLICT (organization_id, kind, id) DO NOTHING
    )
    SELECT organization_id AS id FROM kept`,
});

const forgetResponses = statement({
  name: 'idempotency-forget',
  text: `
    DELETE FROM idempotency_keys k USING (
      SELECT organization_id, user_id, key FROM idempotency_keys
      WHERE organization_id = $1 AND created_at <= clock_timestamp() - INTERVAL '24 hours'
      ORDER BY created_at LIMIT ${batchSize}) AS over
    WHERE (k.organization_id, k.user_id, k.key) = (over.organization_id, over.user_id, over.key)
    RETURNING 1 AS forgotten`,
});

/** Stores responses for 24 hours. */
export class StoredResponses {
  /** Whether a response is stored under a key. */
  async isStored(rows: TenantRows, { userId, key }: RequestKey): Promise<boolean> {
    const [row] = await rows.query(storedUnderKey, [userId, key]);
    return row?.kept === true;
  }

  /** Locks a key until the transaction ends, without waiting for another transaction that holds it. */
  async hold(rows: TenantRows, { userId, key }: RequestKey): Promise<KnownKey> {
    const row = theOne(await rows.query(holdKey, [userId, key]));
    if (row.status === null) return { held: row.held, stored: undefined };
    const { held, status, headers, body, request } = row;
    return { held, stored: { status, headers: headers as StoredResponse['headers'], body, request } };
  }

  /** Stores a response; returns false if another transaction has stored one under the key meanwhile. */
  async store(
    rows: TenantRows,
    { userId, key, request }: RequestKey,
    { status, headers, body }: StoredResponse,
  ): Promise<boolean> {
    return (await rows.query(keepResponse, [userId, key, request, status, headers, body])).length > 0;
  }

  /** Deletes a batch of expired responses, and returns how many. */
  async forget(rows: TenantRows): Promise<number> {
    return (await rows.query(forgetResponses, [])).length;
  }
}
