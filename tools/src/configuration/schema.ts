import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceDescription } from '../services.ts';

/** What the tools read of a setting's schema. */
export interface Setting {
  readonly description?: string;
  readonly default?: unknown;
  readonly developmentDefault?: unknown;
}

/** The settings of one service, as it parses them. */
export interface SettingsSchema {
  readonly properties: Readonly<Record<string, Setting>>;
  readonly required?: readonly string[];
}

/** Reads a service's settings: a service with a database is a definition that holds them, the gateway has a file of them. */
export async function readSettings({ directory }: ServiceDescription): Promise<SettingsSchema> {
  const definition = join(directory, 'src/service.ts');
  if (existsSync(definition)) {
    return ((await importFile(definition)) as { service: { config: SettingsSchema } }).service.config;
  }
  return ((await importFile(join(directory, 'src/config.ts'))) as { ConfigSchema: SettingsSchema })
    .ConfigSchema;
}

const importFile = (path: string) => import(pathToFileURL(path).href) as Promise<unknown>;
