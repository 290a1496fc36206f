export { buildService } from './definition/build.ts';
export { openDatabase } from './definition/database.ts';
export type { DatabaseConfig } from './definition/database.ts';
export { defineService } from './definition/definition.ts';
export type {
  DefinedService,
  ServiceDefinition,
  ServiceFeatures,
  ServiceParts,
} from './definition/definition.ts';
export { readManifest } from './definition/manifest.ts';
export type { Manifest } from './definition/manifest.ts';
export { runService } from './definition/run.ts';
export type { ServiceConfig, StandardConfig } from './definition/service-config.ts';
