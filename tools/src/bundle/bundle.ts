import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { rolldown, type RolldownOutput } from 'rolldown';
import { buildConsole, consoleDirectory } from '../console/build-console.ts';
import type { BundleContents } from './contents.ts';
import { copyFiles, copyPackages, packageOf } from './packages.ts';

/** Packages that find files of their own beside their code, so that they must stay where they are. */
const unbundled = [
  ...['bcrypt', '@fastify/swagger-ui', '@prisma/schema-engine-wasm', 'piscina'],
  ...['pdfkit', 'harfbuzzjs', 'subset-font', 'fontverter', 'sharp'],
];
/** Optional parts of `pg`, for which it asks in a way that bears their absence; and what judges migrations in a checkout. */
const absent = ['pg-native', 'pg-cloudflare', 'libpg-query'];

export interface BundlePlace {
  workspaceRoot: string;
  /** Where the bundle is written; what was there goes. */
  directory: string;
}

/**
 * Bundles programs with everything they import, so that Node alone runs them. The folder it writes is laid out as a
 * checkout is, and holds nothing that its programs do not use. Returns the files that it was made of.
 *
 * @throws Error when an import cannot be resolved.
 */
export async function bundle(
  { home, programs, manifest, folders, files, withConsole }: BundleContents,
  { workspaceRoot, directory }: BundlePlace,
): Promise<string[]> {
  await rm(directory, { recursive: true, force: true });
  const output = await bundlePrograms({
    programs: Object.fromEntries(
      Object.entries(programs).map(([program, source]) => [program, join(workspaceRoot, source)]),
    ),
    directory: join(directory, home, 'dist'),
  });
  await copyPackages(packagesOf(output), { from: workspaceRoot, to: directory });
  await copyFiles(files, { from: workspaceRoot, to: directory });
  for (const folder of folders) {
    await cp(join(workspaceRoot, folder), join(directory, folder), { recursive: true });
  }
  if (withConsole) await buildConsole({ workspaceRoot, directory: join(directory, consoleDirectory) });
  await mkdir(join(directory, home), { recursive: true });
  await writeFile(join(directory, home, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return output.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds.filter(isAbsolute) : []));
}

async function bundlePrograms(task: {
  programs: Record<string, string>;
  directory: string;
}): Promise<RolldownOutput> {
  await using build = await rolldown({
    input: task.programs,
    platform: 'node',
    resolve: { conditionNames: ['@tenantry/source', 'node'] },
    external: (id) => [...unbundled, ...absent].includes(packageOf(id)),
    onLog: (_level, log) => {
      // Whatever it would leave to chance is a program that fails in production.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  return await build.write({
    dir: task.directory,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
}

/** The packages that a bundle still imports. */
function packagesOf({ output }: RolldownOutput): string[] {
  const files = new Set(output.map(({ fileName }) => fileName));
  const imports = output.flatMap((file) =>
    file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : [],
  );
  const foreign = imports.filter((id) => !files.has(id) && !isBuiltin(id)).map(packageOf);
  return [...new Set(foreign)].filter((name) => !absent.includes(name));
}
