import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';

/** What the tools know of a service: its folder's name and the `tenantry` entry of its package.json. */
export interface ServiceDescription {
  /** Name of the folder under apps, as `leads-service`. */
  name: string;
  directory: string;
  /** The port it listens on by default. */
  port: number;
  /** The path the gateway routes to it; the gateway itself has none. */
  prefix: string | undefined;
  /** Secrets it is given, by the name of their variable. */
  secrets: readonly string[];
  /** True with a Prisma schema: it has a database of its own. */
  hasDatabase: boolean;
}

interface Entry {
  port: number;
  prefix?: string;
  gateway?: boolean;
  /** The web front end, which is built and not run. */
  console?: boolean;
  secrets?: string[];
}

/**
 * Reads the services from apps/*: a new one is found by its package.json, and nothing here changes.
 *
 * @throws ExplainedError for an entry that is missing or not complete.
 */
export function discoverServices(workspaceRoot: string): ServiceDescription[] {
  const apps = join(workspaceRoot, 'apps');
  const services = readdirSync(apps)
    .filter((name) => existsSync(join(apps, name, 'package.json')))
    .map((name) => ({ name, directory: join(apps, name), entry: readEntry(join(apps, name)) }))
    .filter(({ entry }) => entry?.console !== true)
    .map(describeService);
  if (services.filter((service) => service.prefix === undefined).length !== 1) {
    throw new ExplainedError('Exactly one package under apps must say "tenantry": { "gateway": true }.');
  }
  return services;
}

function readEntry(directory: string): Entry | undefined {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { tenantry?: Entry };
  return manifest.tenantry;
}

interface App {
  readonly name: string;
  readonly directory: string;
  readonly entry: Entry | undefined;
}

function describeService({ name, directory, entry }: App): ServiceDescription {
  if (!Number.isInteger(entry?.port) || (entry?.prefix === undefined) !== (entry?.gateway === true)) {
    throw new ExplainedError(
      `apps/${name}/package.json needs its entry, like "tenantry": { "port": 3004, "prefix": "/api/${name.replace(/-service$/, '')}" }.`,
    );
  }
  return {
    name,
    directory,
    port: entry?.port ?? 0,
    prefix: entry?.prefix,
    secrets: entry?.secrets ?? [],
    hasDatabase: existsSync(join(directory, 'prisma', 'schema.prisma')),
  };
}
