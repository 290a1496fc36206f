import type { Logger } from '@tenantry/service-kit';
import {
  createTenantDatabase,
  type TenantDatabase,
  type TenantRows,
  type TenantScope,
  type TenantTransaction,
} from '@tenantry/tenancy';
import type { Config } from './config.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** The service's database, reached through a scope. */
export type Database = TenantDatabase<PrismaClient>;

/** The rows of an organization, each query on its own. */
export type Tenant = TenantScope<PrismaClient, { readonly organizationId: string }>;

/** The rows of an organization, in a transaction or outside of one. */
export type Rows = TenantRows<PrismaClient>;

/** What runs in it takes effect together. */
export type Transaction = TenantTransaction<PrismaClient>;

/** What is read of the configuration. */
export type DatabaseConfig = Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'TENANT_BINDING'>;

/** Opens the database; connections are made when they are needed. */
export function openDatabase(config: DatabaseConfig, logger: Logger): Database {
  return createTenantDatabase({
    connectionString: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    binding: config.TENANT_BINDING,
    applicationName: 'leads-service',
    onConnectionLost: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
    models: Prisma,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
}
