import type { TenantDatabase } from '@tenantry/tenancy';
import type { Static, TObject } from 'typebox';
import type { Logger } from '../logging/logging.ts';
import * as settings from '../settings/settings.ts';
import type { BackgroundWork } from '../work/background.ts';
import type { StorageRepository } from './storage.repository.ts';

/** The quotas as settings. */
export type QuotaConfig = Readonly<Static<TObject<typeof settings.quotaSettings>>>;

/** Options of {@link watchStorage}. */
export interface StorageWatchOptions {
  readonly config: QuotaConfig;
  readonly database: TenantDatabase;
  readonly logger: Logger;
  readonly repository: StorageRepository;
}

const lookEveryMs = 60_000;

/** Tells the database the quotas of the settings, and counts each minute what is stored, however often Prometheus scrapes. */
export function watchStorage({ config, database, logger, repository }: StorageWatchOptions): BackgroundWork {
  const { unscoped } = database;
  const limits = {
    rows: config.QUOTA_ROWS,
    bytes: config.QUOTA_BYTES,
    rowsUnconfirmed: config.QUOTA_ROWS_UNCONFIRMED,
    bytesUnconfirmed: config.QUOTA_BYTES_UNCONFIRMED,
  };
  let known = { nearQuota: 0, atQuota: 0, rows: 0, bytes: 0 };
  let isLimited = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      if (!isLimited) await repository.limit(unscoped, limits);
      isLimited = true;
      known = await repository.ofAll(unscoped);
    } catch (error) {
      logger.warn(
        { err: error },
        'the quotas could not be written, or what organizations store could not be read',
      );
    }
  };
  return {
    async start() {
      timer = setInterval(() => {
        looking = look();
      }, lookEveryMs).unref();
      await look();
    },
    async close() {
      clearInterval(timer);
      await looking;
    },
    async unreadyBecause() {
      if (!isLimited) await look();
      return isLimited ? undefined : 'the database does not know the quotas yet';
    },
    measurements: [
      {
        name: 'tenantry_storage_rows',
        help: 'Rows that organizations store',
        type: 'gauge',
        read: () => [{ value: known.rows }],
      },
      {
        name: 'tenantry_storage_bytes',
        help: 'Bytes of the rows that organizations store',
        type: 'gauge',
        read: () => [{ value: known.bytes }],
      },
      {
        name: 'tenantry_organizations_near_quota',
        help: 'Organizations that store at least nine tenths of their quota, or all of it',
        type: 'gauge',
        read: () => [
          { labels: { share: '0.9' }, value: known.nearQuota },
          { labels: { share: '1' }, value: known.atQuota },
        ],
      },
    ],
  };
}
