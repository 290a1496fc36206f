import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connected, freePort, startPostgres } from '@tenantry/dev-database';
import { startTcpLink } from '@tenantry/test-kit';
import { expect } from 'vitest';
import { copyFolder, turnIntoStandby } from '../../test/support/replaced-server.ts';
import { eventually } from '../../test/support/tenantry.ts';

/** A PostgreSQL that answers a commit once a replica has it too, behind an address that moves to the replica. */
export interface ReplicatedServer {
  readonly adminUrl: string;
  readonly port: number;
  /** SIGKILL to the primary, which does not come back. */
  killPrimary(): Promise<void>;
  /** The replica takes its place. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReplicatedServer(): Promise<ReplicatedServer> {
  const home = await mkdtemp(join(tmpdir(), 'tenantry-failover-'));
  // The account that PostgreSQL runs as where root starts it has to get in.
  await chmod(home, 0o755);
  const [primaryDirectory, standbyDirectory] = [join(home, 'primary'), join(home, 'standby')];
  const first = await startPostgres({ directory: primaryDirectory });
  await first.stop();
  await copyFolder(primaryDirectory, standbyDirectory);
  const primary = await startPostgres({ directory: primaryDirectory, port: first.port });
  await turnIntoStandby(standbyDirectory, primary);
  const standby = await startPostgres({ directory: standbyDirectory, port: await freePort() });
  await connected(primary.adminUrl, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await client.query('SELECT sync_state FROM pg_stat_replication');
      expect(rows).toEqual([{ sync_state: 'sync' }]);
    }, 20_000);
  });
  const address = await startTcpLink(primary.port);
  const adminUrl = new URL(primary.adminUrl);
  adminUrl.port = String(address.port);
  return {
    adminUrl: adminUrl.href,
    port: address.port,
    async killPrimary() {
      process.kill(primary.pid, 'SIGKILL');
      await primary.ended;
    },
    async promote() {
      await connected(standby.adminUrl, (client) => client.query('SELECT pg_promote()'));
      address.redirect(standby.port);
    },
    async stop() {
      await address.close();
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}
