import { createVerifier, type AroundReading } from '@tenantry/jwt-verify';
import { runService } from '@tenantry/service-kit';
import { assertMigrated, assertPoolerFits, type PrismaClientLike } from '@tenantry/tenancy';
import { inTrace } from '@tenantry/tracing';
import type { TProperties } from 'typebox';
import { buildBusinessService, openDatabase } from './build.ts';
import type { BusinessService } from './definition.ts';
import type { ServiceConfig } from './service-settings.ts';

const around: AroundReading = (what, read) => inTrace(`read ${what}`, read);

/**
 * Runs a business service in this process until SIGTERM or SIGINT, then drains it. It refuses to start on a database
 * that lacks a migration, and behind a connection pooler that does not fit.
 *
 * @param process the process to run in; a service's `main.ts` hands it over and is the only file that touches it.
 * @example await runBusinessService(process, service);
 */
export async function runBusinessService<Client extends PrismaClientLike, Settings extends TProperties>(
  process: NodeJS.Process,
  service: BusinessService<Client, Settings>,
): Promise<void> {
  const { name, version, migrationsDirectory } = service;
  await runService(process, {
    name,
    version,
    config: service.config,
    build: async (parsed, logger) => {
      const config = parsed as ServiceConfig<Settings>;
      const database = openDatabase(service, { config, logger });
      await assertPoolerFits(database.pool);
      await assertMigrated({ pool: database.pool, migrationsDirectory, service: name });
      const { AUTH_URL: issuer, AUTH_JWKS_URL: jwks, AUTH_REVOCATIONS_URL: revocations } = config;
      const verifier = createVerifier({ issuer, jwks, revocations, logger, around });
      return buildBusinessService(service, { config, database, verifier, logger });
    },
  });
}
