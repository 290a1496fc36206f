import { connected } from '@tenantry/dev-database';
import { startReplicatedPostgres, startTcpLink } from '@tenantry/test-kit';
import { expect } from 'vitest';
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
  const postgres = await startReplicatedPostgres();
  const { primary, replica } = postgres;
  await connected(primary.adminUrl, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await client.query('SELECT sync_state FROM pg_stat_replication');
      expect(rows).toEqual([{ sync_state: 'sync' }]);
    });
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
      await connected(replica.adminUrl, (client) => client.query('SELECT pg_promote()'));
      address.redirect(replica.port);
    },
    async stop() {
      await address.close();
      await postgres.stop();
    },
  };
}
