import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '../explained-error.ts';
import { runAs } from './account.ts';
import { program } from './binaries.ts';
import type { Home } from './home.ts';
import { readPostmaster } from './orphan.ts';

/** How the process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A server process that accepts connections. */
export interface ServerProcess {
  pid: number;
  ended: Promise<Ending>;
  stop(): Promise<void>;
}

/** Why a server did not come up, as far as the next step depends on it. */
export class StartFailure extends ExplainedError {
  readonly reason: 'port-taken' | 'still-ending' | 'other';

  constructor(reason: StartFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const readyWithinMs = 120_000;
const stopPatienceMs = 20_000;

/**
 * Tests need no durability, so nothing waits for the disk. Commits are still written before they are acknowledged: otherwise
 * VACUUM could not mark their rows as visible to all, and plans would vary.
 */
const throwawaySettings = [
  'fsync=off',
  'full_page_writes=off',
  // Databases are dropped before they would need it, and hundreds of them would keep starting workers.
  'autovacuum=off',
  'max_wal_size=4GB',
  // The passwords are random and end with the server: a slow hash would only cost time for each role and connection.
  'scram_iterations=1',
  // Test files that run in parallel have services of their own, each with a pool; on a slow machine it takes a while to leave.
  'max_connections=1200',
];

/** Starts the server and waits until it accepts connections. */
export async function runServer(
  home: Home,
  { port, durable }: { port: number; durable: boolean },
): Promise<ServerProcess> {
  const { child, ended } = await spawnServer(home, [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    // TCP with a password is enough; a socket's path would have to be short and private.
    'unix_socket_directories=',
    'max_connections=300',
    // Allocated as it is used. A search in a million rows reads an index of some 200 MB, more than the default holds.
    'shared_buffers=512MB',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durable ? [] : throwawaySettings),
  ]);
  const watchdog = guard(child, home);
  void ended.then(() => watchdog.kill('SIGKILL'));
  await ready(home, child, ended, port);
  return { pid: child.pid ?? 0, ended, stop: () => stop(child, ended, watchdog) };
}

async function spawnServer(
  home: Home,
  settings: readonly string[],
): Promise<{ child: ChildProcess; ended: Promise<Ending> }> {
  const logFile = join(home.directory, 'postgres.log');
  await rm(logFile, { force: true });
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(
      program(home.binaries, 'postgres'),
      ['-D', home.dataDirectory, ...settings.flatMap((setting) => ['-c', setting])],
      // A session of its own: Ctrl+C in a terminal reaches only the launcher, which ends the services first.
      { ...runAs(home.account), stdio: ['ignore', log.fd, log.fd], detached: true },
    );
    const ended = new Promise<Ending>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await once(child, 'spawn');
    child.unref();
    return { child, ended };
  } catch (error) {
    throw new StartFailure('other', `PostgreSQL could not be started: ${(error as Error).message}`);
  } finally {
    await log.close();
  }
}

/** A shell that waits on a pipe from this process, so that the server ends even when this process is killed. */
function guard(server: ChildProcess, home: Home): ChildProcess {
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(server.pid)], {
    ...runAs(home.account),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return watchdog;
}

async function ready(home: Home, child: ChildProcess, ended: Promise<Ending>, port: number): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    const postmaster = await readPostmaster(home.dataDirectory);
    if (postmaster?.pid === child.pid && postmaster?.ready) return;
    const over = await Promise.race([ended, sleep(20)]);
    if (over) throw await failure(home, port);
  }
  child.kill('SIGQUIT');
  throw new StartFailure(
    'other',
    `PostgreSQL is not ready after ${readyWithinMs / 1000} seconds: see ${join(home.directory, 'postgres.log')}`,
  );
}

async function failure(home: Home, port: number): Promise<StartFailure> {
  const logFile = join(home.directory, 'postgres.log');
  const log = await readFile(logFile, 'utf8').catch(() => '');
  if (/could not bind|Address already in use/.test(log)) {
    return new StartFailure(
      'port-taken',
      `Port ${port} is in use by another program: choose another one for PostgreSQL.`,
    );
  }
  if (/pre-existing shared memory block|lock file .* already exists/.test(log)) {
    return new StartFailure(
      'still-ending',
      `Another PostgreSQL still runs on the data in ${home.directory}: end it first.`,
    );
  }
  const reason = log.split('\n').findLast((line) => /FATAL|PANIC|error/.test(line)) ?? 'it said nothing';
  return new StartFailure('other', `PostgreSQL did not start (${reason.trim()}): see ${logFile}`);
}

async function stop(child: ChildProcess, ended: Promise<Ending>, watchdog: ChildProcess): Promise<void> {
  child.ref();
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    child.kill(name);
    const outcome = await Promise.race([ended, sleep(stopPatienceMs, 'late' as const, { ref: false })]);
    if (outcome !== 'late') break;
  }
  if (watchdog.exitCode === null && watchdog.signalCode === null) {
    watchdog.ref();
    await once(watchdog, 'exit');
  }
}
