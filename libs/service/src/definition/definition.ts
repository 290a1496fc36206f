import type { TenantDatabase, TenantDatabaseOptions } from '@tenantry/tenancy';
import { Type, type TObject, type TProperties } from 'typebox';
import type { FailureFormat, FailureFormatOf } from '../failures/answers.ts';
import type { HealthCheck } from '../health/health.ts';
import type { Service } from '../http/service.ts';
import type { Logger } from '../logging/logging.ts';
import type { AccessChecks } from '../routes/access.ts';
import * as settings from '../settings/settings.ts';
import type { BackgroundWork } from '../work/background.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { standardSettings, type StandardConfig } from './service-config.ts';

/** What tells one service from another. */
export interface ServiceDefinition<Parts extends ServiceParts> extends Pick<
  TenantDatabaseOptions,
  'models' | 'unscoped' | 'prisma'
> {
  /** Its package.json: name, version, port and prefix. */
  readonly manifest: URL;
  /** Title of its OpenAPI document. */
  readonly title: string;
  /** How its refusals are written: all of them alike, or by path. */
  readonly failures: FailureFormat | FailureFormatOf;
  /** Settings beyond those of every service, by the name of their variable. */
  readonly settings?: TProperties;
  /** Puts its features together; called once for each instance that is built. */
  features(parts: Parts): ServiceFeatures;
}

/** What the features of a service are made with. A service may take more, all of it optional: what tests have otherwise. */
export interface ServiceParts<Config extends StandardConfig = StandardConfig> {
  readonly config: Config;
  readonly database: TenantDatabase;
  readonly logger: Logger;
}

/** What a service does. */
export interface ServiceFeatures {
  /** The checks behind `config.access`. That of `internal` is there in every service with INTERNAL_API_KEY. */
  readonly access: Omit<AccessChecks, 'internal'>;
  /** Adds what every request meets; called before there are routes. */
  prepare?(app: Service): void | Promise<void>;
  /** One plugin for each feature. */
  readonly routes?: readonly ServiceRoutes[] | undefined;
  /** What an instance does beside answering requests. */
  readonly background?: readonly BackgroundWork[];
  /** Asks whether Redis is up, where the service uses one. */
  readonly redisCheck?: HealthCheck | undefined;
}

/** The routes of one feature. */
export type ServiceRoutes = (app: Service) => Promise<void> | void;

/** A service, ready to be run, built in a test or described. */
export interface DefinedService<Parts extends ServiceParts = ServiceParts>
  extends Omit<ServiceDefinition<Parts>, 'manifest' | 'settings'>, Manifest {
  /** All settings that it reads. */
  readonly config: TObject;
}

/**
 * Defines a service with a database. Name, version, port and prefix come from its package.json.
 *
 * @throws Error when that file is not complete.
 */
export function defineService<Parts extends ServiceParts>(
  definition: ServiceDefinition<Parts>,
): DefinedService<Parts> {
  const { manifest, settings: own, ...rest } = definition;
  const described = readManifest(manifest);
  const config = Type.Object({ ...standardSettings, ...own, PORT: settings.port(described.port) });
  return Object.freeze({ ...rest, ...described, config });
}
