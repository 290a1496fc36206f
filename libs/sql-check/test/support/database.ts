import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A database of its own, as the superuser. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database on the server that Vitest has started for all tests: this library knows no other of ours. */
export async function createDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_ADMIN_URL'] ?? '';
  const name = `sql_check_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
