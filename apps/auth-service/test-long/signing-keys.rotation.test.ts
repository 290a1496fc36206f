import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import { createTestDatabase, patience } from '@tenantry/test-kit';
import { afterAll, expect, test } from 'vitest';
import { send, signUp, type SignedUp } from '../test/support/client.ts';
import { startService, type RunningService } from '../test/support/service.ts';

/**
 * A life of keys in seconds instead of weeks; as in the real one, tokens are over before their key is. It takes longer on a slow
 * machine, where verifiers read the keys later.
 */
const schedule = { rotationMs: patience(3_000), announcedMs: patience(2_500), retainedMs: patience(6_000) };
const tokenUsedForMs = patience(2_000);

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

/** Two instances on one database, whose clocks differ by as much as verifiers allow for. */
async function startInstances(): Promise<[RunningService, RunningService]> {
  const database = await createTestDatabase('auth-service');
  afterAll(() => database.drop());
  const settings = { AUTH_SECRET: 'vG3mB8xQ1zR5tY7uN2kL9pW4sD6fH0jC+aE=' };
  const instance = (skewMs: number) =>
    startService({
      database,
      settings,
      keySchedule: schedule,
      now: () => new Date(Date.now() + skewMs),
    });
  return [await instance(-2_000), await instance(2_000)];
}

async function follow({ app, config }: RunningService): Promise<Verifier> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const jwks = `${address}/api/auth/jwks`;
  const verifier = createVerifier({
    issuer: config.AUTH_URL,
    jwks,
    revocations: false,
    keyRefreshSeconds: 0.5,
    cacheSize: 0,
  });
  afterAll(() => verifier.close());
  await verifier.ready();
  return verifier;
}

test('keys rotate under load on two instances with skewed clocks, and not one request fails [S-87]', async () => {
  const [first, second] = await startInstances();
  const verifiers = [await follow(first), await follow(second)];
  const firstKid = (await send(first.app, 'GET /jwks')).body.keys[0]?.['kid'];
  const kids: string[] = [];
  const failures: unknown[] = [];
  const endsAt = Date.now() + patience(14_000);
  let requests = 0;

  /** Signs at one instance, and uses the token everywhere for as long as it lives. */
  async function client(home: RunningService, away: RunningService, who: SignedUp): Promise<void> {
    let token = who.token;
    let refreshToken = who.refreshToken;
    while (Date.now() < endsAt) {
      const renewed = await send(home.app, 'POST /refresh', { body: { refreshToken } });
      if (renewed.status !== 200) failures.push(renewed.body);
      ({ token, refreshToken } = renewed.body.session as { token: string; refreshToken: string });
      kids.push(kidOf(token));
      for (const usedUntil = Date.now() + tokenUsedForMs * Math.random() ** 3; Date.now() < usedUntil;) {
        for (const { app } of [home, away]) {
          const answer = await send(app, 'GET /session', { token });
          requests += 1;
          if (answer.status !== 200) failures.push(answer.body);
        }
        for (const verifier of verifiers) {
          // Without a promise: the key was known before anything was signed with it, and nothing had to be fetched.
          await Promise.resolve()
            .then(() => expect(verifier.verifyNow(token)).not.toBeInstanceOf(Promise))
            .catch((error: unknown) => failures.push(error));
        }
        await sleep(20);
      }
    }
  }

  const users = await Promise.all(Array.from({ length: 6 }, (_, n) => signUp([first, second][n % 2]!.app)));
  await Promise.all(
    users.map((user, n) => (n % 2 ? client(second, first, user) : client(first, second, user))),
  );

  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(100);
  const signers = [...new Set(kids)];
  expect(signers.length).toBeGreaterThanOrEqual(3);

  // One instance made each key and the other followed: each signs a whole period after the one before.
  const starts = [first, second]
    .flatMap(({ logs }) => logs().split('\n'))
    .filter((line) => line.includes('"the signing keys change"'))
    .flatMap((line) => (JSON.parse(line) as { steps: { kind: string; signsFrom: string }[] }).steps)
    .filter(({ kind }) => kind === 'make')
    .map(({ signsFrom }) => Date.parse(signsFrom))
    .sort((a, b) => a - b);
  expect(starts.length).toBeGreaterThanOrEqual(signers.length);
  const periods = starts.slice(1).map((start, index) => start - starts[index]!);
  expect(Math.min(...periods)).toBeGreaterThanOrEqual(schedule.rotationMs);
  const published = () =>
    Promise.all([first, second].map(async ({ app }) => (await send(app, 'GET /jwks')).body.keys));
  // Asked between one instance's step and the other's reading of it, they differ for a moment.
  await expect.poll(async () => isDeepStrictEqual(...((await published()) as [unknown, unknown]))).toBe(true);
  // What is over is gone.
  const [left] = await published();
  expect(left?.map(({ kid }) => kid)).not.toContain(firstKid);
});
