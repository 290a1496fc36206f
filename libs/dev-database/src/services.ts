import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExplainedError } from './explained-error.ts';

/** The checkout's root. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** A service that has a database of its own. */
export interface DatabaseService {
  /** Name of its folder under apps, as `leads-service`. */
  name: string;
  projectRoot: string;
}

/** Every service with a Prisma schema, by name. */
export function databaseServices(root = workspaceRoot): DatabaseService[] {
  const apps = join(root, 'apps');
  return readdirSync(apps)
    .sort()
    .map((name) => ({ name, projectRoot: join(apps, name) }))
    .filter(({ projectRoot }) => existsSync(join(projectRoot, 'prisma', 'schema.prisma')));
}

/** The service of this name; fails with the list of existing ones. */
export function databaseService(name: string, root = workspaceRoot): DatabaseService {
  const services = databaseServices(root);
  const found = services.find((service) => service.name === name);
  if (found) return found;
  const names = services.map((service) => service.name).join(', ');
  throw new ExplainedError(`There is no service "${name}" with a database. There are: ${names}.`);
}

/** `leads-service` → LEADS_SERVICE: what the names of a service's own variables begin with. */
export const variablePrefix = (service: string): string => service.replaceAll('-', '_').toUpperCase();
