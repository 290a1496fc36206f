import { createService, type Service } from '../http/service.ts';
import { peerAccess } from '../peers/peer-access.ts';
import { paceWithin } from '../server/slow-bodies.ts';
import { firstReason, runWithService } from '../work/background.ts';
import type { DefinedService, ServiceParts } from './definition.ts';
import type { KnownConfig } from './service-config.ts';

/**
 * Builds a service of its parts: every route says who may call it, failures come in its format, health, OpenAPI and metrics are
 * there, and its work starts and ends with it. The instance closes the database when it is closed.
 */
export async function buildService<Parts extends ServiceParts>(
  service: DefinedService<Parts>,
  parts: Parts,
): Promise<Service> {
  const { database, logger } = parts;
  const config: KnownConfig = parts.config;
  const features = service.features(parts);
  const { access, routes = [], background = [], redisCheck } = features;
  const { INTERNAL_API_KEY: peerKeys } = config;
  const app = await createService({
    name: service.name,
    version: service.version,
    logger,
    failures: service.failures,
    access: { ...access, ...(peerKeys && { internal: peerAccess(peerKeys) }) },
    pool: database.pool,
    checks: { database: () => database.check(), ...(redisCheck && { redis: redisCheck }) },
    unreadyBecause: firstReason(background),
    openapi: { title: service.title, path: `${service.prefix}/openapi.json` },
    trustProxy: config.TRUST_PROXY,
    internalPort: config.INTERNAL_PORT,
    bodyPace: paceWithin(config),
    production: config.NODE_ENV === 'production',
  });
  // Hooks close in the opposite order: the work before what it works with.
  app.addHook('onClose', () => database.close());
  await features.prepare?.(app);
  for (const feature of routes) await app.register(async (scope: Service) => feature(scope));
  runWithService(app, background);
  return app;
}
