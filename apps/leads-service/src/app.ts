import type { Verifier } from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createService, type Logger, type Service } from '@tenantry/service-kit';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { createLeadRepository } from './leads/leads.repository.ts';
import { leadsRoutes } from './leads/leads.routes.ts';
import { createLeads } from './leads/leads.ts';

/** What the service is made of; whoever builds it closes it by closing the instance. */
export interface Dependencies {
  readonly config: Pick<Config, 'NODE_ENV' | 'TRUST_PROXY'>;
  readonly database: Database;
  readonly verifier: Verifier;
  readonly logger: Logger;
  readonly version: string;
}

/** Composes the leads of the CRM: every route needs a token, every row belongs to the token's organization. */
export async function buildApp({
  config,
  database,
  verifier,
  logger,
  version,
}: Dependencies): Promise<Service> {
  const app = await createService({
    name: 'leads-service',
    version,
    logger,
    failures: 'envelope',
    access: jwtAccess(verifier),
    checks: { database: () => database.check() },
    unreadyBecause: () => verifier.unreadyBecause(),
    openapi: { title: 'Tenantry leads', path: '/api/leads/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  app.addHook('onClose', async () => {
    verifier.close();
    await database.close();
  });
  await app.register(leadsRoutes, {
    leads: createLeads(createLeadRepository()),
    within: (scope) => database.within(scope),
  });
  return app;
}
