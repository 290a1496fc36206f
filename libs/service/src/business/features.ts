import { permissions } from '@tenantry/contracts';
import { jwtAccess, memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyRequest } from 'fastify';
import type { TProperties } from 'typebox';
import { auditNamesChores } from '../audit/audit-names.ts';
import { auditChores, keepsAuditTrail } from '../audit/audit-retention.ts';
import { Archives } from '../archive/archive.ts';
import { announceExport } from '../archive/announce.ts';
import {
  archiveRoutes,
  archiveTurns,
  measureTurns,
  type ExportAsked,
  type FilesAsked,
} from '../archive/archive.routes.ts';
import { readManifest } from '../definition/manifest.ts';
import type { ServiceFeatures } from '../definition/definition.ts';
import type { Service } from '../http/service.ts';
import { Idempotency, storesResponses } from '../idempotency/idempotency.ts';
import { lastMigration } from '@tenantry/tenancy';
import type { PeerConfig } from '../peers/peers.ts';
import { EndsRepository, knowsEnds } from '../organizations/ends.repository.ts';
import { declareQuota } from '../storage/quota-refusals.ts';
import { watchStorage } from '../storage/storage-watch.ts';
import { countsStorage, StorageRepository } from '../storage/storage.repository.ts';
import { createContextOf } from '../tenants/context.ts';
import { declareInvalidKeys } from '../failures/invalid-key.ts';
import { expectOrganization } from '../tenants/expected-organization.ts';
import { createOpenLink } from '../tenants/links.ts';
import { giveConsistencyTokens, watchReplica } from '../tenants/replica.ts';
import { createTenantOf } from '../tenants/tenants.ts';
import { createHousekeeping } from '../work/housekeeping.ts';
import type { BuildParts, BusinessDefinition } from './definition.ts';
import { followAuthService, openVerifier } from './verifier.ts';

/** Adds what all business services share to a service's features. */
export function composeFeatures<Settings extends TProperties>(
  definition: BusinessDefinition<Settings>,
  { config, database, logger, now = () => new Date(), ...given }: BuildParts<Settings>,
): ServiceFeatures {
  const { models } = definition;
  const { verifier = openVerifier(config, logger) } = given;
  const tenantOf = createTenantOf(database);
  const contextOf = createContextOf(tenantOf, now);
  const idempotency = new Idempotency(contextOf);
  const ends = knowsEnds(models) ? new EndsRepository() : undefined;
  const archive = archiveOf(definition, config);
  const own = definition.features({
    config,
    database,
    logger,
    now,
    tenantOf,
    contextOf,
    once: idempotency.once,
    openLink: createOpenLink(database, ends && ((id) => ends.hasEnded(database.unscoped, id))),
  });
  const chores = {
    ...(storesResponses(models) && idempotency.chores()),
    // Only services that keep an audit trail have the setting.
    ...auditChores(config.AUDIT_RETENTION_DAYS ?? 0),
    ...(keepsAuditTrail(models) && auditNamesChores),
    ...own.chores,
  };
  const { archiveFiles } = own;
  const filesOf =
    archiveFiles && ((request: FastifyRequest, asked: FilesAsked) => archiveFiles(tenantOf(request), asked));
  return {
    access: jwtAccess(verifier, { permissions }),
    redisCheck: own.redisCheck,
    prepare(app) {
      expectOrganization(app);
      declareInvalidKeys(app);
      if (countsStorage(models)) declareQuota(app);
      idempotency.serve(app);
      giveConsistencyTokens(app, database.replica);
    },
    routes: [
      ...(own.routes ?? []),
      ...(archive
        ? [
            (app: Service) =>
              archiveRoutes(app, { ...archive, tenantOf, filesOf, hasPdfs: filesOf !== undefined }),
          ]
        : []),
    ],
    background: [
      followAuthService(verifier),
      ...(archive ? [{ close: async () => undefined, measurements: measureTurns(archive.turns) }] : []),
      ...(countsStorage(models)
        ? [watchStorage({ config, database, logger, repository: new StorageRepository() })]
        : []),
      ...(own.background ?? []),
      ...createHousekeeping(chores, { database, logger }),
      ...(database.replica ? [watchReplica(database.replica)] : []),
    ],
  };
}

/** What the route of the archive is made with. */
function archiveOf<Settings extends TProperties>(
  { archive, manifest }: BusinessDefinition<Settings>,
  { AUTH_INTERNAL_URL, INTERNAL_API_KEY }: Partial<PeerConfig>,
) {
  if (!archive || AUTH_INTERNAL_URL === undefined || INTERNAL_API_KEY === undefined) return undefined;
  const { name: service, prefix, migrationsDirectory } = readManifest(manifest);
  const migration = () => lastMigration(migrationsDirectory);
  const config = { AUTH_INTERNAL_URL, INTERNAL_API_KEY };
  return {
    ...{ service, path: `${prefix}/export/organization`, name: archive.name },
    announce: (request: FastifyRequest, asked: ExportAsked) =>
      announceExport(config, { member: memberOf(request), clientAddress: request.ip, service, ...asked }),
    archives: new Archives({ ...archive, service, migration }),
    turns: archiveTurns(),
  };
}
