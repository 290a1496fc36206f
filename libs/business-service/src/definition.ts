import { settings, type HealthCheck, type Service } from '@tenantry/service-kit';
import type { PrismaClientLike, TenantDatabaseOptions } from '@tenantry/tenancy';
import { Type, type TObject, type TProperties } from 'typebox';
import { keepsAuditTrail } from './audit/audit-retention.ts';
import type { BackgroundWork } from './background.ts';
import type { RolePermissions } from './permissions.ts';
import type { Chores } from './housekeeping.ts';
import { readManifest, type Manifest } from './manifest.ts';
import type { ServiceParts } from './parts.ts';
import { standardSettings, type NoSettings } from './service-settings.ts';

/** What tells one business service from another. */
export interface ServiceDefinition<
  Client extends PrismaClientLike,
  Settings extends TProperties,
> extends Pick<TenantDatabaseOptions<Client>, 'models' | 'unscoped' | 'prisma'> {
  /** Its package.json: name, version, port and prefix. */
  readonly manifest: URL;
  /** Title of its OpenAPI document. */
  readonly title: string;
  /** Settings beyond those of every business service, by the name of their variable. */
  readonly settings?: Settings;
  /** Permissions of its own, by role, beside those that Tenantry's services share. auth-service shows the same table. */
  readonly permissions?: RolePermissions;
  /** Puts its features together; called once for each instance that is built. */
  features(parts: ServiceParts<Client, Settings>): ServiceFeatures;
}

/** What a service does. */
export interface ServiceFeatures {
  /** One plugin for each feature. */
  readonly routes?: readonly ServiceRoutes[];
  /** What an instance does beside answering requests. */
  readonly background?: readonly BackgroundWork[];
  /** What is deleted of an organization from time to time, by the kind of the due work that says when. */
  readonly chores?: Chores;
  /** Asks whether Redis is up, where the service uses one. */
  readonly redisCheck?: HealthCheck;
}

/** The routes of one feature. */
export type ServiceRoutes = (app: Service) => Promise<void> | void;

/** A business service, ready to be run, built in a test or described. */
export interface BusinessService<
  Client extends PrismaClientLike = PrismaClientLike,
  Settings extends TProperties = TProperties,
>
  extends Omit<ServiceDefinition<Client, Settings>, 'manifest' | 'settings'>, Manifest {
  /** All settings that it reads. */
  readonly config: TObject;
}

/**
 * Defines a business service. Name, version, port and prefix come from its package.json.
 *
 * @throws Error when that file is not complete.
 * @example
 * export const service = defineBusinessService({
 *   manifest: new URL('../package.json', import.meta.url),
 *   title: 'Tenantry leads',
 *   models: Prisma,
 *   prisma: (adapter) => new PrismaClient({ adapter }),
 *   features: ({ tenantOf }) => ({ routes: [(app) => leadsRoutes(app, { leads, tenantOf })] }),
 * });
 */
export function defineBusinessService<
  Client extends PrismaClientLike,
  Settings extends TProperties = NoSettings,
>(definition: ServiceDefinition<Client, Settings>): BusinessService<Client, Settings> {
  const { manifest, settings: own, ...rest } = definition;
  const described = readManifest(manifest);
  const config = Type.Object({
    ...standardSettings,
    ...(keepsAuditTrail(definition.models) && settings.auditSettings),
    ...own,
    PORT: settings.port(described.port),
  });
  return Object.freeze({ ...rest, ...described, config });
}
