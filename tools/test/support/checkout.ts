import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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
  for (const workspace of ['.', ...(await workspaces())]) {
    await linkFolder(join(workspace, 'node_modules'), target);
    await copyFolder(join(workspace, 'src/generated'), target);
  }
  for (const written of ['.package-lock.json', '.cache', '.vite', '.vite-temp']) {
    await rm(join(target, 'node_modules', written), { recursive: true, force: true });
  }
  await copyFile(
    join(checkoutRoot, 'node_modules/.package-lock.json'),
    join(target, 'node_modules/.package-lock.json'),
  );
  await copyFolder('node_modules/.cache/tenantry', target);
}

async function ownFiles(): Promise<string[]> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await promisify(execFile)('git', list, {
    cwd: checkoutRoot,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\0').filter((path) => path !== '');
}

async function workspaces(): Promise<string[]> {
  const inside = async (folder: string) =>
    (await readdir(join(checkoutRoot, folder))).map((name) => join(folder, name));
  return [...(await inside('apps')), ...(await inside('libs')), 'tools', 'bench'];
}

async function linkFolder(folder: string, target: string): Promise<void> {
  const [from, to] = [join(checkoutRoot, folder), join(target, folder)];
  if (!existsSync(from)) return;
  const link = process.platform === 'darwin' ? '-Rc' : '-al';
  // Hard links do not reach from one file system to another.
  await promisify(execFile)('cp', [link, from, to]).catch(() => copyFolder(folder, target));
}

async function copyFolder(folder: string, target: string): Promise<void> {
  const from = join(checkoutRoot, folder);
  if (existsSync(from)) await cp(from, join(target, folder), { recursive: true, verbatimSymlinks: true });
}
