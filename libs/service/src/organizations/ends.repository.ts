import type { PrismaNamespace, TenantRows, UnscopedRows } from '@tenantry/tenancy';
import { statement, unscopedStatement } from '../statements.ts';

/** An organization about which auth-service is asked whether it is to be purged. */
export interface DueEnd {
  /** Of the organization. */
  readonly id: string;
  /** This attempt included. */
  readonly attempts: number;
}

/** Whether the models of a service's client include the table of sql/organization-ends.sql. */
export const knowsEnds = ({ ModelName }: PrismaNamespace): boolean => 'OrganizationEnd' in ModelName;

const endOrganization = unscopedStatement({
  name: 'organization-end',
  text: `
    INSERT INTO organization_ends AS known (organization_id, ended_at, purge_at)
    VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))
    ON CONFLICT (organization_id) DO UPDATE SET ended_at = coalesce(known.ended_at, excluded.ended_at),
      purge_at = least(known.purge_at, excluded.purge_at)`,
});

const reviveOrganization = unscopedStatement({
  name: 'organization-revive',
  text: 'DELETE FROM organization_ends WHERE organization_id = $1',
});

const organizationHasEnded = unscopedStatement({
  name: 'organization-has-ended',
  text: `
    SELECT EXISTS (
      SELECT FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL) AS ended`,
});

const keepOrganizationEnded = unscopedStatement({
  name: 'organization-keep-ended',
  text: `
    SELECT true AS ended FROM organization_ends WHERE organization_id = $1 AND ended_at IS NOT NULL
    FOR KEY SHARE`,
});

const claimDueEnd = unscopedStatement({
  name: 'organization-ends-claim',
  text: `
    WITH due AS MATERIALIZED (
      SELECT organization_id FROM organization_ends WHERE purge_at <= clock_timestamp()
      ORDER BY purge_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE organization_ends e SET attempts = e.attempts + 1, purge_at = clock_timestamp()
      + least(make_interval(secs => $1 * 2 ^ least(e.attempts, 10)), INTERVAL '2 hours')
    FROM due WHERE e.organization_id = due.organization_id
    RETURNING e.organization_id AS id, e.attempts`,
});

const postponeEnd = unscopedStatement({
  name: 'organization-ends-postpone',
  text: `
    UPDATE organization_ends SET attempts = 0, ended_at = coalesce(ended_at, clock_timestamp()),
      purge_at = clock_timestamp() + make_interval(secs => $2)
    WHERE organization_id = $1`,
});

const beginPurge = unscopedStatement({
  name: 'organization-begin-purge',
  text: `
    UPDATE organization_ends SET is_purging = true, ended_at = coalesce(ended_at, clock_timestamp())
    WHERE organization_id = $1`,
});

// No row if it has been restored meanwhile.
const purgeBatch = statement({
  name: 'organization-purge-batch',
  text: `SELECT app.purge_batch($2) AS gone FROM organization_ends WHERE organization_id = $1 AND is_purging`,
});

const endPurge = unscopedStatement({
  name: 'organization-end-purge',
  text: 'DELETE FROM organization_ends WHERE organization_id = $1 AND is_purging',
});

/** Stores which organizations have ended. */
export class EndsRepository {
  /** Suspends an organization; later auth-service is asked whether to purge it. */
  async end(rows: UnscopedRows, organizationId: string, askAfterSeconds: number): Promise<void> {
    await rows.query(endOrganization, [organizationId, askAfterSeconds]);
  }

  /** Lifts the suspension: the organization was restored, or was never deleted. */
  async revive(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(reviveOrganization, [organizationId]);
  }

  async hasEnded(rows: UnscopedRows, organizationId: string): Promise<boolean> {
    return (await rows.query(organizationHasEnded, [organizationId]))[0]?.ended ?? false;
  }

  /** Keeps the suspension from being lifted before the transaction ends. @returns whether the organization has ended */
  async keepEnded(rows: UnscopedRows, organizationId: string): Promise<boolean> {
    return (await rows.query(keepOrganizationEnded, [organizationId])).length > 0;
  }

  async claim(
    rows: UnscopedRows,
    { leaseSeconds }: { readonly leaseSeconds: number },
  ): Promise<DueEnd | undefined> {
    return (await rows.query(claimDueEnd, [leaseSeconds]))[0];
  }

  /** Has auth-service asked again later. */
  async postpone(rows: UnscopedRows, organizationId: string, seconds: number): Promise<void> {
    await rows.query(postponeEnd, [organizationId, seconds]);
  }

  /** From now on the service may delete everything that belongs to it. */
  async beginPurge(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(beginPurge, [organizationId]);
  }

  /** Deletes a batch of rows of the scope's organization. @returns how many */
  async purgeSome(rows: TenantRows, batchSize: number): Promise<number> {
    return (await rows.query(purgeBatch, [batchSize]))[0]?.gone ?? 0;
  }

  /** Records that all of its rows are deleted. */
  async endPurge(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(endPurge, [organizationId]);
  }
}
