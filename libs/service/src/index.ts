export type { BackgroundWork } from './background.ts';
export { buildService } from './build.ts';
export { openDatabase } from './database.ts';
export type { DatabaseConfig } from './database.ts';
export { defineService } from './definition.ts';
export type { DefinedService, ServiceDefinition, ServiceFeatures, ServiceParts } from './definition.ts';
export type { Manifest } from './manifest.ts';
export { runService } from './run.ts';
export type { ServiceConfig, StandardConfig } from './service-config.ts';
