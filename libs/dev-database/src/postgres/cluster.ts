import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ExplainedError } from '../explained-error.ts';
import { replaceFile } from '../replace-file.ts';
import { runAs } from './account.ts';
import { program } from './binaries.ts';
import type { Home } from './home.ts';

/** The collation and case rules are PostgreSQL's own: the same on every machine, whatever its locale. */
const initdbFlags = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
];

/** Makes the data directory unless it is there, and returns the superuser's password. */
export async function ensureCluster(home: Home, durable: boolean): Promise<string> {
  const version = await versionOf(home.dataDirectory);
  if (version === undefined) return createCluster(home, durable);
  const expected = home.binaries.version.split('.')[0];
  if (version.trim() !== expected) {
    throw new ExplainedError(
      `The data in ${home.directory} was written by PostgreSQL ${version.trim()} and this is ${expected}: dump it with the old version, or remove it to start over.`,
    );
  }
  return readPassword(home);
}

/** The superuser's password, kept beside the data and readable by its owner alone. */
export async function readPassword(home: Pick<Home, 'directory'>): Promise<string> {
  const file = join(home.directory, 'password');
  const obstacle = (reason: string) =>
    new ExplainedError(
      `The database password in ${file} cannot be read (${reason}): run this as the user who made it, or remove ${home.directory} to start over.`,
    );
  const password = await readFile(file, 'utf8').catch((error: unknown) => {
    throw obstacle((error as NodeJS.ErrnoException).code ?? String(error));
  });
  if (password === '') throw obstacle('it is empty');
  return password;
}

// initdb works in a directory of another name, so that a half-finished one is never taken for a whole.
async function createCluster(home: Home, durable: boolean): Promise<string> {
  const unfinished = `${home.dataDirectory}.unfinished`;
  const passwordFile = join(home.directory, 'password');
  const password = randomBytes(24).toString('base64url');
  await rm(unfinished, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  await replaceFile(passwordFile, password);
  await mkdir(unfinished, { mode: 0o700 });
  if (home.account) {
    await chown(passwordFile, home.account.uid, home.account.gid);
    await chown(unfinished, home.account.uid, home.account.gid);
  }
  await initdb(home, [
    ...initdbFlags,
    `--pwfile=${passwordFile}`,
    `--pgdata=${unfinished}`,
    ...(durable ? [] : ['--no-sync']),
  ]);
  await rename(unfinished, home.dataDirectory);
  return password;
}

/** Undefined if there is no data yet; never for unreadable data, which would otherwise be created again. */
async function versionOf(dataDirectory: string): Promise<string | undefined> {
  try {
    return await readFile(join(dataDirectory, 'PG_VERSION'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const entries = code === 'ENOENT' ? await readdir(dataDirectory).catch(() => []) : ['?'];
    if (entries.length === 0) return undefined;
    throw new ExplainedError(
      `${dataDirectory} holds no PostgreSQL data that can be read (${code}): repair it, or remove it to start over.`,
    );
  }
}

async function initdb(home: Home, flags: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program(home.binaries, 'initdb'), flags, runAs(home.account));
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = stderr?.split('\n').find((line) => /error|FATAL|cannot/.test(line)) ?? message;
    throw new ExplainedError(`PostgreSQL could not make its data directory in ${home.directory}: ${reason}`);
  }
}
