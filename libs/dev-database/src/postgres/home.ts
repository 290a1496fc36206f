import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, chmod, cp, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExplainedError } from '../explained-error.ts';
import { replaceFile } from '../replace-file.ts';
import { runAs, serverAccount, type Account } from './account.ts';
import { program, type Binaries } from './binaries.ts';
import { stopOrphan } from './orphan.ts';

/** Where a server lives: programs and data, both within reach of the account it runs as. */
export interface Home {
  directory: string;
  dataDirectory: string;
  binaries: Binaries;
  account: Account | undefined;
}

/** The file in the asked-for directory that names the real one, and the file there that names it back. */
const pointer = 'relocated';
const origin = 'origin';

/**
 * Settles where the server lives: in `directory`, or, where root's checkout cannot be entered by the account
 * PostgreSQL runs as (a mode 0700 above it), in a directory of its own under `fallbackDirectory`. That one is
 * tied to `directory`: when the pointer in there is gone, the data is an orphan and is removed.
 */
export async function settleHome(
  directory: string,
  installed: Binaries,
  fallbackDirectory: string,
): Promise<Home> {
  const relocated = await readPointer(directory);
  const account = serverAccount(join(relocated ?? directory, 'data'));
  if (account === undefined) return homeAt(directory, installed, account);
  await removeOrphans(fallbackDirectory);
  const binaries = await reachableBinaries(installed, account, fallbackDirectory);
  const ownHome =
    relocated ??
    (await directHome(directory, account)) ??
    (await relocate(directory, account, fallbackDirectory));
  return homeAt(ownHome, binaries, account);
}

/** Where the data of a directory lies, without changing anything. */
export async function locateHome(directory: string): Promise<string> {
  return (await readPointer(directory)) ?? directory;
}

function homeAt(directory: string, binaries: Binaries, account: Account | undefined): Home {
  return { directory, dataDirectory: join(directory, 'data'), binaries, account };
}

async function directHome(directory: string, account: Account): Promise<string | undefined> {
  await giveTo(directory, account);
  if (canEnter(directory, account)) return directory;
  if (await exists(join(directory, 'data'))) {
    throw new ExplainedError(
      `The user PostgreSQL runs as can no longer reach ${directory}: let others enter the directories above it (chmod o+x), or remove it to start over.`,
    );
  }
  return undefined;
}

async function relocate(directory: string, account: Account, fallbackDirectory: string): Promise<string> {
  const home = join(fallbackDirectory, randomBytes(8).toString('hex'));
  await mkdir(fallbackDirectory, { recursive: true, mode: 0o755 });
  // The pointer first: without it, a concurrent clean-up would take the home for an orphan.
  await replaceFile(join(directory, pointer), home);
  await mkdir(home, { mode: 0o700 });
  await replaceFile(join(home, origin), directory);
  await giveTo(home, account);
  if (canEnter(home, account)) return home;
  throw new ExplainedError(
    `The user PostgreSQL runs as can enter neither ${directory} nor ${home}: let others enter one of them (chmod o+x the directories above).`,
  );
}

/** The home the pointer names, unless it is gone or belongs to the checkout this one was copied from. */
async function readPointer(directory: string): Promise<string | undefined> {
  const home = await readText(join(directory, pointer));
  if (home === undefined) return undefined;
  const owner = await readText(join(home, origin));
  if (owner === undefined) return undefined;
  if (owner === directory) return home;
  if ((await readText(join(owner, pointer))) === home) return undefined;
  await replaceFile(join(home, origin), directory);
  return home;
}

async function removeOrphans(fallbackDirectory: string): Promise<void> {
  const names = await readdir(fallbackDirectory).catch(() => []);
  for (const name of names) {
    const home = join(fallbackDirectory, name);
    const owner = await readText(join(home, origin));
    if (owner === undefined || (await readText(join(owner, pointer))) === home) continue;
    await stopOrphan(join(home, 'data'));
    await rm(home, { recursive: true, force: true });
  }
}

async function reachableBinaries(
  installed: Binaries,
  account: Account,
  fallbackDirectory: string,
): Promise<Binaries> {
  if (canRun(installed, account)) return installed;
  const copy = { ...installed, directory: join(fallbackDirectory, `postgresql-${installed.version}`) };
  if (!canRun(copy, account)) await copyBinaries(installed, copy, account);
  if (canRun(copy, account)) return copy;
  throw new ExplainedError(
    `PostgreSQL's programs in ${copy.directory} do not run: ${versionOf(copy, account)}`,
  );
}

async function copyBinaries(installed: Binaries, copy: Binaries, account: Account): Promise<void> {
  const unfinished = `${copy.directory}.${randomBytes(4).toString('hex')}`;
  await cp(installed.directory, unfinished, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', unfinished]);
  // A copy that another start has finished meanwhile may be in use: it stays.
  if (!canRun(copy, account)) await rm(copy.directory, { recursive: true, force: true });
  await rename(unfinished, copy.directory).catch(() => rm(unfinished, { recursive: true, force: true }));
}

const canRun = (binaries: Binaries, account: Account) =>
  versionOf(binaries, account).startsWith('postgres (');

function versionOf(binaries: Binaries, account: Account): string {
  const path = program(binaries, 'postgres');
  const tried = spawnSync(path, ['--version'], { ...runAs(account), encoding: 'utf8' });
  return tried.error?.message ?? (tried.stdout || tried.stderr);
}

function canEnter(directory: string, account: Account): boolean {
  const command = 'cd "$0" && test -w .';
  return (
    spawnSync('/bin/sh', ['-c', command, directory], { ...runAs(account), stdio: 'ignore' }).status === 0
  );
}

async function giveTo(directory: string, account: Account): Promise<void> {
  await chown(directory, account.uid, account.gid);
  await chmod(directory, 0o700);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
const readText = (path: string) => readFile(path, 'utf8').catch(() => undefined);
