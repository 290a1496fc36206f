import type { PrismaNamespace, UnscopedRows } from '@tenantry/tenancy';
import { unscopedStatement } from '../statements.ts';

/** What an organization stores in a service, and its quotas. */
export interface StorageUse {
  readonly rows: number;
  readonly bytes: number;
  readonly rowsMax: number;
  readonly bytesMax: number;
  /** Whether an owner has confirmed an address, without which the quotas are small. */
  readonly isConfirmed: boolean;
}

/** The quotas of the settings. */
export interface StorageLimits {
  readonly rows: number;
  readonly bytes: number;
  readonly rowsUnconfirmed: number;
  readonly bytesUnconfirmed: number;
}

/** Whether the models of a service's client include the tables of tenancy's sql/storage.sql. */
export const countsStorage = ({ ModelName }: PrismaNamespace): boolean => 'StorageUse' in ModelName;

const useOfOrganization = unscopedStatement({
  name: 'storage-use',
  text: `
    SELECT coalesce(u.rows, 0)::float8 AS rows, coalesce(u.bytes, 0)::float8 AS bytes,
      (CASE WHEN q.is_confirmed THEN l.rows ELSE l.rows_unconfirmed END * coalesce(q.factor, 1))::float8 AS "rowsMax",
      (CASE WHEN q.is_confirmed THEN l.bytes ELSE l.bytes_unconfirmed END * coalesce(q.factor, 1))::float8 AS "bytesMax",
      coalesce(q.is_confirmed, false) AS "isConfirmed"
    FROM storage_limits l
    CROSS JOIN (SELECT sum(rows) AS rows, sum(bytes) AS bytes FROM storage_use WHERE organization_id = $1) AS u
    LEFT JOIN storage_quotas q ON q.organization_id = $1`,
});

const writeLimits = unscopedStatement({
  name: 'storage-limit',
  text: `
    INSERT INTO storage_limits AS l (rows, bytes, rows_unconfirmed, bytes_unconfirmed) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET rows = excluded.rows, bytes = excluded.bytes,
      rows_unconfirmed = excluded.rows_unconfirmed, bytes_unconfirmed = excluded.bytes_unconfirmed
    WHERE (l.rows, l.bytes, l.rows_unconfirmed, l.bytes_unconfirmed)
      <> (excluded.rows, excluded.bytes, excluded.rows_unconfirmed, excluded.bytes_unconfirmed)`,
});

const confirmOrganization = unscopedStatement({
  name: 'storage-confirm',
  text: `
    INSERT INTO storage_quotas AS q (organization_id, is_confirmed) VALUES ($1, true)
    ON CONFLICT (organization_id) DO UPDATE SET is_confirmed = true WHERE NOT q.is_confirmed`,
});

const useOfAll = unscopedStatement({
  name: 'storage-of-all',
  text: `
    SELECT count(*) FILTER (WHERE share >= 0.9)::int AS "nearQuota", count(*) FILTER (WHERE share >= 1)::int AS "atQuota",
      coalesce(sum(used.rows), 0)::float8 AS rows, coalesce(sum(used.bytes), 0)::float8 AS bytes
    FROM (SELECT organization_id, sum(rows) AS rows, sum(bytes) AS bytes FROM storage_use GROUP BY organization_id) AS used
    CROSS JOIN storage_limits l
    LEFT JOIN storage_quotas q ON q.organization_id = used.organization_id
    CROSS JOIN LATERAL (SELECT greatest(
      used.rows / (CASE WHEN q.is_confirmed THEN l.rows ELSE l.rows_unconfirmed END * coalesce(q.factor, 1)),
      used.bytes / (CASE WHEN q.is_confirmed THEN l.bytes ELSE l.bytes_unconfirmed END * coalesce(q.factor, 1))) AS share) AS s`,
});

/** Reads what organizations store, which triggers count, and writes what their quotas depend on. */
export class StorageRepository {
  /** Undefined until an instance has written its settings. */
  async useOf(rows: UnscopedRows, organizationId: string): Promise<StorageUse | undefined> {
    return (await rows.query(useOfOrganization, [organizationId]))[0];
  }

  async limit(rows: UnscopedRows, limits: StorageLimits): Promise<void> {
    const { rowsUnconfirmed, bytesUnconfirmed } = limits;
    await rows.query(writeLimits, [limits.rows, limits.bytes, rowsUnconfirmed, bytesUnconfirmed]);
  }

  /** An owner of the organization has a confirmed address. */
  async confirm(rows: UnscopedRows, organizationId: string): Promise<void> {
    await rows.query(confirmOrganization, [organizationId]);
  }

  /** What all organizations store, and how many of them are near their quota or at it. */
  async ofAll(rows: UnscopedRows) {
    const [all] = await rows.query(useOfAll, []);
    return all ?? { nearQuota: 0, atQuota: 0, rows: 0, bytes: 0 };
  }
}
