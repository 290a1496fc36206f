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
    .filter(hasSchema);
}

const hasSchema = ({ projectRoot }: DatabaseService): boolean =>
  existsSync(join(projectRoot, 'prisma', 'schema.prisma'));

const templateFolder = 'service-template';

/** The service that new ones are made from. Its migration is written and checked like all others, and run by its tests alone. */
export const serviceTemplate = (root = workspaceRoot): DatabaseService => ({
  name: 'field-notes-service',
  projectRoot: join(root, 'tools', templateFolder),
});

/** Every service whose migrations are checked: those with a database, and the template. */
export const checkedServices = (root = workspaceRoot): DatabaseService[] =>
  [...databaseServices(root), serviceTemplate(root)].filter(hasSchema);

/** The service of this name; fails with the list of existing ones. */
export function databaseService(name: string, root = workspaceRoot): DatabaseService {
  if (name === templateFolder) return serviceTemplate(root);
  const services = databaseServices(root);
  const found = services.find((service) => service.name === name);
  if (found) return found;
  const names = services.map((service) => service.name).join(', ');
  throw new ExplainedError(`There is no service "${name}" with a database. There are: ${names}.`);
}

/** `leads-service` → LEADS_SERVICE: what the names of a service's own variables begin with. */
export const variablePrefix = (service: string): string => service.replaceAll('-', '_').toUpperCase();
