import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseServices } from '@tenantry/dev-database';

/** The checkout these tests belong to. */
export const checkoutRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/**
 * Copies the checkout's own files (what git knows or would add) into a folder, with its installed packages as
 * hard links: a checkout of its own, ready in two seconds, that shares no file anybody writes to.
 */
export async function copyCheckout(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const path of await ownFiles()) {
    // Git still lists what was deleted and not committed.
    if (existsSync(join(checkoutRoot, path))) await cp(join(checkoutRoot, path), join(target, path));
  }
  for (const workspace of await workspaces()) await copyFolder(join(workspace, 'src/generated'), target);
  await linkPackages(target);
}

/**
 * Puts the files of a commit into a folder, beside the packages that are installed here, and generates its Prisma clients.
 *
 * @throws where the history of this checkout does not reach to that commit
 */
export async function checkOutCommit(commit: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const archive = join(target, 'commit.tar');
  await run('git', ['archive', `--output=${archive}`, commit], checkoutRoot);
  await run('tar', ['-xf', archive], target);
  await rm(archive);
  await linkPackages(target);
  const prisma = join(target, 'node_modules/prisma/build/index.js');
  for (const { projectRoot } of databaseServices(target)) {
    await run(process.execPath, [prisma, 'generate'], projectRoot, {
      PRISMA_SCHEMA_ENGINE_BINARY: join(target, 'tools/no-schema-engine'),
    });
  }
}

async function linkPackages(target: string): Promise<void> {
  for (const workspace of ['.', ...(await workspaces())]) {
    // Of a commit that does not know this workspace yet.
    if (existsSync(join(target, workspace))) await linkFolder(join(workspace, 'node_modules'), target);
  }
  // The compile cache of Node.js stays: it replaces its files and never writes into one.
  const caches = (await readdir(join(target, 'node_modules/.cache'))).filter((name) => name !== 'node');
  const written = ['.package-lock.json', '.vite', '.vite-temp', ...caches.map((name) => `.cache/${name}`)];
  for (const path of written) await rm(join(target, 'node_modules', path), { recursive: true, force: true });
  await copyFile(
    join(checkoutRoot, 'node_modules/.package-lock.json'),
    join(target, 'node_modules/.package-lock.json'),
  );
  await copyFolder('node_modules/.cache/tenantry', target);
}

async function ownFiles(): Promise<string[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return (await run('git', list, checkoutRoot)).split('\0').filter((path) => path !== '');
}

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(command, args, options)).stdout;
}

async function workspaces(): Promise<string[]> {
  const inside = async (folder: string) =>
    (await readdir(join(checkoutRoot, folder))).map((name) => join(folder, name));
  return [...(await inside('apps')), ...(await inside('libs')), 'tools', 'tools/service-template', 'bench'];
}

async function linkFolder(folder: string, target: string): Promise<void> {
  const [from, to] = [join(checkoutRoot, folder), join(target, folder)];
  if (!existsSync(from)) return;
  const link = process.platform === 'darwin' ? '-Rc' : '-al';
  // Hard links do not reach from one file system to another.
  await run('cp', [link, from, to], checkoutRoot).catch(() => copyFolder(folder, target));
}

async function copyFolder(folder: string, target: string): Promise<void> {
  const from = join(checkoutRoot, folder);
  if (existsSync(from)) await cp(from, join(target, folder), { recursive: true, verbatimSymlinks: true });
}
