import { theOne, type TenantRows } from '@tenantry/tenancy';
import { statement } from '../statements.ts';

/** What a request is recognized by when it comes again. */
export interface RequestKey {
  readonly userId: string;
  /** SHA-256 of the Idempotency-Key. */
  readonly key: Buffer;
  /** SHA-256 of the request that came with it, whatever the order of its fields. */
  readonly request: Buffer;
  /** The same in the order in which they came. */
  readonly asWritten: Buffer;
}

/** An answer as it was sent. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a key. */
export interface KnownKey {
  /** Whether this transaction holds the key now, and no other does. */
  readonly held: boolean;
  /** What came with the key, and what it was answered, where it was. */
  readonly kept: (KeptAnswer & { readonly request: Buffer }) | undefined;
}

/** The kind of due work that forgets answers. */
export const forgettingKind = 'idempotency-keys';
const batchSize = 1_000;

/** Where answers are kept, for 24 hours. The statements are its own, so that a service without such routes has none of them. */
export class KeptAnswers {
  readonly #find = statement({
    name: 'idempotency-find',
    text: `
      SELECT EXISTS (
        SELECT FROM idempotency_keys WHERE organization_id = $1 AND user_id = $2 AND key = $3
          AND created_at > clock_timestamp() - INTERVAL '24 hours') AS kept`,
  });
  readonly #hold = statement({
    name: 'idempotency-hold',
    text: `
      SELECT held, status, headers, body, request
      FROM (SELECT pg_try_advisory_xact_lock(hashtextextended(
        concat($1::uuid, $2::uuid, encode($3::bytea, 'hex')), 0)) AS held) AS lock
      LEFT JOIN idempotency_keys k ON k.organization_id = $1 AND k.user_id = $2 AND k.key = $3
        AND k.created_at > clock_timestamp() - INTERVAL '24 hours'`,
  });
  // Due an hour after the answer has ended, so that one look finds all of an hour. What is due already stays as it is.
  readonly #keep = statement({
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
  readonly #forget = statement({
    name: 'idempotency-forget',
    text: `
      DELETE FROM idempotency_keys k USING (
        SELECT organization_id, user_id, key FROM idempotency_keys
        WHERE organization_id = $1 AND created_at <= clock_timestamp() - INTERVAL '24 hours'
        ORDER BY created_at LIMIT ${batchSize}) AS over
      WHERE (k.organization_id, k.user_id, k.key) = (over.organization_id, over.user_id, over.key)
      RETURNING 1 AS forgotten`,
  });

  /** Whether a key has an answer. */
  async isKept(rows: TenantRows<unknown>, { userId, key }: RequestKey): Promise<boolean> {
    const [row] = await rows.query(this.#find, [userId, key]);
    return row?.kept === true;
  }

  /** Takes hold of a key until the transaction ends, without waiting for another that has it. */
  async hold(rows: TenantRows<unknown>, { userId, key }: RequestKey): Promise<KnownKey> {
    const row = theOne(await rows.query(this.#hold, [userId, key]));
    if (row.status === null) return { held: row.held, kept: undefined };
    const { held, status, headers, body, request } = row;
    return { held, kept: { status, headers: headers as KeptAnswer['headers'], body, request } };
  }

  /** Keeps an answer; false where another transaction has kept one under the key meanwhile. */
  async keep(
    rows: TenantRows<unknown>,
    { userId, key, request }: RequestKey,
    { status, headers, body }: KeptAnswer,
  ): Promise<boolean> {
    return (await rows.query(this.#keep, [userId, key, request, status, headers, body])).length > 0;
  }

  /** Deletes a batch of answers that have ended, and says how many they were. */
  async forget(rows: TenantRows<unknown>): Promise<number> {
    return (await rows.query(this.#forget, [])).length;
  }
}
