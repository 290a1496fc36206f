import { randomBytes } from 'node:crypto';
import { canarySecret, createTestDatabase, testClock, type TestDatabase } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { RefreshTokens } from '../src/sessions/refresh/refresh-tokens.ts';
import { Browser, frontend } from './support/browser.ts';
import { newPassword, password, send, signIn, signUp, type SignedUp } from './support/client.ts';
import { mailedToken } from './support/mail.ts';
import { startService, type RunningService } from './support/service.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  verifyBackupCode,
  verifyTotp,
  type Enrolled,
} from './support/two-factor.ts';

// A service that is stopped, and started again with a new AUTH_SECRET and the old one as a previous one: every
// purpose of the secret is met by something that was made before.

const newSecret = canarySecret;
const [oldSecret, secret] = [newSecret(), newSecret()];
const currentId = new SecretRing(secret).current.id;
const clock = testClock(new Date());
const now = () => new Date(clock());
const common = { FRONTEND_URL: frontend };
/** Nothing listens there: letters wait in the outbox. */
const mailAway = { SMTP_URL: 'smtp://127.0.0.1:9' };

let before: RunningService;
let during: RunningService;
let ada: SignedUp;
let robin: Enrolled;
let grace: Browser;
let csrf: string;
const graceEmail = `grace.${randomBytes(6).toString('hex')}@example.com`;

beforeAll(async () => {
  const database = await createTestDatabase('auth-service');
  afterAll(() => database.drop());
  const start = (settings: Readonly<Record<string, string>>) =>
    startService({ database, now, settings: { ...common, ...settings } });

  before = await start({ AUTH_SECRET: oldSecret, ...mailAway });
  ada = await signUp(before.app);
  robin = await enrol(before.app, clock, 'Robin');
  grace = new Browser(before.app);
  await grace.send('POST /sign-up/email', { body: { email: graceEmail, password, name: 'Grace' } });
  csrf = (await grace.send('GET /csrf')).body.token;
  await send(before.app, 'POST /password/forgot', { body: { email: ada.email } });
  await before.app.close();

  during = await start({
    AUTH_SECRET: secret,
    AUTH_SECRET_PREVIOUS: `${newSecret()}, ${oldSecret}`,
    TOKEN_SECRET_PREVIOUS: oldSecret,
  });
  const successor = new Browser(during.app);
  successor.steal(grace, ['__Host-access', '__Secure-refresh', '__Secure-device']);
  grace = successor;
});

