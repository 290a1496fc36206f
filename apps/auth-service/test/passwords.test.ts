import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { canarySecret } from '@tenantry/test-kit';
import bcrypt from 'bcrypt';
import { describe, expect, test } from 'vitest';
import { createHashingQueue } from '../src/sign-in/methods/passwords/hashing-queue.ts';
import { createPasswordHashing } from '../src/sign-in/methods/passwords/password-hashing.ts';
import { createSecretRing } from '../src/ground/secrets/auth-secret.ts';
import { password, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const secret = canarySecret();

function hashing({ cost = 4, secrets = createSecretRing(secret), problems = [] as string[] } = {}) {
  const queue = createHashingQueue({ runningMax: 2, waitingMax: 64 });
  return createPasswordHashing({
    secrets,
    cost,
    queue,
    onUnreadableHash: (problem) => problems.push(problem),
  });
}

describe('a stored password', () => {
  test('names its scheme and pepper version, and is salted', async () => {
    const [first, second] = await Promise.all([hashing().hash(password), hashing().hash(password)]);
    expect(first).toMatch(/^bcrypt-hmac-sha384:[\w-]{12}:\$2b\$04\$[./A-Za-z0-9]{53}$/);
    expect(first).not.toBe(second);
    expect(first).not.toContain(password);
  });

  test('matches its own password alone', async () => {
    const stored = await hashing().hash(password);
    expect(await hashing().verify(password, stored)).toEqual({ matches: true, outdated: false });
    expect((await hashing().verify(`${password} `, stored)).matches).toBe(false);
  });

  test('differs when only what comes after byte 72 differs', async () => {
    const long = 'x'.repeat(100);
    const stored = await hashing().hash(`${long}a`);
    expect((await hashing().verify(`${long}a`, stored)).matches).toBe(true);
    expect((await hashing().verify(`${long}b`, stored)).matches).toBe(false);
  });

  test('is the same for both spellings of an accent', async () => {
    const stored = await hashing().hash('cafe\u0301 noir');
    expect((await hashing().verify('caf\u00e9 noir', stored)).matches).toBe(true);
  });

  test('is worth nothing without the pepper', async () => {
    const stored = await hashing().hash(password);
    const hash = stored.split(':')[2] ?? '';
    const candidates = [password, createHmac('sha384', '').update(password).digest('base64')];
    for (const candidate of candidates) expect(await bcrypt.compare(candidate, hash)).toBe(false);
    const problems: string[] = [];
    const other = createSecretRing(canarySecret());
    expect((await hashing({ secrets: other, problems }).verify(password, stored)).matches).toBe(false);
    expect(problems).toHaveLength(1);
  });

  test('is outdated under a new cost or a new secret', async () => {
    const stored = await hashing().hash(password);
    expect(await hashing({ cost: 5 }).verify(password, stored)).toEqual({ matches: true, outdated: true });
    const rotated = createSecretRing(canarySecret(), [secret]);
    expect(await hashing({ secrets: rotated }).verify(password, stored)).toEqual({
      matches: true,
      outdated: true,
    });
  });

  test('that does not exist takes as long to refuse as one that does', async () => {
    const costly = hashing({ cost: 10 });
    const stored = await costly.hash(password);
    const timed = async (hash: string | undefined) => {
      const start = performance.now();
      await costly.verify('wrong password', hash);
      return performance.now() - start;
    };
    const samples = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 7; round += 1) {
      samples.known.push(await timed(stored));
      samples.unknown.push(await timed(undefined));
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[3] ?? NaN;
    // A hash that bcrypt cannot read would be refused some thousand times faster.
    const ratio = median(samples.unknown) / median(samples.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('the next sign-in', () => {
  test('renews an outdated hash', async () => {
    const cheap = await startService({ settings: { AUTH_SECRET: secret, BCRYPT_COST: '4' } });
    const ada = await signUp(cheap.app);
    const stored = async () => (await cheap.sql('SELECT * FROM credentials'))[0]?.['password_hash'];
    expect(await stored()).toContain('$2b$04$');

    const dear = await startService({
      database: cheap.database,
      settings: { AUTH_SECRET: secret, BCRYPT_COST: '5' },
    });
    await send(dear.app, 'POST /sign-in/email', { body: { email: ada.email, password: 'wrong password' } });
    expect(await stored()).toContain('$2b$04$');
    expect((await signIn(dear.app, ada.email)).status).toBe(200);
    expect(await stored()).toContain('$2b$05$');
    expect((await signIn(dear.app, ada.email)).status).toBe(200);
  });
});

describe('hashing', () => {
  test('runs no more jobs at once than allowed, in order, and refuses the first beyond the queue', async () => {
    const queue = createHashingQueue({ runningMax: 2, waitingMax: 3 });
    const order: number[] = [];
    let running = 0;
    let runningMax = 0;
    const job = (n: number) => async () => {
      order.push(n);
      running += 1;
      runningMax = Math.max(runningMax, running);
      await sleep(5);
      running -= 1;
      return n;
    };
    const jobs = [0, 1, 2, 3, 4].map((n) => queue(job(n)));
    await expect(queue(job(5))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      statusCode: 503,
      headers: { 'retry-after': '5' },
    });
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(runningMax).toBe(2);
    expect(await queue(job(6))).toBe(6);
  });

  test('frees its place when a job fails', async () => {
    const queue = createHashingQueue({ runningMax: 1, waitingMax: 1 });
    const failing = queue(() => Promise.reject(new Error('broken')));
    const next = queue(async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await queue(async () => 'again')).toBe('again');
  });

  test('answers 503 with Retry-After to the flood, and goes on serving everyone else', async () => {
    const { app } = await startService({ settings: { BCRYPT_COST: '8', UV_THREADPOOL_SIZE: '2' } });
    const ada = await signUp(app);
    const flood = Promise.all(Array.from({ length: 80 }, () => signIn(app, ada.email)));
    await sleep(50);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    const answers = await flood;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, headers } of refused) {
      expect(status).toBe(503);
      expect(body.code).toBe('UPSTREAM_UNAVAILABLE');
      expect(headers['retry-after']).toBe('5');
    }
  });

  test('accepts a password of 128 characters at sign-in and refuses a longer one with 400', async () => {
    const { app } = await startService();
    const { status, body } = await send(app, 'POST /sign-in/email', {
      body: { email: 'nobody@example.com', password: 'x'.repeat(128) },
    });
    expect(status).toBe(401);
    expect(body.code).toBe('INVALID_CREDENTIALS');
  });
});
