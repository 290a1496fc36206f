import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildConsole, consoleHome, type ConsoleBuild } from './build-console.ts';

const cache = 'node_modules/.cache/tenantry/console';

/** What a build is made of; the last one says which packages are installed. */
const inputs = [
  `${consoleHome}/index.html`,
  `${consoleHome}/package.json`,
  `${consoleHome}/vite.config.mjs`,
  `${consoleHome}/public`,
  `${consoleHome}/src`,
  'libs/client/src',
  'libs/money/src',
  'libs/text/src',
  'package-lock.json',
];

/** Another start may be about to read one that is not the newest any more. */
const keptMax = 3;

/** Where the build of the sources as they are is kept, once it is made. */
export async function keptBuild(workspaceRoot: string): Promise<string> {
  return join(workspaceRoot, cache, await fingerprint(workspaceRoot));
}

/** Whether a build is there as a whole. */
export const isBuilt = (directory: string): boolean => existsSync(join(directory, 'index.html'));

/** Builds aside and moves it there: of two starts at once, each finds a whole one. */
export async function makeKeptBuild({ directory, ...build }: ConsoleBuild): Promise<void> {
  const aside = `${directory}.${process.pid}`;
  try {
    await buildConsole({ ...build, directory: aside });
    await rename(aside, directory).catch((error: unknown) => {
      if (!isBuilt(directory)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await forgetOldBuilds(join(build.workspaceRoot, cache));
}

/** Contents, not times: a checkout of another branch gives files any time. */
async function fingerprint(workspaceRoot: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await filesOf(inputs.map((input) => join(workspaceRoot, input)))) {
    hash
      .update(relative(workspaceRoot, file))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths.filter(existsSync)) {
    if (!(await stat(path)).isDirectory()) files.push(path);
    else files.push(...(await filesOf((await readdir(path)).toSorted().map((name) => join(path, name)))));
  }
  return files;
}

async function forgetOldBuilds(folder: string): Promise<void> {
  const names = await readdir(folder);
  const builds = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = builds.toSorted((one, other) => other.at - one.at).slice(keptMax);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}
