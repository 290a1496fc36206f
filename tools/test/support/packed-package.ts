import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@tenantry/test-kit';

const workspaceRoot = join(import.meta.dirname, '../../..');

/** Where the programs of the workspace's dependencies are. */
export const programs = join(workspaceRoot, 'node_modules/.bin');

/** What is read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly repository: { readonly url: string; readonly directory: string };
  readonly publishConfig: { readonly access: string };
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** A package as npm would publish it, and an empty project that has installed it. */
export interface PackedPackage {
  readonly manifest: Manifest;
  /** The folder it was packed in, built. */
  readonly folder: string;
  readonly tarball: string;
  readonly files: readonly string[];
  /** The project that installed it. */
  readonly consumer: string;
  /** Installs more into the consumer. */
  readonly install: (...packages: readonly string[]) => Promise<void>;
  readonly remove: () => void;
}

/** Runs a program and gives what it printed; its output is in the error when it fails. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, timeout: patience(120_000) });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/**
 * Packs a library by `npm pack`, its own `prepack` included, in a copy of its place in the workspace, so that the
 * dist of other tests does not change, and installs it into an empty project.
 */
export async function packPackage(library: string): Promise<PackedPackage> {
  const directory = mkdtempSync(join(tmpdir(), `tenantry-${library}-`));
  const folder = join(directory, 'libs', library);
  cpSync(join(workspaceRoot, 'libs', library), folder, {
    recursive: true,
    filter: (source) => !/\/(node_modules|test|\.nx-types)$/.test(source),
  });
  cpSync(join(workspaceRoot, 'tsconfig.base.json'), join(directory, 'tsconfig.base.json'));
  symlinkSync(join(workspaceRoot, 'node_modules'), join(directory, 'node_modules'));

  const packed = await run('npm', ['pack', '--json', '--pack-destination', directory], folder);
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ];
  const tarball = join(directory, filename);
  // Elsewhere: below the copy it would find the workspace's own packages.
  const consumer = mkdtempSync(join(tmpdir(), `tenantry-${library}-consumer-`));
  mkdirSync(consumer, { recursive: true });
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = async (...packages: readonly string[]): Promise<void> => {
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--save-exact'];
    await run('npm', ['install', ...flags, ...packages], consumer);
  };
  await install(tarball);
  return {
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
    folder,
    tarball,
    files: files.map(({ path }) => path),
    consumer,
    install,
    remove: () => {
      for (const each of [directory, consumer]) rmSync(each, { recursive: true });
    },
  };
}
