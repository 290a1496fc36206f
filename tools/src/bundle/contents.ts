import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { databaseServices, ExplainedError } from '@tenantry/dev-database';
import { hasConsole } from '../console/build-console.ts';
import { discoverServices } from '../services.ts';

/** What a bundle is made of; paths are relative to the workspace and the same in the bundle. */
export interface BundleContents {
  /** Folder that the programs run in, as `apps/leads-service`. */
  home: string;
  /** Source of each program, by the name of its file in `dist`. */
  programs: Readonly<Record<string, string>>;
  /** The package.json in `home`: services read their name, version, port and prefix there. */
  manifest: Manifest;
  /** What is copied as it is. */
  folders: readonly string[];
  /** Files and folders of installed packages that the programs read, by the name by which they find them. */
  files: readonly string[];
  /** Whether the console is built into it. */
  withConsole: boolean;
}

interface Manifest {
  name: string;
  version: string;
  type: 'module';
  tenantry?: { gateway?: boolean; programs?: string[]; files?: string[] };
}

export interface BundleOptions {
  workspaceRoot: string;
  /** Commit that is built; the version then ends with it, as in 0.1.0+4f2a91c. */
  revision: string | undefined;
}

const migrate = 'migrate';

/** The names that can be bundled: every service, and the program that migrates their databases. */
export function bundleable(workspaceRoot: string): string[] {
  return [...discoverServices(workspaceRoot).map(({ name }) => name), migrate];
}

/** @throws ExplainedError for an unknown name. */
export function describeBundle(name: string, { workspaceRoot, revision }: BundleOptions): BundleContents {
  const names = bundleable(workspaceRoot);
  if (!names.includes(name)) {
    throw new ExplainedError(
      `There is nothing to bundle that is called "${name}". There are: ${names.join(', ')}.`,
    );
  }
  const describe = name === migrate ? migrationBundle : serviceBundle;
  const contents = describe(name, workspaceRoot);
  return { ...contents, manifest: stamped(contents.manifest, revision) };
}

function serviceBundle(name: string, workspaceRoot: string): BundleContents {
  const home = `apps/${name}`;
  const { version, tenantry = {} } = readManifest(join(workspaceRoot, home));
  const programs = ['main', ...(tenantry.programs ?? [])];
  const migrations = `${home}/prisma/migrations`;
  return {
    home,
    // Beside each other, whatever folder their sources are in.
    programs: Object.fromEntries(programs.map((program) => [basename(program), `${home}/src/${program}.ts`])),
    manifest: { name, version, type: 'module', tenantry },
    folders: existsSync(join(workspaceRoot, migrations)) ? [migrations] : [],
    files: tenantry.files ?? [],
    withConsole: tenantry.gateway === true && hasConsole(workspaceRoot),
  };
}

function migrationBundle(name: string, workspaceRoot: string): BundleContents {
  return {
    home: `apps/${name}`,
    programs: { main: 'tools/src/migrate/main.ts' },
    manifest: { name, version: readManifest(workspaceRoot).version, type: 'module' },
    folders: databaseServices(workspaceRoot).map((service) => `apps/${service.name}/prisma`),
    files: [],
    withConsole: false,
  };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

const revisionLength = 12;

function stamped(manifest: Manifest, revision: string | undefined): Manifest {
  if (revision === undefined) return manifest;
  return { ...manifest, version: `${manifest.version}+${revision.slice(0, revisionLength)}` };
}
