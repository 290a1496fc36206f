import { execFile, spawnSync } from 'node:child_process';
import { chown, mkdir, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startPostgres, type Postgres } from '@tenantry/dev-database';
import { checkoutRoot } from './checkout.ts';

/** Commands of docs/operations.md that work on a server. */
export type Procedure = 'Archive the log' | 'Take a base backup' | 'Restore to a moment';

/** A server that is backed up and restored as docs/operations.md says, by the commands that stand there. */
export interface DocumentedServer {
  /** The server of now; another one once it was restored. */
  postgres(): Postgres;
  archive(): Promise<void>;
  backUp(): Promise<void>;
  /** Stops the server, and restores it in another place. @returns what its address was, and what it is now */
  restore(moment: string): Promise<{ from: string; to: string }>;
  stop(): Promise<void>;
}

/** Whether the programs are here that the commands call beside those of PostgreSQL itself. */
export const hasOperatorTools = spawnSync('psql', ['--version']).status === 0 && hasGnuTar();

function hasGnuTar(): boolean {
  return String(spawnSync('tar', ['--version']).stdout).includes('GNU tar');
}

/** The blocks of commands below a heading of docs/operations.md, in their order. */
async function commandsOf(procedure: Procedure): Promise<string[]> {
  const document = await readFile(join(checkoutRoot, 'docs/operations.md'), 'utf8');
  const section = document.split(`\n### ${procedure}\n`)[1]?.split(/\n##/)[0] ?? '';
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands);
}

/** Starts a server in a directory that its account can write to. */
export async function startDocumentedServer(directory: string): Promise<DocumentedServer> {
  const home = join(directory, 'server');
  const data = join(home, 'data');
  let postgres = await startPostgres({ directory: home, durable: false });
  const { uid, gid } = await stat(data);
  const { stdout: program } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(postgres.pid)]);
  const base = join(directory, 'operator');
  await mkdir(base);
  await chown(base, uid, gid);
  const restored = join(base, 'restored');
  const environment = {
    PATH: [dirname(program.split(' ')[0] ?? ''), process.env['PATH']].join(delimiter),
    PGDATA: data,
    PGHOST: '127.0.0.1',
    PGPORT: String(postgres.port),
    PGUSER: 'postgres',
    PGPASSWORD: new URL(postgres.adminUrl).password,
    BACKUP: join(base, 'backup'),
    RESTORED: restored,
  };

  async function run(commands: string, further: Readonly<Record<string, string>> = {}): Promise<string> {
    const env = { ...environment, ...further };
    const { stdout } = await promisify(execFile)('bash', ['-euc', commands], { env, uid, gid, cwd: base });
    return stdout;
  }

  return {
    postgres: () => postgres,

    async archive() {
      for (const commands of await commandsOf('Archive the log')) await run(commands);
      const { port } = postgres;
      await postgres.stop();
      postgres = await startPostgres({ directory: home, port, durable: false });
    },

    async backUp() {
      for (const commands of await commandsOf('Take a base backup')) await run(commands);
    },

    async restore(moment) {
      const from = `127.0.0.1:${postgres.port}`;
      await postgres.stop();
      const port = await freePort();
      const latest = await run('ls -d "$BACKUP"/base-*');
      const adminUrl = Object.assign(new URL(postgres.adminUrl), { host: `127.0.0.1:${port}` }).href;
      const stop = async () => {
        await run('pg_ctl -D "$RESTORED" -m fast stop || true');
      };
      postgres = { ...postgres, adminUrl, port, stop };
      const further = { BASE: latest.trim(), MOMENT: moment, PORT: String(port) };
      for (const commands of await commandsOf('Restore to a moment')) await run(commands, further);
      return { from, to: `127.0.0.1:${port}` };
    },

    stop: () => postgres.stop(),
  };
}
