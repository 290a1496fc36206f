import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startPostgres, type Postgres } from '@tenantry/dev-database';

/** Copies what a server that is not running has left, owners included. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** Adds lines to the settings of a server that is not running. */
export const configure = (data: string, lines: readonly string[]) =>
  appendFile(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);

/** Tells a server what it is to do when it starts. */
export async function signal(data: string, name: 'standby' | 'recovery'): Promise<void> {
  const file = join(data, `${name}.signal`);
  await writeFile(file, '');
  // The user that PostgreSQL runs as, where root starts it.
  await promisify(execFile)('chown', [`--reference=${join(data, 'PG_VERSION')}`, file]);
}

/** Has the server that is started next in this directory follow another one, of which it is a copy. */
export async function turnIntoStandby(
  directory: string,
  { adminUrl, port }: Pick<Postgres, 'adminUrl' | 'port'>,
): Promise<void> {
  const data = join(directory, 'data');
  const { password } = new URL(adminUrl);
  await signal(data, 'standby');
  await configure(data, [
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'`,
  ]);
}

/** A PostgreSQL and a replica that follows it by streaming. */
export interface ReplicatedPostgres {
  readonly primary: Postgres;
  readonly replica: Postgres;
  /** The same database and role, at the replica. */
  replicaUrlOf(url: string): string;
  /** SIGKILL to the replica. */
  killReplica(): Promise<void>;
  /** Starts the replica again, at the same address. */
  startReplica(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a durable server and a replica of it.
 *
 * @example
 * const postgres = await startReplicatedPostgres();
 * afterAll(() => postgres.stop());
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'tenantry-replicated-'));
  // The account that PostgreSQL runs as where root starts it has to get in.
  await chmod(home, 0o755);
  const [primaryDirectory, directory] = [join(home, 'primary'), join(home, 'replica')];
  const first = await startPostgres({ directory: primaryDirectory });
  await first.stop();
  await copyFolder(primaryDirectory, directory);
  const primary = await startPostgres({ directory: primaryDirectory, port: first.port });
  await turnIntoStandby(directory, primary);
  const port = await freePort();
  let replica = await startPostgres({ directory, port });
  return {
    primary,
    get replica() {
      return replica;
    },
    replicaUrlOf: (url) => Object.assign(new URL(url), { port }).href,
    async killReplica() {
      process.kill(replica.pid, 'SIGKILL');
      await replica.ended;
    },
    async startReplica() {
      replica = await startPostgres({ directory, port });
    },
    async stop() {
      await Promise.all([primary.stop(), replica.stop()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}
