import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canary, canarySecret } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, signIn, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import {
  startReplaceableServer,
  type Remembering,
  type ReplaceableServer,
} from '../test/support/replaced-server.ts';
import { eventually } from '../test/support/tenantry.ts';

// auth-service on a server whose database goes back in time, and users-service, which follows both of its feeds: it
// verifies tokens, and lists the members of which it hears.

interface Users {
  readonly data: { readonly email: string }[];
}

describe('a database of auth-service that went back in time', () => {
  let directory: string;
  let server: ReplaceableServer;
  let postgres: Postgres;
  let key: string;
  let auth: Instance;
  let users: Instance;
  let startAuth: (port?: number) => Promise<Instance>;
  let owner: Tenant;
  let actorUserId: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-restored-'));
    await chmod(directory, 0o755);
    server = await startReplaceableServer(directory, 'auth-service');
    postgres = await startTemporaryPostgres();
    const [authPort, usersPort] = [await freePort(), await freePort()];
    const address = `http://127.0.0.1:${authPort}`;
    key = canarySecret();
    const common = { AUTH_URL: `${address}/api/auth`, INTERNAL_API_KEY: key };
    const secret = canarySecret();
    startAuth = (port = authPort) =>
      startInstance('auth-service', {
        ...common,
        PORT: String(port),
        DATABASE_URL: server.runtimeUrl,
        AUTH_SECRET: secret,
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
        RATE_LIMIT_SIGN_IN_PER_MINUTE: '1000',
      });
    auth = await startAuth();
    users = await startInstance('users-service', {
      ...common,
      PORT: String(usersPort),
      DATABASE_URL: await migratedDatabase(postgres, 'users-service'),
      AUTH_INTERNAL_URL: address,
      AUTH_REVOCATIONS_URL: `${address}/internal/revocations`,
    });
    owner = await newTenant(auth.url, 'Olga');
    const session = await call<{ user: { id: string } }>(auth.url, 'GET /api/auth/session', owner);
    actorUserId = session.body.user.id;
    await eventually(async () => expect(await listed()).toEqual([owner.email]));
  });

  afterAll(async () => {
    await Promise.all([auth, users].map((instance) => instance.kill()));
    await Promise.all([server.stop(), postgres.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  const listed = async () => {
    const answer = await call<Users>(users.url, 'GET /api/users?pageSize=100', { token: owner.token });
    return answer.body.data.map(({ email }) => email).toSorted();
  };
  const status = async (token: string) => (await call(users.url, 'GET /api/users', { token })).status;
  const transactions = async (count: number) => {
    for (let n = 0; n < count; n += 1) await server.sql('SELECT pg_current_xact_id()');
  };

  /** Adds a colleague and ends a session. @returns the address of the colleague */
  async function change({ url }: Instance, token: string): Promise<string> {
    const email = `${randomUUID()}@people.example`;
    const { organizationId } = owner;
    const password = `${canary} ${randomUUID()}`;
    const added = await fetch(`${url}/internal/users`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ organizationId, actorUserId, email, password, name: 'Grace Hopper' }),
    });
    expect(added.status).toBe(201);
    expect((await call(url, 'POST /api/auth/sign-out', { token })).status).toBe(200);
    return email;
  }
  async function isHeardOf(token: string, everybody: readonly string[]): Promise<void> {
    await eventually(async () => expect(await status(token)).toBe(401));
    await eventually(async () => expect(await listed()).toEqual(everybody.toSorted()));
  }

  it.each<[string, Remembering]>([
    ['a failover to a replica that lags behind', 'replica'],
    ['a recovery to a point in time', 'recovery'],
    ['its files put back in place', 'files'],
    ['a dump restored into another cluster', 'dump'],
  ])(
    'by %s: what happens from then on reaches every reader, and what was lost is gone [S-73]',
    async (_, way) => {
      const [lostSession, endingSession] = [await signIn(auth.url, owner), await signIn(auth.url, owner)];
      const before = await listed();
      const goBack = await server.rememberBy[way]();

      await transactions(60);
      const lost = await change(auth, lostSession.token);
      await isHeardOf(lostSession.token, [...before, lost]);

      await auth.kill();
      await goBack();
      // What the readers miss, until transactions have the numbers again that they had when something was last heard.
      const aside = await startAuth(await freePort());
      const added = await change(aside, endingSession.token);
      await transactions(150);
      await aside.kill();
      auth = await startAuth();
      await isHeardOf(endingSession.token, [...before, added]);
      expect(await status(owner.token)).toBe(200);
    },
  );
});
