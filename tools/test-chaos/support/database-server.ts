import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type Postgres } from '@tenantry/dev-database';

/** A PostgreSQL that dies and comes back at the same address, with everything that it has acknowledged. */
export interface DatabaseServer {
  readonly adminUrl: string;
  readonly port: number;
  /** SIGKILL to the postmaster; its backends follow at once. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** @param directory of its own by default, which is removed at the end */
export async function startDatabaseServer(directory?: string): Promise<DatabaseServer> {
  const home = directory ?? (await mkdtemp(join(tmpdir(), 'tenantry-chaos-postgres-')));
  // The account that PostgreSQL runs as where root starts it has to get in.
  await chmod(home, 0o755);
  let ended = false;
  const start = async (options: { port?: number } = {}): Promise<Postgres> => {
    ended = false;
    const started = await startPostgres({ directory: home, ...options });
    void started.ended.then(() => (ended = true));
    return started;
  };
  let server = await start();
  const { adminUrl, port } = server;
  return {
    adminUrl,
    port,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
    },
    async restart() {
      server = await start({ port });
    },
    hasEnded: () => ended,
    async stop() {
      await server.stop();
      if (directory === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
