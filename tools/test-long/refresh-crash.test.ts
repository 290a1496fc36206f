import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applyMigrations,
  databaseService,
  freePort,
  provisionDatabase,
  startTemporaryPostgres,
  type Postgres,
} from '@tenantry/dev-database';
import { canarySecret } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant } from '../test/support/client.ts';
import { startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// auth-service as a process of its own, killed from outside: it has no fault to trigger in it.

interface SessionBody {
  session: { id: string; token: string; refreshToken: string };
}

describe('kill -9 of auth-service', () => {
  let directory: string;
  let postgres: Postgres;
  let admin: pg.Pool;
  let auth: Instance;
  let start: () => Promise<Instance>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-crash-'));
    postgres = await startTemporaryPostgres();
    const service = databaseService('auth-service');
    const { ownerUrl, runtimeUrl } = await provisionDatabase({
      adminUrl: postgres.adminUrl,
      service: 'auth-service',
    });
    await applyMigrations({ projectRoot: service.projectRoot, url: ownerUrl });
    const database = new URL(postgres.adminUrl);
    database.pathname = new URL(runtimeUrl).pathname;
    admin = new pg.Pool({ connectionString: database.href, max: 1 });
    // A connection that is still closing is cut when the server stops.
    admin.on('error', () => undefined);
    const port = String(await freePort());
    const env = {
      // One session is renewed more often here than by any honest client.
      RATE_LIMIT_REFRESH_PER_MINUTE: '1000000',
      PORT: port,
      DATABASE_URL: runtimeUrl,
      AUTH_URL: `http://127.0.0.1:${port}/api/auth`,
      AUTH_SECRET: canarySecret(),
      INTERNAL_API_KEY: canarySecret(),
      MAIL_DIRECTORY: join(directory, 'mail'),
      BCRYPT_COST: '4',
    };
    start = () => startInstance('auth-service', env);
    auth = await start();
  });

  afterAll(async () => {
    await auth.kill();
    await admin.end();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const generationOf = async (sessionId: string): Promise<number> => {
    const { rows } = await admin.query<{ generation: number }>(
      'SELECT refresh_generation AS generation FROM sessions WHERE id = $1',
      [sessionId],
    );
    return rows[0]?.generation ?? 0;
  };

  it('between the commit of a refresh and its response signs no user out [S-61]', async () => {
    const { email, password } = await newTenant(auth.url, 'Ada');
    const signedIn = await call<SessionBody>(auth.url, 'POST /api/auth/sign-in/email', {
      body: { email, password },
    });
    let { refreshToken } = signedIn.body.session;
    const { id } = signedIn.body.session;

    for (let round = 1; round <= 2; round += 1) {
      const silent = await startSilentProxy(auth.url);
      const before = await generationOf(id);
      const body = { refreshToken };
      const lost = call(silent.url, 'POST /api/auth/refresh', { body }).then(
        () => 'answered',
        () => 'lost',
      );
      await eventually(async () => expect(await generationOf(id)).toBe(before + 1));
      await auth.kill();
      silent.close();
      expect(await lost).toBe('lost');

      auth = await start();
      const again = await call<SessionBody>(auth.url, 'POST /api/auth/refresh', { body });
      expect(again.status).toBe(200);
      expect(await generationOf(id)).toBe(before + 1);
      const next = await call<SessionBody>(auth.url, 'POST /api/auth/refresh', {
        body: { refreshToken: again.body.session.refreshToken },
      });
      expect(next.status).toBe(200);
      const read = await call(auth.url, 'GET /api/auth/session', { token: next.body.session.token });
      expect(read.status).toBe(200);
      ({ refreshToken } = next.body.session);
    }
  });

  it('at any moment of many refreshes signs no user out', async () => {
    const { email, password } = await newTenant(auth.url, 'Grace');
    const signedIn = await call<SessionBody>(auth.url, 'POST /api/auth/sign-in/email', {
      body: { email, password },
    });
    let { refreshToken } = signedIn.body.session;

    for (let round = 1; round <= 2; round += 1) {
      const renewing = (async () => {
        for (;;) {
          const answer = await call<SessionBody>(auth.url, 'POST /api/auth/refresh', {
            body: { refreshToken },
          });
          expect(answer.status).toBe(200);
          ({ refreshToken } = answer.body.session);
        }
      })().catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 200));
      await auth.kill();
      // A connection that broke, and no refusal.
      expect(await renewing).toBeInstanceOf(TypeError);
      auth = await start();
    }
    const last = await call<SessionBody>(auth.url, 'POST /api/auth/refresh', { body: { refreshToken } });
    expect(last.status).toBe(200);
  });
});

/** Carries requests to a service and nothing back. */
async function startSilentProxy(url: string): Promise<{ url: string; close: () => void }> {
  const port = Number(new URL(url).port);
  const server: Server = createServer((client) => {
    const service = connect({ host: '127.0.0.1', port });
    client.pipe(service).on('error', () => undefined);
    client.on('error', () => undefined);
    service.resume();
    closers.push(() => client.destroy());
  });
  const closers: (() => void)[] = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const close of closers) close();
    },
  };
}
