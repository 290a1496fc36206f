import type { PrismaNamespace, TenantRows, UnscopedRows } from '@tenantry/tenancy';
import { statement, unscopedStatement } from '../statements.ts';

/** An organization about which auth-service is asked whether it is to be purged. */
export interface DueEnd {
  /** Of the organization. */
  readonly id: string;
  /** This attempt included. */
  readonly attempts: number;
}

/** Whether a service has the table of sql/organization-ends.sql, by the models of its client. */
export const knowsEnds = ({ ModelName }: PrismaNamespace): boolean => 'OrganizationEnd' in ModelName;

function defineStatements() {
  return {
    end: unscopedStatement({
      name: 'organization-end',
      text: `
        INSERT INTO organization_ends AS known (organization_id, ended_at, purge_at)
        VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))
        ON CONFLICT (organization_id) DO UPDATE SET ended_at = coalesce(known.ended_at, excluded.ended_at),
          purge_at = least(known.purge_at, excluded.purge_at)`,
    }),
    revive: unscopedStatement({
      name: 'organization-revive',
      text: 'DELETE FROM organization_ends WHERE organization_id = $1',
    }),
    hasEnded: unscopedStatement({
      name: 'organization-has-ended',
      text: `
        SELECT EXISTS (
          SELECT FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL) AS ended`,
    }),
    keepEnded: unscopedStatement({
      name: 'organization-keep-ended',
      text: `
        SELECT true AS ended FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL
        FOR KEY SHARE`,
    }),
    claim: unscopedStatement({
      name: 'organization-ends-claim',
      text: `
        WITH due AS MATERIALIZED (
          SELECT organization_id FROM organization_ends WHERE purge_at <= clock_timestamp()
          ORDER BY purge_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        UPDATE organization_ends e SET attempts = e.attempts + 1, purge_at = clock_timestamp()
          + least(make_interval(secs => $1 * 2 ^ least(e.attempts, 10)), INTERVAL '2 hours')
        FROM due WHERE e.organization_id = due.organization_id
        RETURNING e.organization_id AS id, e.attempts`,
    }),
    postpone: unscopedStatement({
      name: 'organization-ends-postpone',
      text: `
        UPDATE organization_ends SET attempts = 0, ended_at = coalesce(ended_at, clock_timestamp()),
          purge_at = clock_timestamp() + make_interval(secs => $2)
        WHERE organization_id = $1`,
    }),
    beginPurge: unscopedStatement({
      name: 'organization-begin-purge',
      text: `
        UPDATE organization_ends SET is_purging = true, ended_at = coalesce(ended_at, clock_timestamp())
        WHERE organization_id = $1`,
    }),
    // None where it has been revived meanwhile.
    purgeSome: statement({
      name: 'organization-purge-batch',
      text: `SELECT app.purge_batch($2) AS gone FROM organization_ends WHERE organization_id = $1 AND is_purging`,
    }),
    endPurge: unscopedStatement({
      name: 'organization-end-purge',
      text: 'DELETE FROM organization_ends WHERE organization_id = $1 AND is_purging',
    }),
  };
}

/** What is known of organizations that have ended. The statements are its own, so that a service without the table has none of them. */
export class EndsRepository {
  readonly #statements = defineStatements();

  /** Suspends an organization; after a while auth-service is asked whether to purge it. */
  async end(rows: UnscopedRows, organizationId: string, askAfterSeconds: number): Promise<void> {
    await rows.query(this.#statements.end, [organizationId, askAfterSeconds]);
  }

  /** Has it act again: it was restored, or was never deleted. */
  async revive(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(this.#statements.revive, [organizationId]);
  }

  async hasEnded(rows: UnscopedRows, organizationId: string): Promise<boolean> {
    return (await rows.query(this.#statements.hasEnded, [organizationId]))[0]?.ended ?? false;
  }

  /** Keeps it from acting again before the transaction ends. @returns whether it has ended */
  async keepEnded(rows: UnscopedRows, organizationId: string): Promise<boolean> {
    return (await rows.query(this.#statements.keepEnded, [organizationId])).length > 0;
  }

  async claim(
    rows: UnscopedRows,
    { leaseSeconds }: { readonly leaseSeconds: number },
  ): Promise<DueEnd | undefined> {
    return (await rows.query(this.#statements.claim, [leaseSeconds]))[0];
  }

  /** Has auth-service asked again later. */
  async postpone(rows: UnscopedRows, organizationId: string, seconds: number): Promise<void> {
    await rows.query(this.#statements.postpone, [organizationId, seconds]);
  }

  /** From now on the service may delete all that belongs to it. */
  async beginPurge(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(this.#statements.beginPurge, [organizationId]);
  }

  /** Deletes a batch of the rows of the scope's organization. @returns how many they were */
  async purgeSome(rows: TenantRows<unknown>, batchSize: number): Promise<number> {
    return (await rows.query(this.#statements.purgeSome, [batchSize]))[0]?.gone ?? 0;
  }

  /** Nothing is left of it. */
  async endPurge(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(this.#statements.endPurge, [organizationId]);
  }
}
