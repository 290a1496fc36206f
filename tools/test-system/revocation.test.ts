import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canarySecret, patience } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// Two instances of auth-service on one database and one of leads-service, each a process of its own, as they are
// deployed. Nothing but addresses connects them.

const seconds = 1_000;

describe('a revocation [S-70]', () => {
  let directory: string;
  let postgres: Postgres;
  let auths: Instance[];
  let leads: Instance;
  let restartAuth: () => Promise<void>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-revocation-'));
    postgres = await startTemporaryPostgres();
    const [authDatabase, leadsDatabase] = [
      await migratedDatabase(postgres, 'auth-service'),
      await migratedDatabase(postgres, 'leads-service'),
    ];
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const issuer = `http://127.0.0.1:${ports[0]}/api/auth`;
    const INTERNAL_API_KEY = canarySecret();
    const authEnv = {
      DATABASE_URL: authDatabase,
      AUTH_URL: issuer,
      AUTH_SECRET: canarySecret(),
      INTERNAL_API_KEY,
      MAIL_DIRECTORY: join(directory, 'mail'),
      BCRYPT_COST: '4',
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '1000',
    };
    const startAuth = (port: number) => startInstance('auth-service', { ...authEnv, PORT: String(port) });
    auths = await Promise.all([startAuth(ports[0]), startAuth(ports[1])]);
    restartAuth = async () => void (auths = await Promise.all([startAuth(ports[0]), startAuth(ports[1])]));
    leads = await startInstance('leads-service', {
      DATABASE_URL: leadsDatabase,
      AUTH_URL: issuer,
      AUTH_INTERNAL_URL: `http://127.0.0.1:${ports[1]}`,
      AUTH_REVOCATIONS_URL: `http://127.0.0.1:${ports[1]}/internal/revocations`,
      INTERNAL_API_KEY,
      PORT: String(ports[2]),
    });
  });

  afterAll(async () => {
    await Promise.all([...auths, leads].map((instance) => instance.kill()));
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const status = async (token: string) => (await call(leads.url, 'GET /api/leads', { token })).status;
  const write = async (token: string) => {
    const body = { name: 'Charles', email: `charles.${randomBytes(4).toString('hex')}@example.com` };
    return call(leads.url, 'POST /api/leads', { token, body });
  };
  const signIn = async ({ email, password }: Tenant): Promise<string> => {
    const answer = await call(auths[0]!.url, 'POST /api/auth/sign-in/email', { body: { email, password } });
    return (answer.body as { session: { token: string } }).session.token;
  };
  const refused = (token: string) => eventually(async () => expect(await status(token)).toBe(401));

  it('by sign-out at one instance is known to a verifier of the other within a second', async () => {
    const ada = await newTenant(auths[0]!.url, 'Ada');
    const took: number[] = [];
    for (let n = 0; n < 10; n++) {
      const token = await signIn(ada);
      expect(await status(token)).toBe(200);
      const signedOutAt = performance.now();
      const answer = await call(auths[0]!.url, 'POST /api/auth/sign-out', { token });
      expect(answer.status).toBe(200);
      await refused(token);
      took.push(performance.now() - signedOutAt);
    }
    console.log(`refused after ${took.map((ms) => Math.round(ms)).join(', ')} ms`);
    // The machine may have stood still at some of them, and hardly at most.
    expect(took.toSorted((one, other) => one - other)[took.length / 2]).toBeLessThan(patience(1 * seconds));
    expect(await status(ada.token)).toBe(200);
  });

  it('holds while the auth service is away; writes stop after 30 s, reads continue; it resumes by itself', async () => {
    const ada = await newTenant(auths[0]!.url, 'Ada');
    const ended = await signIn(ada);
    await call(auths[0]!.url, 'POST /api/auth/sign-out', { token: ended });
    await refused(ended);
    expect((await write(ada.token)).status).toBe(201);

    await Promise.all(auths.map((instance) => instance.kill()));
    const awaySince = performance.now();
    expect(await status(ended)).toBe(401);
    expect(await status(ada.token)).toBe(200);
    expect((await write(ada.token)).status).toBe(201);

    let lastAcceptedMs = 0;
    await eventually(async () => {
      const sentMs = performance.now() - awaySince;
      const { status: answered } = await write(ada.token);
      if (answered === 201) lastAcceptedMs = sentMs;
      expect(answered).toBe(503);
    }, 60 * seconds);
    // An answer without news may have left just before the end: it counts from then.
    expect(performance.now() - awaySince).toBeGreaterThan(25 * seconds);
    expect(lastAcceptedMs).toBeLessThan(36 * seconds);
    const refusal = await write(ada.token);
    expect(refusal.headers.get('retry-after')).not.toBeNull();
    expect(await status(ada.token)).toBe(200);
    expect(await status(ended)).toBe(401);

    await restartAuth();
    await eventually(async () => expect((await write(ada.token)).status).toBe(201));
    await call(auths[0]!.url, 'POST /api/auth/sign-out', { token: ada.token });
    await refused(ada.token);
  });
});
