import { TenantDatabase, type Timeouts } from '@tenantry/tenancy';
import type { Static, TObject } from 'typebox';
import type { Logger } from '../logging/logging.ts';
import * as settings from '../settings/settings.ts';
import type { DefinedService } from './definition.ts';
import type { KnownConfig } from './service-config.ts';

/** The settings that a database is opened by. */
export type DatabaseConfig = Static<TObject<typeof settings.databaseSettings>> &
  Pick<KnownConfig, 'DATABASE_REPLICA_URL'>;

/** What a database is opened with. */
interface Opening {
  readonly config: DatabaseConfig;
  readonly logger: Logger;
  /** Default: those of a service that answers people. */
  readonly timeouts?: Partial<Timeouts>;
}

/** Opens a service's database; connections are made when they are needed. */
export function openDatabase(
  { name, models, unscoped, prisma }: Pick<DefinedService, 'name' | 'models' | 'unscoped' | 'prisma'>,
  { config, logger, timeouts }: Opening,
): TenantDatabase {
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const onChange = (reason: Error | undefined) => {
    if (reason) logger.warn({ err: reason }, 'the replica is passed over, the primary is read in its place');
    else logger.info('the replica is read again');
  };
  return new TenantDatabase({
    connectionString: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    binding: config.TENANT_BINDING,
    applicationName: name,
    onConnectionLost: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
    ...(replicaUrl !== undefined && { replica: { connectionString: replicaUrl, onChange } }),
    ...(timeouts && { timeouts }),
    models,
    prisma,
    ...(unscoped && { unscoped }),
  });
}
