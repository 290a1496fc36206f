import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiError } from '@tenantry/envelope';
import type { Asking } from '@tenantry/fair-shares';
import { createLogger } from '@tenantry/service/logging';
import { RateLimits } from '@tenantry/service/rate-limits';
import { canarySecret, patience, testLog } from '@tenantry/test-kit';
import bcrypt from 'bcrypt';
import { describe, expect, test } from 'vitest';
import { findingOf, normalizePassword } from '../src/sign-in/methods/passwords/password-policy.ts';
import { HashingTurns } from '../src/sign-in/methods/passwords/hashing-turns.ts';
import { PasswordHashing } from '../src/sign-in/methods/passwords/password-hashing.ts';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { password, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const secret = canarySecret();
const logger = createLogger({ name: 'passwords', level: 'trace', destination: testLog() });
const limiter = new RateLimits({ logger }).limiter({
  ...{ name: 'test', counted: 'hashes' },
  windows: [{ max: 1_000_000, seconds: 60 }],
});
/** Nothing is hashed that no limit has counted. */
const reason = { asking: { address: '192.0.2.1' }, counted: await limiter.consume('test') };

function hashing({
  cost = 4,
  secrets = new SecretRing(secret),
  problems = [] as string[],
  work = { rounds: 0 },
} = {}) {
  const made = new PasswordHashing({
    secrets,
    cost,
    turns: new HashingTurns({ runningMax: 2, waitingMax: 64 }),
    compare: (text, stored) => {
      work.rounds += 2 ** bcrypt.getRounds(stored);
      return bcrypt.compare(text, stored);
    },
    onUnreadableHash: (problem) => problems.push(problem),
  });
  return {
    hash: (password: string) => made.hash(normalizePassword(password), reason),
    verify: async (password: string, stored: string | undefined) => {
      const turn = await made.take(reason);
      return turn.compare(normalizePassword(password), stored).finally(() => turn.giveBack());
    },
  };
}

describe('a stored password', () => {
  test('names its scheme and pepper version, and is salted', async () => {
    const [first, second] = await Promise.all([hashing().hash(password), hashing().hash(password)]);
    expect(first).toMatch(/^bcrypt-hmac-sha384:[\w-]{12}:\$2b\$04\$[./A-Za-z0-9]{53}$/);
    expect(first).not.toBe(second);
    expect(first).not.toContain(password);
  });

  const linear = { timeout: patience(10_000) };
  test(
    'is not made of marks without end, which would take the square of their time to put in order [S-151]',
    linear,
    () => {
      const marks = '\u0315'.repeat(160_000) + '\u0334'.repeat(160_000);
      const owner = { email: `${marks}@example.com`, name: marks };
      expect(() => normalizePassword(marks)).toThrow('must be at most 128 characters');
      expect(findingOf(marks, owner, { lengthMin: 8 })).toMatchObject({ rule: 'maxLength' });
      expect(findingOf(password, owner, { lengthMin: 8 })).toBeUndefined();
    },
  );

  test('matches only its own password', async () => {
    const stored = await hashing().hash(password);
    expect(await hashing().verify(password, stored)).toEqual({ matches: true, outdated: false });
    expect((await hashing().verify(`${password} `, stored)).matches).toBe(false);
  });

  test('differs when only what comes after byte 72 differs [S-3]', async () => {
    const long = 'x'.repeat(100);
    const stored = await hashing().hash(`${long}a`);
    expect((await hashing().verify(`${long}a`, stored)).matches).toBe(true);
    expect((await hashing().verify(`${long}b`, stored)).matches).toBe(false);
  });

  test('is the same for both spellings of an accent [S-1]', async () => {
    const stored = await hashing().hash('cafe\u0301 noir');
    expect((await hashing().verify('caf\u00e9 noir', stored)).matches).toBe(true);
  });

  test('is worth nothing without the pepper [S-3]', async () => {
    const stored = await hashing().hash(password);
    const hash = stored.split(':')[2] ?? '';
    const candidates = [password, createHmac('sha384', '').update(password).digest('base64')];
    for (const candidate of candidates) expect(await bcrypt.compare(candidate, hash)).toBe(false);
    const problems: string[] = [];
    const other = new SecretRing(canarySecret());
    expect((await hashing({ secrets: other, problems }).verify(password, stored)).matches).toBe(false);
    expect(problems).toHaveLength(1);
  });

  test('is outdated under a new cost or a new secret', async () => {
    const stored = await hashing().hash(password);
    expect(await hashing({ cost: 5 }).verify(password, stored)).toEqual({ matches: true, outdated: true });
    const rotated = new SecretRing(canarySecret(), [secret]);
    expect(await hashing({ secrets: rotated }).verify(password, stored)).toEqual({
      matches: true,
      outdated: true,
    });
  });

  test.each([
    ['of an earlier, lower cost', 6, 8],
    ['of the cost of now', 8, 8],
    ['of an earlier, higher cost', 8, 6],
  ])('%s takes as much work to refuse as one that does not exist [S-12]', async (_case, former, cost) => {
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
  test('renews an outdated hash [S-3]', async () => {
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

/** Turns of which one is taken until `open` is called, and who was served in which order since. */
function turnsTaken({ runningMax = 1, waitingMax = 64 } = {}) {
  const turns = new HashingTurns({ runningMax, waitingMax });
  const served: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const ask = (asking: Asking, label: string) =>
    turns
      .take(asking)
      .then(async (turn) => {
        served.push(label);
        await gate;
        turn.giveBack();
      })
      .catch((error: unknown) => {
        if ((error as ApiError).statusCode === 503) return 'refused';
        throw error;
      });
  const flood = (askingOf: (n: number) => Asking, times = 90) =>
    Array.from({ length: times }, (_, n) => ask(askingOf(n), 'flood'));
  const refusedOf = async (asked: readonly Promise<unknown>[]) =>
    (await Promise.all(asked)).filter((outcome) => outcome === 'refused').length;
  return { turns, served, ask, flood, refusedOf, open: () => open() };
}

const address = (n: number) => `198.51.100.${n}`;
const stranger = { address: '192.0.2.1', account: 'stranger@example.com' };

describe('turns at hashing', () => {
  test('are limited in parallel, served in order, and refused when the queue is full [S-4]', async () => {
    const { turns, served, ask, open } = turnsTaken({ runningMax: 2, waitingMax: 3 });
    const ada = { address: address(1), account: 'ada' };
    const asked = [0, 1, 2, 3, 4].map((n) => ask(ada, String(n)));
    await expect(turns.take(ada)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      statusCode: 503,
      headers: { 'retry-after': '5' },
    });
    expect(served).toEqual(['0', '1']);
    open();
    await Promise.all(asked);
    expect(served).toEqual(['0', '1', '2', '3', '4']);
  });

  test.each<[string, (n: number) => Asking]>([
    [
      'one user in one organization',
      () => ({ organizationId: 'free', userId: 'flooding', address: address(1) }),
    ],
    [
      'one organization from everywhere',
      (n) => ({ organizationId: 'free', userId: `u${n}`, address: address(n) }),
    ],
    ['one user from everywhere', (n) => ({ userId: 'flooding', address: address(n) })],
    ['one address, of ever other accounts', (n) => ({ address: address(1), account: `account ${n}` })],
    ['one address, as ever other users', (n) => ({ userId: `u${n}`, address: address(1) })],
    [
      'one address, in ever other organizations',
      (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: address(1) }),
    ],
  ])('under a flood of %s are next a stranger’s, who is never refused [S-4]', async (_who, askingOf) => {
    const { served, ask, flood, refusedOf, open } = turnsTaken();
    const flooding = flood(askingOf);
    const honest = [1, 2, 3].map((n) => ask({ ...stranger, address: `192.0.2.${n}` }, `stranger ${n}`));
    open();
    expect(await refusedOf(honest)).toBe(0);
    // What runs is not cut short, and one of the flood comes before the first.
    const turn = Math.max(...[1, 2, 3].map((n) => served.indexOf(`stranger ${n}`)));
    expect(turn).toBeLessThanOrEqual(5);
    expect(await refusedOf(flooding)).toBeGreaterThan(0);
  });

  test('under a flood from an address take turns among its accounts: one user does not lock out an office [S-4]', async () => {
    const { served, ask, flood, refusedOf, open } = turnsTaken();
    const flooding = flood(() => ({ address: address(1), account: 'flooding' }));
    const colleague = ask({ address: address(1), account: 'colleague' }, 'colleague');
    open();
    expect(await refusedOf([colleague])).toBe(0);
    expect(served.indexOf('colleague')).toBeLessThanOrEqual(2);
    expect(await refusedOf(flooding)).toBeGreaterThan(0);
  });

  test('of a service that sends no client address count for the organization', async () => {
    const { served, ask, flood, open } = turnsTaken();
    const flooding = flood((n) => ({ organizationId: 'free', userId: `u${n}` }));
    const honest = ask(stranger, 'stranger');
    open();
    await Promise.all([honest, ...flooding]);
    expect(served.indexOf('stranger')).toBeLessThanOrEqual(2);
  });

  test('are measured', async () => {
    const turns = new HashingTurns({ runningMax: 1, waitingMax: 1 });
    const turn = await turns.take(stranger);
    const waiting = turns.take({ address: address(2) });
    const counts = () => turns.measurements.find(({ name }) => name === 'tenantry_shares')?.read();
    const counted = (running: number, waits: number) => [
      { labels: { shared: 'password-hashing', state: 'running' }, value: running },
      { labels: { shared: 'password-hashing', state: 'waiting' }, value: waits },
    ];
    await expect.poll(counts).toEqual(counted(1, 1));
    turn.giveBack();
    (await waiting).giveBack();
    expect(counts()).toEqual(counted(0, 0));
  });

  test('come back when an attempt cannot be counted', async () => {
    const { app, sql } = await startService({ settings: { UV_THREADPOOL_SIZE: '2' } });
    const { email } = await signUp(app);
    await sql('ALTER TABLE sign_in_failures RENAME TO moved_away');
    for (let n = 0; n < 3; n += 1) expect((await signIn(app, email)).status).toBe(500);
    await sql('ALTER TABLE moved_away RENAME TO sign_in_failures');
    expect((await signIn(app, email)).status).toBe(200);
  });
});

describe('hashing', () => {
  test('responds with 503 and Retry-After only to the flood of one account, and keeps serving all others [S-4]', async () => {
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
