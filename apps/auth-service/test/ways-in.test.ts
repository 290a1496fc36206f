import { describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, password, send, signIn, signUp, type SignedUp } from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { challengeOf, enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

const service = await startByClock({ settings: { FRONTEND_URL: 'https://app.example.com' } });
const { app, clock, sql } = service;

/** Takes a user's password away, as somebody has who signs in by other ways alone. */
const forgetPassword = ({ id }: Pick<SignedUp, 'id'>) =>
  sql('DELETE FROM credentials WHERE user_id = $1', [id]);

const endOthers = (token: string) => send(app, 'DELETE /sessions?scope=others', { token });
const sessionsOf = async ({ id }: Pick<SignedUp, 'id'>) =>
  (await sql('SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id])).length;

describe('the ways to sign in', () => {
  test('are listed to their user', async () => {
    const ada = await signUp(app);
    expect((await send(app, 'GET /ways-in', ada)).body).toEqual({
      password: true,
      mailed: false,
      passkeys: [],
      identities: [],
      twoFactor: { enabled: false, methods: [], backupCodesLeft: 0 },
    });
    const grace = await enrol(app, clock);
    const { body } = await send(app, 'GET /ways-in', grace);
    expect(body).toMatchObject({ twoFactor: { enabled: true, backupCodesLeft: 10 } });
    expect((await send(app, 'GET /ways-in')).status).toBe(401);
  });

  test('always leave one: the only password cannot be removed, not even by twenty concurrent requests [S-38]', async () => {
    const ada = await signUp(app);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(app, 'DELETE /password', { token: ada.token })),
    );
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'LAST_WAY_IN']);
    expect((await signIn(app, ada.email)).status).toBe(200);
    expect(await lettersTo(service, ada.email)).not.toContain('way-in-changed');
  });

  test('can be removed only by their owner, with the password or a recent sign-in [S-38]', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 6 });
    const stolen = await send(app, 'DELETE /password', { token: ada.token });
    expect([stolen.status, stolen.body.reason]).toEqual([401, 'PASSWORD_REQUIRED']);
    const wrong = await send(app, 'DELETE /password', { token: ada.token, body: { password: 'wrong one' } });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });
});

