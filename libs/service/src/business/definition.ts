import type { Verifier } from '@tenantry/jwt-verify';
import type { Static, TObject, TProperties } from 'typebox';
import type { OrganizationScope, TenantScope } from '@tenantry/tenancy';
import type { ArchivedFile, ArchiveParts } from '../archive/archive.ts';
import type { FilesAsked } from '../archive/archive.routes.ts';
import type { ServiceDefinition, ServiceFeatures, ServiceParts } from '../definition/definition.ts';
import type { ServiceConfig } from '../definition/service-config.ts';
import type { PeerConfig } from '../peers/peers.ts';
import * as settings from '../settings/settings.ts';
import type { Once } from '../idempotency/idempotent-route.ts';
import type { ContextOf } from '../tenants/context.ts';
import type { OpenLink } from '../tenants/links.ts';
import type { TenantOf } from '../tenants/tenants.ts';
import type { Chores } from '../work/housekeeping.ts';

/** What differs between business services. */
export interface BusinessDefinition<Settings extends TProperties> extends Omit<
  ServiceDefinition<ServiceParts>,
  'settings' | 'failures' | 'features'
> {
  /** Settings beyond those of every business service, by the name of their variable. */
  readonly settings?: Settings;
  /** What of it is in the archive of an organization. */
  readonly archive?: ArchiveDefinition;
  /** Composes its features; called once for each instance. */
  features(parts: BusinessParts<Settings>): BusinessFeatures;
}

/** All tables of a service, and those that people get as tables. */
export type ArchiveDefinition = Pick<ArchiveParts, 'tables' | 'sheets'> & {
  /** The resource, such as `Leads`: names of operations are unique across services. */
  readonly name: string;
  /** Kinds of daily work that the rows of an organization cause, which an import schedules. */
  readonly chores?: readonly string[];
};

/** The settings of a service that has none of its own. */
// oxlint-disable-next-line typescript/no-empty-object-type -- an index signature would allow every name
export type NoSettings = {};

/** Settings of every business service, in addition to those of every service. */
export const businessSettings = {
  ...settings.replicaSettings,
  ...settings.verifierSettings,
  ...settings.quotaSettings,
};

/** The parsed, frozen configuration of a business service with these settings of its own. */
export type BusinessConfig<Settings extends TProperties = NoSettings> = ServiceConfig<Settings> &
  Readonly<Static<TObject<typeof businessSettings>>> &
  // A setting of services with an audit trail.
  Readonly<Partial<Static<TObject<typeof settings.auditSettings>>>> &
  // Settings of services with an archive.
  Partial<PeerConfig>;

/** The parts of a business service; parts that are not given are created from the configuration. */
export interface BuildParts<Settings extends TProperties> extends ServiceParts<BusinessConfig<Settings>> {
  /** The instance closes it when it is closed. */
  readonly verifier?: Verifier;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** What routes ask about a request, and how they do its work. */
export interface Requests {
  /**
   * The rows of the caller's organization, on a route with a permission. It throws on a public route, where the caller is
   * unknown: there the organization comes from a token in a link, by `openLink`.
   */
  readonly tenantOf: TenantOf;
  /** Those rows, with the actor and the time: the first parameter of use cases that write. */
  readonly contextOf: ContextOf;
  /** Does the work of a route that is `idempotent`. */
  readonly once: Once;
  readonly now: () => Date;
}

/** What a business service passes to its features. */
export interface BusinessParts<Settings extends TProperties = NoSettings>
  extends ServiceParts<BusinessConfig<Settings>>, Requests {
  readonly openLink: OpenLink;
}

/** What a business service does. */
export interface BusinessFeatures extends Pick<ServiceFeatures, 'routes' | 'background' | 'redisCheck'> {
  /** Recurring deletions of an organization's data, by the kind of due work that schedules them. */
  readonly chores?: Chores;
  /** Files of the archive beside its tables. */
  readonly archiveFiles?: (
    tenant: TenantScope<OrganizationScope>,
    asked: FilesAsked,
  ) => AsyncIterable<ArchivedFile>;
}
