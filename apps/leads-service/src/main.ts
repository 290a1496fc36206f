import { fileURLToPath } from 'node:url';
import { createVerifier } from '@tenantry/jwt-verify';
import { readVersion, runService } from '@tenantry/service-kit';
import { assertMigrated } from '@tenantry/tenancy';
import { buildApp } from './app.ts';
import { ConfigSchema } from './config.ts';
import { openDatabase } from './database.ts';

const name = 'leads-service';
const manifest = new URL('../package.json', import.meta.url);
const migrationsDirectory = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

await runService(process, {
  name,
  config: ConfigSchema,
  build: async (config, logger) => {
    const database = openDatabase(config, logger);
    await assertMigrated({ pool: database.pool, migrationsDirectory, service: name });
    const { AUTH_URL: issuer, AUTH_JWKS_URL: jwks = `${issuer}/jwks` } = config;
    const verifier = createVerifier({ issuer, jwks, revocations: config.AUTH_REVOCATIONS_URL });
    return buildApp({ config, database, verifier, logger, version: readVersion(manifest) });
  },
});
