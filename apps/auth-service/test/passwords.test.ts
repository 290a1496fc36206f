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

function hashing({
  cost = 4,
  secrets = createSecretRing(secret),
  problems = [] as string[],
  work = { rounds: 0 },
} = {}) {
  const { enqueue } = createHashingQueue({ runningMax: 2, waitingMax: 64 });
  const made = createPasswordHashing({
    secrets,
    cost,
    enqueue,
    compare: (text, stored) => {
      work.rounds += 2 ** bcrypt.getRounds(stored);
      return bcrypt.compare(text, stored);
    },
    onUnreadableHash: (problem) => problems.push(problem),
  });
  const account = 'ada@example.com';
  return {
    hash: (password: string) => made.hash({ password, account }),
    verify: (password: string, stored: string | undefined) => made.verify({ password, account }, stored),
  };
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

  test.each([
    ['of an earlier, lower cost', 6, 8],
    ['of the cost of now', 8, 8],
    ['of an earlier, higher cost', 8, 6],
  ])('%s takes as much work to refuse as one that does not exist', async (_case, former, cost) => {
    const stored = await hashing({ cost: former }).hash(password);
    const work = { rounds: 0 };
    const now = hashing({ cost, work });
    const workOf = async (given: string, hash: string | undefined) => {
      work.rounds = 0;
      await now.verify(given, hash);
      return work.rounds;
    };
    const wrong = await workOf('wrong password', stored);
    expect(wrong).toBe(2 ** Math.max(former, cost));
    expect(await workOf('wrong password', undefined)).toBe(wrong);
    // Of a disabled account the right password is refused too.
    expect(await workOf(password, stored)).toBe(wrong);
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

const queued = (counts: Record<'running' | 'waiting', number>) =>
  Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));

describe('hashing', () => {
  test('runs no more jobs at once than allowed, in order, and refuses the first beyond the queue', async () => {
    const { enqueue } = createHashingQueue({ runningMax: 2, waitingMax: 3 });
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
    const jobs = [0, 1, 2, 3, 4].map((n) => enqueue('ada', job(n)));
    await expect(enqueue('ada', job(5))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      statusCode: 503,
      headers: { 'retry-after': '5' },
    });
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(runningMax).toBe(2);
    expect(await enqueue('ada', job(6))).toBe(6);
  });

  test('frees its place when a job fails', async () => {
    const { enqueue } = createHashingQueue({ runningMax: 1, waitingMax: 1 });
    const failing = enqueue('ada', () => Promise.reject(new Error('broken')));
    const next = enqueue('ada', async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await enqueue('ada', async () => 'again')).toBe('again');
  });

  test('under 150 jobs of one account takes a stranger’s next, and never refuses it', async () => {
    const { enqueue } = createHashingQueue({ runningMax: 2, waitingMax: 64 });
    const order: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const work = (account: string) =>
      enqueue(account, () => {
        order.push(account);
        return gate;
      });
    const flood = Array.from({ length: 150 }, () => work('flood').catch(() => 'refused'));
    const stranger = work('stranger');
    open();
    await stranger;
    // What was running is not cut short; nothing that waited goes before.
    expect(order.indexOf('stranger')).toBe(2);
    const outcomes = await Promise.all(flood);
    // The one place that the stranger needed was taken from the flood.
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(150 - 2 - 64 + 1);
  });

  test('serves as many accounts as there are in turn, whoever came first', async () => {
    const { enqueue } = createHashingQueue({ runningMax: 1, waitingMax: 64 });
    const order: string[] = [];
    const work = (account: string) => enqueue(account, async () => void order.push(account));
    await Promise.all(['ada', 'ada', 'ada', 'ada', 'bob', 'bob', 'eve'].map(work));
    expect(order.slice(0, 4).toSorted()).toEqual(['ada', 'ada', 'bob', 'eve']);
    expect(order).toHaveLength(7);
  });

  test('refuses a newcomer when every place is another account’s', async () => {
    const { enqueue, measurements } = createHashingQueue({ runningMax: 1, waitingMax: 3 });
    const measured = () => measurements.map(({ read }) => read());
    const waiting = ['ada', 'bob', 'eve', 'mia'].map((account) => enqueue(account, () => sleep(1)));
    await expect(enqueue('zoe', () => sleep(1))).rejects.toMatchObject({ statusCode: 503 });
    expect(measured()).toEqual([queued({ running: 1, waiting: 3 }), [{ value: 1 }]]);
    await Promise.all(waiting);
    expect(measured()).toEqual([queued({ running: 0, waiting: 0 }), [{ value: 1 }]]);
  });

  test('answers 503 with Retry-After to the flood of one account alone, and goes on serving everyone else', async () => {
    const { app } = await startService({ settings: { BCRYPT_COST: '8', UV_THREADPOOL_SIZE: '2' } });
    const [ada, stranger] = [await signUp(app), await signUp(app)];
    const flood = Promise.all(
      Array.from({ length: 150 }, () =>
        send(app, 'POST /password/change', {
          token: ada.token,
          body: { currentPassword: 'not the password', newPassword: 'a battery of my own' },
        }),
      ),
    );
    await sleep(50);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect((await signIn(app, stranger.email)).status).toBe(200);
    const refused = (await flood).filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
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
