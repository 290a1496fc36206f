import type { Verifier } from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createService, type Logger, type Service } from '@tenantry/service-kit';
import type { Config } from './config.ts';
import type { Database } from './database.ts';

/** What the service is made of; whoever builds it closes it by closing the instance. */
export interface Dependencies {
  readonly config: Pick<Config, 'NODE_ENV' | 'TRUST_PROXY'>;
  readonly database: Database;
  readonly verifier: Verifier;
  readonly logger: Logger;
  readonly version: string;
}

/** Composes the quotes of the organization. */
export async function buildApp({
  config,
  database,
  verifier,
  logger,
  version,
}: Dependencies): Promise<Service> {
  const app = await createService({
    name: 'quotation-service',
    version,
    logger,
    failures: 'envelope',
    access: jwtAccess(verifier),
    checks: { database: () => database.check() },
    unreadyBecause: () => verifier.unreadyBecause(),
    openapi: { title: 'Tenantry quotation', path: '/api/quotation/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  app.addHook('onClose', async () => {
    verifier.close();
    await database.close();
  });
  return app;
}
