import type { PrismaNamespace } from '@tenantry/tenancy';
import type { TProperties } from 'typebox';
import { keepsAuditTrail } from '../audit/audit-retention.ts';
import { defineService, type DefinedService } from '../definition/definition.ts';
import { peerSettings } from '../peers/peers.ts';
import * as settings from '../settings/settings.ts';
import { businessSettings, type BuildParts, type BusinessDefinition, type NoSettings } from './definition.ts';
import { composeFeatures } from './features.ts';

/** A business service: it can be run, built in a test, or described. */
export type BusinessService<Settings extends TProperties = TProperties> = DefinedService<
  BuildParts<Settings>
> &
  Pick<BusinessDefinition<Settings>, 'archive'>;

/**
 * Defines a business service: every route needs a token unless it says `public`, every row belongs to the token's organization,
 * and responses and errors use the envelope.
 *
 * @throws Error when its package.json is not complete.
 * @example
 * export const service = defineBusinessService({
 *   manifest: new URL('../package.json', import.meta.url),
 *   title: 'Tenantry leads',
 *   models: Prisma,
 *   prisma: (adapter) => new PrismaClient({ adapter }),
 *   features: ({ tenantOf }) => ({ routes: [(app) => leadsRoutes(app, { leads, tenantOf })] }),
 * });
 */
export function defineBusinessService<Settings extends TProperties = NoSettings>(
  definition: BusinessDefinition<Settings>,
): BusinessService<Settings> {
  return defineService({
    ...definition,
    settings: {
      ...businessSettings,
      ...(keepsAuditTrail(definition.models) && settings.auditSettings),
      ...(definition.archive && peerSettings),
      ...definition.settings,
    },
    unscoped: { ...sharedUnscoped(definition.models), ...definition.unscoped },
    failures: 'envelope',
    features: (parts: BuildParts<Settings>) => composeFeatures(definition, parts),
  });
}

/** The models that several services share and that belong to no organization, and why; those that a service has. */
function sharedUnscoped({ ModelName }: PrismaNamespace): Readonly<Record<string, string>> {
  const reasons = {
    DueWork: 'names organizations and rows, for workers that are in no organization yet',
    OrganizationEnd: 'names organizations that were deleted, for workers that are in none',
    EventReader: 'the cursor of the event reader',
    EventSubject: 'has only ids, for a reader that is in no organization yet',
    StorageUse: 'has ids and numbers alone: a transaction may change what several organizations store',
    StorageLimits: 'the quotas of the settings, in one row',
    StorageQuota: 'has ids and numbers alone, for a reader that is in no organization yet',
  };
  return Object.fromEntries(Object.entries(reasons).filter(([model]) => model in ModelName));
}
