import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { installedBinaries } from './binaries.ts';
import { claimDirectory, liveHolder } from './claim.ts';
import { ensureCluster, readPassword } from './cluster.ts';
import { locateHome, settleHome, type Home } from './home.ts';
import { isServing, readPostmaster, stopOrphan } from './orphan.ts';
import { runServer, StartFailure, type Ending, type ServerProcess } from './server.ts';
import { join } from 'node:path';

export type { Ending } from './server.ts';

export interface PostgresOptions {
  /** Holds data, password and log; made when missing. */
  directory: string;
  /** A free port when absent. */
  port?: number;
  /** False for tests: faster, and lost when the machine crashes. Default true. */
  durable?: boolean;
  /** Told what is going on, a short sentence at a time. */
  log?: (message: string) => void;
  /** Where data goes when root's `directory` lies where PostgreSQL's user cannot enter. */
  fallbackDirectory?: string;
}

/** A PostgreSQL server and its superuser's address. */
export interface Postgres {
  adminUrl: string;
  port: number;
  pid: number;
  /** Settles when the server ends, by stop() or by itself. */
  ended: Promise<Ending>;
  /** Fast shutdown; settles when no process and no port is left. */
  stop: () => Promise<void>;
}

/**
 * Starts a real PostgreSQL on 127.0.0.1 from the programs npm installed. Leftovers of an earlier launcher (a server, a lock, an
 * incomplete data directory) are cleared first. The server ends with this process, also when that is killed.
 *
 * @throws ExplainedError naming what is in the way and what to do.
 * @example
 * const postgres = await startPostgres({ directory: '.tenantry/postgres' });
 * await postgres.stop();
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { durable = true, log = () => undefined } = options;
  const claim = await claimDirectory(options.directory);
  try {
    const directory = await realpath(options.directory);
    const home = await settleHome(
      directory,
      installedBinaries(),
      options.fallbackDirectory ?? '/var/lib/tenantry',
    );
    await stopOrphan(home.dataDirectory);
    const password = await ensureCluster(home, durable);
    const { server, port } = await runOnPort(home, { durable, port: options.port, log });
    const ended = server.ended.then(async (ending) => {
      await claim.release();
      return ending;
    });
    const stop = async () => {
      await server.stop();
      await ended;
    };
    let stopping: Promise<void> | undefined;
    return {
      adminUrl: adminUrl(password, port),
      port,
      pid: server.pid,
      ended,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** A server that another process runs. */
export type RunningPostgres = Pick<Postgres, 'adminUrl' | 'port' | 'pid'>;

/** Finds the server that another process runs in this directory; undefined when none does. */
export async function runningPostgres(directory: string): Promise<RunningPostgres | undefined> {
  if ((await liveHolder(directory)) === undefined) return undefined;
  const home = await locateHome(await realpath(directory));
  const postmaster = await readPostmaster(join(home, 'data'));
  if (!postmaster?.ready || !isServing(postmaster, join(home, 'data'))) return undefined;
  return {
    adminUrl: adminUrl(await readPassword({ directory: home }), postmaster.port),
    port: postmaster.port,
    pid: postmaster.pid,
  };
}

const attemptsMax = 20;

// A free port may be taken before PostgreSQL binds it, and the backends of a killed server need a moment to exit: both resolve
// by retrying.
async function runOnPort(
  home: Home,
  { durable, port, log }: { durable: boolean; port: number | undefined; log: (message: string) => void },
): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort());
    try {
      return { server: await runServer(home, { port: chosen, durable }), port: chosen };
    } catch (error) {
      const reason = error instanceof StartFailure ? error.reason : 'other';
      const passes = reason === 'still-ending' || (reason === 'port-taken' && port === undefined);
      if (!passes || attempt === attemptsMax) throw error;
      log(reason === 'still-ending' ? 'Waiting for an earlier PostgreSQL to end' : 'Trying another port');
      await sleep(250);
    }
  }
}

const adminUrl = (password: string, port: number) =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
