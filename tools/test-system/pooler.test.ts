import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connected, freePort, startPostgres, withDatabase, type Postgres } from '@tenantry/dev-database';
import { canarySecret, findPgBouncer, startPgBouncer, testLogOf, type TestPooler } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, signIn } from '../test/support/client.ts';
import { checkoutRoot } from '../test/support/checkout.ts';
import { migratedDatabase, startInstance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// Whole services behind a real PgBouncer in transaction mode, with two connections to the server for each database.

const program = findPgBouncer();

describe.skipIf(!program)('behind a connection pooler', () => {
  const secret = canarySecret();
  let directory: string;
  let postgres: Postgres;
  let pooler: TestPooler;
  let authUrl: string;
  let usersUrl: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-pooler-'));
    await chmod(directory, 0o755);
    postgres = await startPostgres({ directory: join(directory, 'postgres'), durable: false });
    authUrl = await migratedDatabase(postgres, 'auth-service');
    usersUrl = await migratedDatabase(postgres, 'users-service');
    pooler = await startPgBouncer({
      program: program!,
      directUrls: [authUrl, usersUrl],
      settings: {
        ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout',
        // As docs/operations.md says.
        query_wait_timeout: 3,
        server_login_retry: 1,
      },
    });
  });
  afterAll(async () => {
    await pooler.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function environments(binding: 'connection' | 'transaction') {
    const [authPort, usersPort] = [await freePort(), await freePort()];
    const address = `http://127.0.0.1:${authPort}`;
    const common = {
      AUTH_URL: `${address}/api/auth`,
      INTERNAL_API_KEY: canarySecret(),
      TENANT_BINDING: binding,
    };
    return {
      'auth-service': {
        ...common,
        PORT: String(authPort),
        DATABASE_URL: pooler.urlOf(authUrl),
        DATABASE_DIRECT_URL: authUrl,
        AUTH_SECRET: secret,
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
      },
      'users-service': {
        ...common,
        PORT: String(usersPort),
        DATABASE_URL: pooler.urlOf(usersUrl),
        AUTH_INTERNAL_URL: address,
        AUTH_REVOCATIONS_URL: `${address}/internal/revocations`,
      },
    };
  }

  it.each(['auth-service', 'users-service'] as const)(
    '%s does not start while it binds connections, and says what to set',
    async (service) => {
      const { [service]: env } = await environments('connection');
      const child = spawn(process.execPath, ['--conditions=@tenantry/source', 'src/main.ts'], {
        cwd: join(checkoutRoot, 'apps', service),
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const log = testLogOf(child);
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(log.text()).toContain('the service could not start: DATABASE_URL leads to a connection pooler');
      expect(log.text()).toContain('Set TENANT_BINDING=transaction');
      expect(log.text()).not.toContain(new URL(authUrl).password);
    },
  );

  it.skipIf(!program?.preparesStatements)(
    'services that bind transactions serve their tenants, and notify each other by the direct address',
    async () => {
      const env = await environments('transaction');
      const auth = await startInstance('auth-service', env['auth-service']);
      const users = await startInstance('users-service', env['users-service']);
      try {
        const tenants = await Promise.all(
          ['Ada', 'Bo', 'Cleo', 'Dan'].map((name) => newTenant(auth.url, name)),
        );
        const listed = async (token: string) => {
          const answer = await call<{ data: { email: string }[] }>(users.url, 'GET /api/users', { token });
          return answer.status === 200 ? answer.body.data.map(({ email }) => email) : answer.status;
        };
        await eventually(async () => {
          const lists = await Promise.all(tenants.map(({ token }) => listed(token)));
          expect(lists).toEqual(tenants.map(({ email }) => [email]));
        });

        const { token } = await signIn(auth.url, tenants[0]!);
        await call(auth.url, 'POST /api/auth/sign-out', { token });
        await eventually(async () => expect(await listed(token)).toBe(401));

        expect(await listeners()).toEqual(['LISTEN "tenantry_auth"']);
        expect(auth.logs() + users.logs()).not.toMatch(/"level":"(error|fatal)"/);
      } finally {
        await Promise.all([auth.kill(), users.kill()]);
      }
    },
  );

  it.skipIf(!program?.preparesStatements)(
    'while PostgreSQL is away behind it requests are refused, and succeed again by themselves',
    async () => {
      const { 'auth-service': env } = await environments('transaction');
      const auth = await startInstance('auth-service', env);
      try {
        const { token } = await newTenant(auth.url, 'Eve');
        const status = async () =>
          (await call(auth.url, 'GET /api/auth/organization/list', { token })).status;
        expect(await status()).toBe(200);
        const { port } = postgres;
        await postgres.stop();
        expect(await status()).toBe(503);
        postgres = await startPostgres({ directory: join(directory, 'postgres'), port, durable: false });
        await eventually(async () => expect(await status()).toBe(200));
      } finally {
        await auth.kill();
      }
    },
  );

  /** What the server was last asked on connections that do nothing but listen. */
  const listeners = async () =>
    connected(withDatabase(postgres.adminUrl, 'tenantry_auth'), async (client) => {
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`,
      );
      return rows.map(({ query }) => query);
    });
});
