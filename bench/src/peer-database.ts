import { randomBytes } from 'node:crypto';
import { testPostgres } from '@tenantry/test-kit';
import pg from 'pg';

/** An empty database on the server of the bench, for a peer that migrates it itself. */
export async function createPeerDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { adminUrl } = await testPostgres();
  const name = `better_auth_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  return { url, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
