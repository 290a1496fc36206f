import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, startPostgres } from '@tenantry/test-kit';
import { afterAll, expect, test } from 'vitest';
import { anyString, password, send, signIn, signUp, type Answer } from './support/client.ts';
import { startService } from './support/service.ts';

// A server of its own, which may be taken away under the running service.
const directory = await mkdtemp(join(tmpdir(), 'auth-faults-'));
let postgres = await startPostgres({ directory, durable: false });
const { port } = postgres;
const database = await createTestDatabase('auth-service', { adminUrl: postgres.adminUrl });
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const settings = { AUTH_SECRET: 'vG3mB8xQ1zR5tY7uN2kL9pW4sD6fH0jC+aE=' };
const { app, logs } = await startService({ database, settings });

async function answersEventually(request: () => Promise<Answer>, status: number): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status === status) return answer;
    await sleep(100);
  }
}

test('while PostgreSQL is down everything that needs it is 503 immediately, and recovers by itself [S-157]', async () => {
  const ada = await signUp(app);
  expect(await send(app, 'GET /health')).toMatchObject({
    status: 200,
    body: { status: 'healthy', database: 'connected' },
  });
  await postgres.stop();
  // Started while it is away: it has read no keys yet.
  const late = await startService({ database, settings });

  const requests = [
    () => send(app, 'GET /session', { token: ada.token }),
    () => signIn(app, ada.email),
    () => send(app, 'POST /sign-up/email', { body: { email: 'new@example.com', password, name: 'New' } }),
    () => send(late.app, 'GET /jwks'),
    () => send(late.app, 'GET /session', { token: ada.token }),
  ];
  for (const request of requests) {
    const { status, body, headers } = await request();
    expect(status).toBe(503);
    expect(body).toEqual({ code: 'UPSTREAM_UNAVAILABLE', message: anyString, requestId: anyString });
    expect(headers['retry-after']).toBe('1');
  }

  const health = await send(app, 'GET /health');
  expect(health.status).toBe(503);
  expect(health.body).toEqual({
    status: 'unhealthy',
    database: 'disconnected',
    uptime: expect.any(Number) as number,
  });
  expect(Number.isInteger(health.body.uptime)).toBe(true);
  expect((await send(app, 'GET /api/health/ready')).status).toBe(503);
  // What is in memory still works: verifiers elsewhere may still read the keys.
  expect((await send(app, 'GET /jwks')).status).toBe(200);

  postgres = await startPostgres({ directory, port, durable: false });
  const resumed = await answersEventually(() => send(app, 'GET /session', { token: ada.token }), 200);
  expect(resumed.body.user.id).toBe(ada.id);
  expect((await signIn(app, ada.email)).status).toBe(200);
  expect((await send(app, 'GET /health')).status).toBe(200);
  expect((await send(late.app, 'GET /session', { token: ada.token })).status).toBe(200);
  expect(logs() + late.logs()).not.toContain('INTERNAL');
});
