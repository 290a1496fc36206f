import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a service's package.json says of it. */
export interface Manifest {
  /** Name of its folder under apps, as `leads-service`. */
  readonly name: string;
  readonly version: string;
  /** Where it listens unless PORT says otherwise. */
  readonly port: number;
  /** The path that the gateway routes to it, as `/api/leads`. */
  readonly prefix: string;
  /** Its prisma/migrations. */
  readonly migrationsDirectory: string;
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly tenantry?: { readonly port?: number; readonly prefix?: string };
}

/**
 * Reads a service's package.json.
 *
 * @throws Error when it has no `tenantry` entry with port and prefix.
 */
export function readManifest(packageJson: URL): Manifest {
  const { name, version, tenantry } = JSON.parse(readFileSync(packageJson, 'utf8')) as PackageJson;
  const { port, prefix } = tenantry ?? {};
  if (port === undefined || prefix === undefined) {
    throw new Error(`${name} needs a port and a prefix: set both under "tenantry" in its package.json.`);
  }
  return {
    name: name.replace(/^@tenantry\//, ''),
    version,
    port,
    prefix,
    migrationsDirectory: fileURLToPath(new URL('prisma/migrations', packageJson)),
  };
}