describe('after a rotation of AUTH_SECRET', () => {
  test('access tokens stay valid, and the signing key is encrypted under the new secret', async () => {
    expect((await send(during.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect(await during.sql('SELECT secret_id FROM signing_keys')).toEqual([{ secret_id: currentId }]);
  });

  test('refresh tokens stay valid, also one used twice, and are then issued under the new secret [S-183]', async () => {
    const body = { refreshToken: ada.refreshToken };
    const first = await send(during.app, 'POST /refresh', { body });
    const again = await send(during.app, 'POST /refresh', { body });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.session.refreshToken).toBe(first.body.session.refreshToken);
    const { refreshToken } = first.body.session;
    expect((await send(during.app, 'POST /refresh', { body: { refreshToken } })).status).toBe(200);
  });

  test('a pending letter is sent, and its token resets the password', async () => {
    await during.sql('UPDATE mail_outbox SET next_attempt_at = now() WHERE payload IS NOT NULL');
    const token = await mailedToken(during, ada.email, 'reset-password');
    const body = { token, newPassword };
    expect((await send(during.app, 'POST /password/reset', { body })).status).toBe(200);
  });

  test('a password signs in and is hashed again under the new secret [S-183]', async () => {
    const stored = () =>
      during.sql(
        `SELECT split_part(password_hash, ':', 2) AS secret FROM credentials JOIN users ON id = user_id WHERE email = $1`,
        [graceEmail],
      );
    expect(await stored()).toEqual([{ secret: new SecretRing(oldSecret).current.id }]);
    expect((await signIn(during.app, graceEmail)).status).toBe(200);
    expect(await stored()).toEqual([{ secret: currentId }]);
  });

  test('authenticators and backup codes keep working, and the secret is encrypted under the new one', async () => {
    const byCode = await verifyTotp(during.app, {
      code: nextCode(robin.secret, clock),
      challengeToken: await challengeOf(during.app, robin.email),
    });
    expect(byCode.status).toBe(200);
    expect(await during.sql('SELECT secret_id FROM two_factor WHERE user_id = $1', [robin.id])).toEqual([
      { secret_id: currentId },
    ]);
    const byBackupCode = await verifyBackupCode(during.app, {
      code: robin.backupCodes[0]!,
      challengeToken: await challengeOf(during.app, robin.email),
    });
    expect(byBackupCode.status).toBe(200);
  });

  test('a browser keeps its cookies and its CSRF token', async () => {
    expect((await grace.send('GET /session')).status).toBe(200);
    const create = () => ({ body: { name: 'Hopper', slug: `hopper-${randomBytes(4).toString('hex')}` } });
    // The one it has, and the one it may read again, while it has its earlier access token.
    const kept = { ...create(), headers: { 'x-csrf-token': csrf } };
    expect((await grace.send('POST /organization/create', kept)).status).toBe(201);
    expect((await grace.sendSafely('POST /organization/create', create())).status).toBe(201);
    const shown = await grace.send('POST /refresh', { body: {}, headers: { 'x-csrf-token': csrf } });
    expect(shown.status).toBe(200);
    expect((await grace.sendSafely('POST /organization/create', create())).status).toBe(201);
  });
});

describe('an AUTH_SECRET that leaked and was rotated [S-197]', () => {
  const [leaked, next] = [newSecret(), newSecret()];
  const theirs = new RefreshTokens(new SecretRing(leaked));
  const start = (database: TestDatabase, settings: Readonly<Record<string, string>>) =>
    startService({
      database,
      now,
      settings: { AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: leaked, ...settings },
    });

  test('creates no further refresh or CSRF tokens, while data encrypted under it stays readable', async () => {
    const { app: formerApp, database } = await startService({ now, settings: { AUTH_SECRET: leaked } });
    const eve = await signUp(formerApp);
    const { app } = await start(database, {});
    const id = { userId: eve.id, sessionId: eve.sessionId };
    for (const generation of [1, 2, 3]) {
      const refreshToken = theirs.make({ ...id, generation }).token;
      expect((await send(app, 'POST /refresh', { body: { refreshToken } })).status).toBe(401);
    }
    expect((await signIn(app, eve.email)).status).toBe(200);
  });

  test('makes none that was not given out, in the overlap of the rotation', async () => {
    const { app: formerApp, database } = await startService({ now, settings: { AUTH_SECRET: leaked } });
    const eve = await signUp(formerApp);
    const { app, sql } = await start(database, { TOKEN_SECRET_PREVIOUS: leaked });
    let { refreshToken } = eve;
    for (let n = 0; n < 4; n += 1) {
      clock.advance({ seconds: 20 });
      refreshToken = (await send(app, 'POST /refresh', { body: { refreshToken } })).body.session.refreshToken;
    }
    const id = { userId: eve.id, sessionId: eve.sessionId };
    // The current one is the fifth: neither it, nor those beside it, can be made with the earlier secret.
    for (const generation of [4, 5, 6, 90]) {
      const forged = theirs.make({ ...id, generation }).token;
      expect((await send(app, 'POST /refresh', { body: { refreshToken: forged } })).status).toBe(401);
    }
    expect(await sql('SELECT refresh_generation, revoked_at FROM sessions')).toEqual([
      { refresh_generation: 5, revoked_at: null },
    ]);
    expect((await send(app, 'POST /refresh', { body: { refreshToken } })).status).toBe(200);
  });
});