describe('an account without a password', () => {
  test('is asked to sign in again in place of the password, by named methods [S-34]', async () => {
    const ada = await signUp(app);
    await forgetPassword(ada);
    clock.advance({ seconds: 300 });
    expect((await endOthers(ada.token)).status).toBe(200);
    clock.advance({ seconds: 1 });
    for (const request of ['DELETE /sessions?scope=others', 'DELETE /user', 'DELETE /password'] as const) {
      const { status, body, headers } = await send(app, request, { token: ada.token });
      expect([status, body.code, body.reason]).toEqual([
        401,
        'INSUFFICIENT_USER_AUTHENTICATION',
        'SIGN_IN_REQUIRED',
      ]);
      expect(headers['www-authenticate']).toContain('acr_values="aal1", max_age="300"');
      expect(body.details).toMatchObject([{ field: 'session', params: { methods: [], maxAgeSeconds: 300 } }]);
    }
  });

  test('turns two-factor on and off, and can be deleted [S-34]', async () => {
    const ada = await signUp(app);
    await forgetPassword(ada);
    const begun = await send(app, 'POST /two-factor/enable', { token: ada.token, body: {} });
    expect(begun.status).toBe(200);
    const { secret } = begun.body;
    const { refreshToken: shown } = ada;
    const on = await verifyTotp(app, {
      token: ada.token,
      refreshToken: shown,
      code: nextCode(secret, clock),
    });
    expect(claimsOf(on.body.session.token)).toMatchObject({ acr: 'aal2' });

    const { token } = on.body.session;
    const off = { token, body: { code: nextCode(secret, clock) } };
    expect((await send(app, 'POST /two-factor/disable', off)).status).toBe(200);
    const { refreshToken } = on.body.session;
    const renewed = await send(app, 'POST /refresh', { body: { refreshToken } });
    const next = renewed.body.session.token;
    expect(claimsOf(next)).toMatchObject({ acr: 'aal1', amr: ['pwd'] });
    expect((await send(app, 'DELETE /user', { token: next })).status).toBe(204);
  });

  describe.each([
    ['a device that is named', { 'x-device-id': 'adas-phone' }, { 'x-device-id': 'another-phone' }],
    ['a device that is named', { 'x-device-id': 'adas-phone' }, {}],
    ['a program', { 'user-agent': 'Ada/1.0' }, { 'user-agent': 'Eve/1.0' }],
    ['a program', { 'user-agent': 'Ada/1.0' }, { 'user-agent': 'Ada/1.0', 'x-device-id': 'another-phone' }],
  ])('signed in on %s %o [S-35]', (_, headers, elsewhere) => {
    const begin = (token: string, from: Readonly<Record<string, string>>) =>
      send(app, 'POST /two-factor/enable', { token, headers: from, body: {} });

    test('gives a copied access token no second factor', async () => {
      const ada = await signUp(app, 'Ada', headers);
      await forgetPassword(ada);
      const stolen = await begin(ada.token, elsewhere);
      expect([stolen.status, stolen.body.reason]).toEqual([401, 'SIGN_IN_REQUIRED']);
      // Nor does it finish what the owner has begun.
      const { secret } = (await begin(ada.token, headers)).body;
      const code = nextCode(secret, clock);
      const finished = await verifyTotp(app, { token: ada.token, code, headers: elsewhere });
      expect([finished.status, finished.body.reason]).toEqual([401, 'SIGN_IN_REQUIRED']);
      const { refreshToken } = ada;
      const renewed = await send(app, 'POST /refresh', { body: { refreshToken }, headers });
      expect(renewed.status).toBe(200);
      expect(claimsOf(renewed.body.session.token)).toMatchObject({ acr: 'aal1' });
    });

    test('sets it up, and no token alone renews the session', async () => {
      const ada = await signUp(app, 'Ada', headers);
      await forgetPassword(ada);
      const { secret } = (await begin(ada.token, headers)).body;
      const on = await verifyTotp(app, { token: ada.token, code: nextCode(secret, clock), headers });
      expect(on.status).toBe(200);
      expect(on.body.session.refreshToken).toBeUndefined();
      const { refreshToken } = ada;
      const renewed = await send(app, 'POST /refresh', { body: { refreshToken }, headers });
      expect(claimsOf(renewed.body.session.token)).toMatchObject({ acr: 'aal2' });
    });
  });

  test('does not set two-factor up in a session of long ago [S-34]', async () => {
    const ada = await signUp(app);
    await forgetPassword(ada);
    clock.advance({ minutes: 6 });
    const begun = await send(app, 'POST /two-factor/enable', { token: ada.token, body: {} });
    expect([begun.status, begun.body.reason]).toEqual([401, 'SIGN_IN_REQUIRED']);
    const guessed = await send(app, 'POST /two-factor/enable', { token: ada.token, body: { password } });
    expect([guessed.status, guessed.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('whose user has a password never does without it [S-34]', async () => {
    const ada = await enrol(app, clock);
    const off = { token: ada.token, body: { code: nextCode(ada.secret, clock) } };
    for (const answer of [
      await send(app, 'POST /two-factor/disable', off),
      await send(app, 'POST /two-factor/enable', { token: ada.token, body: {} }),
      await send(app, 'POST /two-factor/enable', { token: ada.token }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.details).toEqual([{ field: 'password', rule: 'required', message: 'is required' }]);
    }
  });
});

describe('a sign-in that carries a live session', () => {
  const phone = { 'x-device-id': 'adas-phone' };
  const again = (email: string, token: string, headers = phone) =>
    signIn(app, email, { ...headers, authorization: `Bearer ${token}` });

  test('of the same user and device continues it under a new id, instead of adding one [S-37]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    clock.advance({ minutes: 6 });
    const { status, body } = await again(ada.email, ada.token);
    expect(status).toBe(200);
    expect(body.session.id).not.toBe(ada.sessionId);
    expect(await sessionsOf(ada)).toBe(1);
    expect((await send(app, 'GET /session', { token: ada.token })).body.reason).toBe('SESSION_ENDED');
    expect((await send(app, 'POST /refresh', { body: { refreshToken: ada.refreshToken } })).status).toBe(401);
    expect((await endOthers(body.session.token)).status).toBe(200);
  });

  test('adds one from another device, for another user, with a wrong password, and with a token of no session [S-37]', async () => {
    const ada = await signUp(app, 'Ada', phone);
    expect((await again(ada.email, ada.token, { 'x-device-id': 'another' })).status).toBe(200);
    expect(await sessionsOf(ada)).toBe(2);
    const bob = await signUp(app, 'Bob', phone);
    expect((await again(bob.email, ada.token)).status).toBe(200);
    expect([await sessionsOf(ada), await sessionsOf(bob)]).toEqual([2, 2]);
    const wrong = { email: ada.email, password: 'not the password' };
    const headers = { ...phone, authorization: `Bearer ${ada.token}` };
    expect((await send(app, 'POST /sign-in/email', { body: wrong, headers })).status).toBe(401);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect((await again(ada.email, 'no token')).status).toBe(200);
    expect(await sessionsOf(ada)).toBe(3);
  });

  test('continues a stronger one only once it is as strong itself [S-37]', async () => {
    const ada = await enrol(app, clock);
    const challenged = await again(ada.email, ada.token, {} as typeof phone);
    expect(challenged.body.twoFactorRequired).toBe(true);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    const code = nextCode(ada.secret, clock);
    const { token: challengeToken } = challenged.body.challenge;
    const finished = await verifyTotp(app, { token: ada.token, challengeToken, code });
    expect(finished.status).toBe(200);
    expect(await sessionsOf(ada)).toBe(1);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
  });

  test('in cookies continues that of the browser, in its organization, also once the access token has expired', async () => {
    const browser = new Browser(app);
    const ada = await signUp(app);
    const body = { email: ada.email, password };
    const first = await browser.send('POST /sign-in/email', { body });
    clock.advance({ minutes: 20 });
    const second = await browser.send('POST /sign-in/email', { body });
    expect(second.body.session.id).not.toBe(first.body.session.id);
    expect(await sessionsOf(ada)).toBe(2);
    expect((await browser.send('GET /session')).body.session.id).toBe(second.body.session.id);
  });

  test('of twenty concurrent ones continues it once, and all of them sign in', async () => {
    const ada = await signUp(app, 'Ada', phone);
    const answers = await Promise.all(Array.from({ length: 20 }, () => again(ada.email, ada.token)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const signedIn = answers.filter(({ status }) => status === 200).length;
    expect(await sessionsOf(ada)).toBe(Math.min(signedIn, 20));
  });
});

test.each([
  ['{pwd,otp}', 'aal2'],
  ['{pwd,backup}', 'aal2'],
  ['{pwd}', 'aal1'],
])('a session with the factors %s that the former version wrote is of %s', async (factors, acr) => {
  const ada = await signUp(app);
  await sql('UPDATE sessions SET factors = $2, acr = NULL WHERE user_id = $1', [ada.id, factors]);
  const renewed = await send(app, 'POST /refresh', { body: { refreshToken: ada.refreshToken } });
  expect(claimsOf(renewed.body.session.token)).toMatchObject({ acr });
});

describe('a challenge', () => {
  test('is finished by the device that began it on another network, and by no other device', async () => {
    const ada = await enrol(app, clock);
    const phone = { 'x-device-id': 'adas-phone' };
    const challengeToken = await challengeOf(app, ada.email, phone);
    const code = nextCode(ada.secret, clock);
    const finishAt = (remoteAddress: string, device: string) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/two-factor/verify-totp',
        remoteAddress,
        headers: { 'x-device-id': device },
        payload: { challengeToken, code },
      });
    expect((await finishAt('127.0.0.1', 'another')).json()).toMatchObject({ code: 'INVALID_CHALLENGE' });
    expect((await finishAt('203.0.113.9', 'adas-phone')).statusCode).toBe(200);
  });
});

describe('if accounts require an invitation', async () => {
  const closed = await startByClock({ settings: { SIGN_UP: 'invited' } });

  test('signing up without one is refused, whether or not the address is taken [S-53]', async () => {
    const fresh = { email: `eve.${String(clock())}@example.com`, password, name: 'Eve' };
    const { status, body } = await send(closed.app, 'POST /sign-up/email', { body: fresh });
    expect([status, body.code]).toEqual([403, 'SIGN_UP_CLOSED']);
    const made = { ...fresh, invitationToken: `tri_${'A'.repeat(86)}` };
    expect((await send(closed.app, 'POST /sign-up/email', { body: made })).body.code).toBe('INVALID_TOKEN');
    expect(await closed.sql('SELECT id FROM users')).toEqual([]);
    const start = (await send(closed.app, 'GET /start')).body as unknown as { signIn: object };
    expect(start.signIn).toMatchObject({ signUp: 'invited' });
  });
});

describe('the first proof of an address', () => {
  test('notifies the owner and is audited [S-7]', async () => {
    const mallory = await signUp(app, 'Mallory');
    await send(app, 'POST /password/forgot', { body: { email: mallory.email } });
    const token = await mailedToken(service, mallory.email, 'reset-password');
    const chosen = { token, newPassword: 'a password of the owner' };
    expect((await send(app, 'POST /password/reset', { body: chosen })).status).toBe(200);
    const rows = await sql('SELECT action FROM user_audit_events WHERE user_id = $1', [mallory.id]);
    expect(rows.map(({ action }) => action)).toContain('account.claimed');
  });
});
