import { fileURLToPath } from 'node:url';
import { readVersion, runService } from '@tenantry/service-kit';
import { assertMigrated, assertPoolerFits } from '@tenantry/tenancy';
import { buildApp } from './app.ts';
import { configSchemaFor } from './config.ts';
import { openDatabase } from './database.ts';

const name = 'auth-service';
const migrationsDirectory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));
const version = readVersion(new URL('../package.json', import.meta.url));

await runService(process, {
  name,
  version,
  config: configSchemaFor(process.env['NODE_ENV']),
  build: async (config, logger) => {
    const database = openDatabase(config, logger);
    await assertPoolerFits(database.pool);
    await assertMigrated({ pool: database.pool, migrationsDirectory, service: name });
    return buildApp({ config, logger, database, version });
  },
});
