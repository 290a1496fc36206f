export { ConfigError, readConfig } from './config.ts';
export * as settings from './settings.ts';
