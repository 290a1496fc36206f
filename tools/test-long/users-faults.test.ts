import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canary, canarySecret, patience, startTcpLink, type TcpLink } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, newTenant, signIn, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// auth-service and users-service as processes of their own, one of which dies while a user is created or deleted.

interface Users {
  readonly data: { readonly id: string; readonly email: string; readonly firstName: string }[];
}

describe('a user and the account', () => {
  let directory: string;
  let postgres: Postgres;
  let authRows: pg.Pool;
  let userRows: pg.Pool;
  /** From users-service to auth-service. */
  let link: TcpLink;
  let auth: Instance;
  let users: Instance;
  let startAuth: () => Promise<Instance>;
  let startUsers: () => Promise<Instance>;
  let owner: Tenant;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-users-'));
    postgres = await startTemporaryPostgres();
    const [authDatabase, usersDatabase] = [
      await migratedDatabase(postgres, 'auth-service'),
      await migratedDatabase(postgres, 'users-service'),
    ];
    authRows = asSuperuser(authDatabase);
    userRows = asSuperuser(usersDatabase);
    const [authPort, usersPort] = [String(await freePort()), String(await freePort())];
    link = await startTcpLink(Number(authPort));
    const address = `http://127.0.0.1:${authPort}`;
    const common = { AUTH_URL: `${address}/api/auth`, INTERNAL_API_KEY: canarySecret() };
    const secret = canarySecret();
    startAuth = () =>
      startInstance('auth-service', {
        ...common,
        PORT: authPort,
        DATABASE_URL: authDatabase,
        AUTH_SECRET: secret,
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
      });
    startUsers = () =>
      startInstance('users-service', {
        ...common,
        PORT: usersPort,
        DATABASE_URL: usersDatabase,
        AUTH_INTERNAL_URL: `http://127.0.0.1:${link.port}`,
        AUTH_REVOCATIONS_URL: `${address}/internal/revocations`,
      });
    auth = await startAuth();
    users = await startUsers();
    owner = await newTenant(auth.url, 'Olga');
    await eventually(async () => expect(await listed()).toHaveLength(1));
  });

  afterAll(async () => {
    await Promise.all([auth, users].map((instance) => instance.kill()));
    await link.close();
    await Promise.all([authRows.end(), userRows.end()]);
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  function asSuperuser(database: string): pg.Pool {
    const address = new URL(postgres.adminUrl);
    address.pathname = new URL(database).pathname;
    const pool = new pg.Pool({ connectionString: address.href, max: 2 });
    // A connection that is still closing is cut when the server stops.
    pool.on('error', () => undefined);
    return pool;
  }

  const newUser = () => {
    const email = `${randomUUID()}@people.example`;
    return { email, password: `${canary} ${randomUUID()}`, firstName: 'Grace', lastName: 'Hopper' };
  };
  const send = (method: string, path: string, options: { body?: object; key?: string } = {}) =>
    fetch(`${users.url}/api/users${path}`, {
      method,
      headers: {
        authorization: `Bearer ${owner.token}`,
        ...(options.body && { 'content-type': 'application/json' }),
        ...(options.key !== undefined && { 'idempotency-key': options.key }),
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(patience()),
    });
  const listed = async () => {
    const { body } = await call<Users>(users.url, 'GET /api/users?pageSize=100', { token: owner.token });
    return body.data;
  };
  const emails = async () => (await listed()).map(({ email }) => email);
  const accounts = async (email: string) =>
    (await authRows.query('SELECT FROM users WHERE email = $1', [email])).rows.length;

  /** Holds a lock in a database until it is released. */
  async function hold(pool: pg.Pool, sql: string): Promise<() => Promise<void>> {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(sql);
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await client.query('ROLLBACK');
      client.release();
    };
    onTestFinished(release);
    return release;
  }
  /** Until a statement waits for a lock. */
  const expectWaiting = () =>
    eventually(async () => {
      const { rows } = await authRows.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    });
  /** The directory gets no events meanwhile. */
  const holdDirectory = () => hold(userRows, 'LOCK TABLE event_reader');

  /** users-service gets no response and no event from auth-service meanwhile. */
  function freezeResponses(): () => void {
    link.freezeResponses();
    onTestFinished(link.heal);
    return link.heal;
  }

  it('are both there, or neither, when auth-service dies before it has made the account', async () => {
    const user = newUser();
    const key = randomUUID();
    const release = await hold(authRows, 'LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    const answer = send('POST', '', { body: user, key });
    await expectWaiting();
    await auth.kill();
    const { status, headers } = await answer;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await release();
    auth = await startAuth();
    expect([await accounts(user.email), (await emails()).includes(user.email)]).toEqual([0, false]);

    expect((await send('POST', '', { body: user, key })).status).toBe(201);
    await eventually(async () => expect(await emails()).toContain(user.email));
  });

  it('are both there when users-service dies after the account is made and before the directory shows it [S-185]', async () => {
    const user = newUser();
    const key = randomUUID();
    const heal = freezeResponses();
    const lost = send('POST', '', { body: user, key }).catch((error: unknown) => error);
    await eventually(async () => expect(await accounts(user.email)).toBe(1));
    await users.kill();
    expect(await lost).toBeInstanceOf(Error);
    heal();
    users = await startUsers();
    await eventually(async () => expect(await emails()).toContain(user.email));
    expect((await signIn(auth.url, user)).token).toBeTypeOf('string');

    // The client got no response and tries again.
    const again = await send('POST', '', { body: user, key });
    const { data } = (await again.json()) as { data: { id: string } };
    const shown = (await listed()).find(({ email }) => email === user.email);
    expect([again.status, data.id]).toEqual([201, shown?.id]);
  });

  it('are both there when auth-service dies after it has made the account and before it has told of it', async () => {
    const user = newUser();
    const release = await holdDirectory();
    const answer = send('POST', '', { body: user });
    await eventually(async () => expect(await accounts(user.email)).toBe(1));
    await auth.kill();
    await answer;
    await release();
    auth = await startAuth();
    await eventually(async () => expect(await emails()).toContain(user.email));
    expect((await signIn(auth.url, user)).token).toBeTypeOf('string');
  });

  it('are both gone when users-service dies between the end of the account and that of the profile [S-185]', async () => {
    const user = newUser();
    const created = (await (await send('POST', '', { body: user })).json()) as { data: { id: string } };
    await eventually(async () => expect(await emails()).toContain(user.email));
    const { token } = await signIn(auth.url, user);
    const release = await hold(authRows, 'LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    const lost = send('DELETE', `/${created.data.id}`).catch((error: unknown) => error);
    await expectWaiting();
    const heal = freezeResponses();
    await release();
    await eventually(async () => expect(await accounts(user.email)).toBe(0));
    await users.kill();
    expect(await lost).toBeInstanceOf(Error);
    heal();
    users = await startUsers();
    await eventually(async () => expect(await emails()).not.toContain(user.email));
    expect((await call(users.url, 'GET /api/users', { token })).status).toBe(401);
    expect((await send('DELETE', `/${created.data.id}`)).status).toBe(404);
  });

  it('stay as they are while auth-service is away: changes are 503, the list is served, and it resumes by itself', async () => {
    const user = newUser();
    const created = (await (await send('POST', '', { body: user })).json()) as { data: { id: string } };
    await eventually(async () => expect(await emails()).toContain(user.email));
    await auth.kill();
    const before = await listed();
    for (const [method, path, body] of [
      ['POST', '', newUser()],
      ['PUT', `/${created.data.id}`, { firstName: 'Ada' }],
      ['DELETE', `/${created.data.id}`, undefined],
    ] as const) {
      const { status, headers } = await send(method, path, { ...(body && { body }) });
      expect([method, status, headers.get('retry-after')]).toEqual([method, 503, '1']);
    }
    expect(await listed()).toEqual(before);
    auth = await startAuth();
    expect((await send('PUT', `/${created.data.id}`, { body: { firstName: 'Ada' } })).status).toBe(200);
    await eventually(async () => {
      expect(await listed()).toContainEqual(expect.objectContaining({ email: user.email, firstName: 'Ada' }));
    });
  });
});
