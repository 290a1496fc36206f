import { join } from 'node:path';
import {
  applyMigrations,
  connected,
  databaseService,
  freePort,
  provisionDatabase,
  startPostgres,
  withDatabase,
  type Postgres,
} from '@tenantry/dev-database';
import { configure, copyFolder, signal, turnIntoStandby } from '@tenantry/test-kit';
import { expect } from 'vitest';
import { eventually } from './tenantry.ts';

/** A PostgreSQL whose files and process are exchanged behind one address, as in a restore or a failover. */
export interface ReplaceableServer {
  /** The service's own address, which stays the same. */
  readonly runtimeUrl: string;
  /** Runs SQL as the superuser in the service's database. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  /** Remembers how things are, and gives the way to go back to there. */
  readonly rememberBy: Readonly<Record<Remembering, () => Promise<() => Promise<void>>>>;
  stop(): Promise<void>;
}

/** The ways in which a database goes back in time. */
export type Remembering = 'replica' | 'recovery' | 'files' | 'dump';

/** Starts a server with the migrated database of a service. */
export async function startReplaceableServer(base: string, service: string): Promise<ReplaceableServer> {
  const port = await freePort();
  let generation = 0;
  let directory = join(base, 'server-0');
  const start = (from: string, at = port) => startPostgres({ directory: from, port: at, durable: false });
  const { projectRoot } = databaseService(service);
  let server = await start(directory);
  const { ownerUrl, runtimeUrl } = await provisionDatabase({ adminUrl: server.adminUrl, service });
  await applyMigrations({ projectRoot, url: ownerUrl });

  const database = new URL(runtimeUrl).pathname.slice(1);
  const ask = async ({ adminUrl }: Postgres, text: string, values?: unknown[]) =>
    connected(withDatabase(adminUrl, database), async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(text, values);
      return rows;
    });
  const newDirectory = () => join(base, `server-${++generation}`);

  /** A copy of the files as they are on the disk of a server that is not running. */
  async function coldCopy(): Promise<string> {
    const to = newDirectory();
    await server.stop();
    await copyFolder(directory, to);
    server = await start(directory);
    return to;
  }
  async function replaceBy(other: string): Promise<void> {
    directory = other;
    server = await start(other);
  }
  const whereItIs = async () => String((await ask(server, 'SELECT pg_current_wal_lsn() AS lsn'))[0]?.['lsn']);

  return {
    runtimeUrl,
    sql: (text) => ask(server, text),
    rememberBy: {
      async replica() {
        const replica = await coldCopy();
        await turnIntoStandby(replica, server);
        const standby = await start(replica, await freePort());
        const lsn = await whereItIs();
        await eventually(async () => {
          const [row] = await ask(standby, `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS "isThere"`);
          expect(row).toEqual({ isThere: true });
        });
        // From here on it lags behind.
        await ask(standby, `ALTER SYSTEM SET primary_conninfo = ''`);
        await standby.stop();
        return async () => {
          await server.stop();
          await replaceBy(replica);
          await ask(server, 'SELECT pg_promote()');
        };
      },

      async recovery() {
        const backup = await coldCopy();
        const data = join(backup, 'data');
        await ask(server, 'SELECT pg_current_xact_id()');
        const lsn = await whereItIs();
        const former = directory;
        return async () => {
          await server.stop();
          await signal(data, 'recovery');
          await configure(data, [
            `restore_command = 'cp ${join(former, 'data', 'pg_wal')}/%f %p'`,
            `recovery_target_lsn = '${lsn}'`,
            `recovery_target_action = 'promote'`,
          ]);
          await replaceBy(backup);
          await eventually(async () => {
            expect(await ask(server, 'SELECT pg_is_in_recovery() AS going')).toEqual([{ going: false }]);
          });
        };
      },

      async files() {
        const backup = await coldCopy();
        return async () => {
          await server.stop();
          await replaceBy(backup);
        };
      },

      async dump() {
        const tables = await ask(
          server,
          `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
        );
        const sequences = await ask(
          server,
          `SELECT quote_ident(sequencename) AS name, last_value AS last FROM pg_sequences WHERE last_value IS NOT NULL`,
        );
        const contents = await Promise.all(
          tables.map(async ({ name }) => {
            const [row] = await ask(server, `SELECT json_agg(t)::text AS rows FROM ${String(name)} AS t`);
            return { name: String(name), rows: row?.['rows'] ?? '[]' };
          }),
        );
        return async () => {
          await server.stop();
          await replaceBy(newDirectory());
          const passwords = {
            ownerPassword: decodeURIComponent(new URL(ownerUrl).password),
            runtimePassword: decodeURIComponent(new URL(runtimeUrl).password),
          };
          const fresh = await provisionDatabase({ adminUrl: server.adminUrl, service, ...passwords });
          await applyMigrations({ projectRoot, url: fresh.ownerUrl });
          await connected(withDatabase(server.adminUrl, database), async (client) => {
            await client.query('BEGIN; SET LOCAL session_replication_role = replica');
            for (const { name } of contents) await client.query(`TRUNCATE ${name} CASCADE`);
            for (const { name, rows } of contents) {
              const records = `json_populate_recordset(NULL::${name}, $1)`;
              await client.query(`INSERT INTO ${name} SELECT * FROM ${records}`, [rows]);
            }
            for (const { name, last } of sequences) {
              await client.query('SELECT setval($1, $2)', [name, last]);
            }
            await client.query('COMMIT');
          });
        };
      },
    },
    stop: () => server.stop(),
  };
}
