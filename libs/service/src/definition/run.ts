import { assertMigrated, assertPoolerFits } from '@tenantry/tenancy';
import { runApp } from '../http/run.ts';
import { buildService } from './build.ts';
import { openDatabase } from './database.ts';
import type { DefinedService } from './definition.ts';
import type { StandardConfig } from './service-config.ts';

/**
 * Runs a service in this process until SIGTERM or SIGINT, then drains it. It refuses to start on a database that lacks a
 * migration, and behind a connection pooler that does not fit.
 *
 * @param process the process to run in; a service's `main.ts` hands it over and is the only file that touches it.
 * @example await runService(process, service);
 */
export async function runService(process: NodeJS.Process, service: DefinedService): Promise<void> {
  const { name, version, migrationsDirectory } = service;
  await runApp(process, {
    name,
    version,
    config: service.config,
    build: async (parsed, logger) => {
      const config = parsed as StandardConfig;
      const database = openDatabase(service, { config, logger });
      await assertPoolerFits(database.pool);
      await assertMigrated({ pool: database.pool, migrationsDirectory, service: name });
      return buildService(service, { config, database, logger });
    },
  });
}
