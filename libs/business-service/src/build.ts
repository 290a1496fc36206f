import type { Verifier } from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createService, peerAccess, type Logger, type Service } from '@tenantry/service-kit';
import {
  createTenantDatabase,
  type PrismaClientLike,
  type PrismaNamespace,
  type TenantDatabase,
} from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import type { TProperties } from 'typebox';
import { auditNamesChores } from './audit/audit-names.ts';
import { auditChores, keepsAuditTrail } from './audit/audit-retention.ts';
import { firstReason, runWithService } from './background.ts';
import type { BusinessService } from './definition.ts';
import { createContextOf } from './context.ts';
import { expectOrganization } from './expected-organization.ts';
import { createHousekeeping, type Chores } from './housekeeping.ts';
import type { ServiceConfig } from './service-settings.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { createOpenLink } from './links.ts';
import { EndsRepository, knowsEnds } from './organizations/ends.repository.ts';
import { giveConsistencyTokens, watchReplica } from './replica.ts';
import { permissionsWith } from './permissions.ts';
import { RequestTenants, type TenantOf } from './tenants.ts';
import { verifierMeasurements } from './verifier-metrics.ts';

/** What a service is built of; the instance closes verifier and database when it is closed. */
export interface BuildOptions<Client, Settings extends TProperties> {
  readonly config: ServiceConfig<Settings>;
  readonly database: TenantDatabase<Client>;
  readonly verifier: Verifier;
  readonly logger: Logger;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Opens a service's database; connections are made when they are needed. */
export function openDatabase<Client extends PrismaClientLike, Settings extends TProperties>(
  { name, models, unscoped, prisma }: BusinessService<Client, Settings>,
  { config, logger }: Pick<BuildOptions<Client, Settings>, 'config' | 'logger'>,
): TenantDatabase<Client> {
  return createTenantDatabase({
    connectionString: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    binding: config.TENANT_BINDING,
    applicationName: name,
    onConnectionLost: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
    replica:
      config.DATABASE_REPLICA_URL === undefined
        ? undefined
        : {
            connectionString: config.DATABASE_REPLICA_URL,
            onChange: (reason) => {
              if (reason)
                logger.warn({ err: reason }, 'the replica is passed over, the primary is read in its place');
              else logger.info('the replica is read again');
            },
          },
    models,
    prisma,
    ...(unscoped && { unscoped }),
  });
}

/**
 * Builds a business service: every route needs a token unless it says `public`, every row belongs to the token's
 * organization, failures come in the envelope, health and OpenAPI are there.
 */
export async function buildBusinessService<Client extends PrismaClientLike, Settings extends TProperties>(
  service: BusinessService<Client, Settings>,
  { config, database, verifier, logger, now = () => new Date() }: BuildOptions<Client, Settings>,
): Promise<Service> {
  const tenants = new RequestTenants(database);
  const tenantOf: TenantOf<Client> = (request) => tenants.of(request);
  const idempotency = new Idempotency(tenants);
  const ends = knowsEnds(service.models) ? new EndsRepository() : undefined;
  const parts = {
    ...{ config, database, logger, now },
    tenantOf,
    contextOf: createContextOf(tenantOf, now),
    openLink: createOpenLink(database, ends && ((id) => ends.hasEnded(database.unscoped, id))),
    isAnswered: (request: FastifyRequest) => idempotency.isAnswered(request),
  };
  const { routes = [], background = [], chores: own = {}, redisCheck } = service.features(parts);
  // Only services that read peerSettings have the setting.
  const { INTERNAL_API_KEY: peerKeys } = config as { readonly INTERNAL_API_KEY?: readonly string[] };
  const app = await createService({
    name: service.name,
    version: service.version,
    logger,
    failures: 'envelope',
    access: {
      ...jwtAccess(verifier, { permissions: permissionsWith(service.permissions) }),
      ...(peerKeys && { internal: peerAccess(peerKeys) }),
    },
    pool: database.pool,
    checks: { database: () => database.check(), ...(redisCheck && { redis: redisCheck }) },
    unreadyBecause: firstReason([
      () => verifier.unreadyBecause(),
      ...background.map((part) => async () => part.unreadyBecause?.()),
    ]),
    openapi: { title: service.title, path: `${service.prefix}/openapi.json` },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  // Hooks close in the opposite order: the work before what it works with.
  app.addHook('onClose', async () => {
    verifier.close();
    await database.close();
  });
  app.measure(verifierMeasurements(verifier));
  expectOrganization(app);
  idempotency.serve(app);
  giveConsistencyTokens(app, database.replica);
  for (const feature of routes) await app.register(async (scope: Service) => feature(scope));

  const chores = { ...idempotency.chores(), ...trailChores(service.models, config), ...own };
  runWithService(app, [
    ...background,
    ...createHousekeeping({ database, logger, chores }),
    ...(database.replica ? [watchReplica(database.replica)] : []),
  ]);
  return app;
}

function trailChores(models: PrismaNamespace, config: object): Chores {
  // Only services that keep an audit trail have the setting.
  const { AUDIT_RETENTION_DAYS: days = 0 } = config as { readonly AUDIT_RETENTION_DAYS?: number };
  return { ...auditChores(days), ...(keepsAuditTrail(models) && auditNamesChores()) };
}
