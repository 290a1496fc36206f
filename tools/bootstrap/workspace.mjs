import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const workspaceRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The Node that package-lock.json pins; npm installed it as a package. */
export const pinnedNode = join(workspaceRoot, 'node_modules/node/bin/node');

/** Reads a JSON file of the workspace; undefined when it is missing or half-written. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(workspaceRoot, path), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The services that keep data, those with a Prisma schema; and the one that new ones are made from. */
export function servicesWithSchema() {
  return [
    ...readdirSync(join(workspaceRoot, 'apps')).map((name) => `apps/${name}`),
    'tools/service-template',
  ].filter((path) => existsSync(join(workspaceRoot, path, 'prisma/schema.prisma')));
}
