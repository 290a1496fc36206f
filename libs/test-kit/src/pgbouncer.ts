import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tenantry/dev-database';
import { startServer } from './child-processes.ts';

/** A PgBouncer that is installed here. */
export interface PgBouncerProgram {
  readonly path: string;
  /** Such as 1.25.2. */
  readonly version: string;
  /** Whether it can prepare statements for clients whose server connection changes: from 1.21 on. */
  readonly preparesStatements: boolean;
}

/** A PgBouncer in front of a server. */
export interface TestPooler {
  readonly port: number;
  /** The same database and role, through the pooler. */
  urlOf(directUrl: string): string;
  /** SIGKILL, as when the machine runs out of memory. */
  kill(): Promise<void>;
  /** At the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestPoolerOptions {
  readonly program: PgBouncerProgram;
  /** Addresses of the roles that sign in, all on one server. */
  readonly directUrls: readonly string[];
  /** By the name of the setting; transaction mode and two connections to the server where it says nothing else. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** The PgBouncer that `PGBOUNCER` names, else the one that is installed; undefined where there is none. */
export function findPgBouncer(environment = process.env): PgBouncerProgram | undefined {
  // Debian installs it among the programs of the system, which are not on everyone's PATH.
  for (const path of [environment['PGBOUNCER'], 'pgbouncer', '/usr/sbin/pgbouncer']) {
    if (!path) continue;
    const answer = String(spawnSync(path, ['--version']).stdout);
    const [, version, major, minor] = /^PgBouncer ((\d+)\.(\d+)\S*)/.exec(answer) ?? [];
    if (version === undefined) continue;
    return { path, version, preparesStatements: Number(major) > 1 || Number(minor) >= 21 };
  }
  process.stderr.write('\nNO PGBOUNCER on this machine, so tests behind a pooler are SKIPPED.\n');
  return undefined;
}

/** Starts a PgBouncer on a loopback port. */
export async function startPgBouncer(options: TestPoolerOptions): Promise<TestPooler> {
  const { program, directUrls, settings = {} } = options;
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-pgbouncer-'));
  const port = await freePort();
  const urls = directUrls.map((url) => new URL(url));
  const users = urls.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"`);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(directory, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: 2,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=${urls[0]?.hostname} port=${urls[0]?.port}`;
  await writeFile(join(directory, 'users.txt'), users.join('\n'), { mode: 0o644 });
  await writeFile(
    join(directory, 'pgbouncer.ini'),
    ['[databases]', databases, '[pgbouncer]', ...lines].join('\n'),
  );
  await chmod(directory, 0o755);

  const start = () =>
    startServer([program.path, '--quiet', join(directory, 'pgbouncer.ini')], {
      port,
      // It refuses to run as root.
      ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
    });
  let bouncer = await start();
  return {
    port,
    urlOf: (directUrl) => Object.assign(new URL(directUrl), { host: `127.0.0.1:${port}` }).href,
    kill: () => bouncer.end('SIGKILL'),
    async restart() {
      bouncer = await start();
    },
    async stop() {
      await bouncer.end('SIGKILL');
      await rm(directory, { recursive: true });
    },
  };
}

const nobody = 65_534;
