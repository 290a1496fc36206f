import { describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import {
  claimsOf,
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type Answer,
} from './support/client.ts';
import { lettersTo } from './support/mail.ts';
import { found } from './support/organizations.ts';
import {
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  type Enrolled,
} from './support/two-factor.ts';

const service = await startByClock({ settings: { TRUST_PROXY: '127.0.0.1', FRONTEND_URL: frontend } });
const { app, clock, sql } = service;

const expiryOf = (token: string) => Number(claimsOf(token)['exp']);
const switchTo = (token: string, organizationId: string, more: object = {}) =>
  send(app, 'POST /organization/switch', { token, body: { organizationId, ...more } });
const elsewhere = { 'x-forwarded-for': '198.51.100.66', 'user-agent': 'Thief/1.0' };

/** Someone whose organizations are worth switching between, and the access token that was stolen. */
async function victim() {
  const ada = await signUp(app);
  const { id } = await found(service, ada.token);
  return { ...ada, organizationId: id };
}

/** Every way in which a request answers another access token for the one that it brings. */
const ways: Readonly<Record<string, (stolen: Enrolled, organizationId: string) => Promise<Answer>>> = {
  'organization/switch': ({ token }, organizationId) => switchTo(token, organizationId),
  'two-factor/verify-totp': ({ token, secret }) => verifyTotp(app, { token, code: nextCode(secret, clock) }),
  'two-factor/verify-backup-code': ({ token, backupCodes }) =>
    verifyBackupCode(app, { token, code: backupCodes[0]! }),
  'organization/:organizationId': ({ token }, organizationId) =>
    switchTo(token, organizationId).then(({ body }) =>
      send(app, `PATCH /organization/${organizationId}`, {
        token: body.session.token,
        body: { settings: { requireTwoFactor: true } },
      }),
    ),
};

describe('a token that is minted from a token', () => {
  test.each(Object.entries(ways))('ends when that one does: %s [S-59]', async (_, mint) => {
    const ada = await enrol(app, clock);
    const { id } = await found(service, ada.token);
    clock.advance({ minutes: 4 });
    const minted = await mint(ada, id);
    expect(minted.status).toBe(200);
    const { token, refreshToken, tokenExpiresAt } = minted.body.session;
    expect(expiryOf(token)).toBe(expiryOf(ada.token));
    expect(tokenExpiresAt).toBe(new Date(expiryOf(ada.token) * 1_000).toISOString());
    expect(refreshToken).toBeUndefined();

    // However often it is repeated.
    clock.advance({ minutes: 5 });
    expect(expiryOf((await switchTo(token, id)).body.session.token)).toBe(expiryOf(ada.token));
    clock.advance({ minutes: 7 });
    expect((await switchTo(token, id)).status).toBe(401);
  });

  test('by a thief renews nothing for seven days, from anywhere [S-59]', async () => {
    const { token: stolen, organizationId } = await victim();
    const personal = String(claimsOf(stolen)['organizationId']);
    let current = stolen;
    for (let minutes = 0; minutes < 14; minutes += 2) {
      clock.advance({ minutes: 2 });
      const wanted = current === stolen ? organizationId : personal;
      const body = { organizationId: wanted };
      const answer = await send(app, 'POST /organization/switch', {
        token: current,
        body,
        headers: elsewhere,
      });
      expect(answer.status).toBe(200);
      current = answer.body.session.token;
    }
    expect(expiryOf(current)).toBe(expiryOf(stolen));
    clock.advance({ minutes: 2 });
    expect((await send(app, 'GET /session', { token: current, headers: elsewhere })).status).toBe(401);
  });

  test('keeps what the user has shown, and when', async () => {
    const ada = await enrol(app, clock);
    const { id } = await found(service, ada.token);
    clock.advance({ minutes: 4 });
    const { amr, auth_time: at } = claimsOf(ada.token);
    const { token } = (await switchTo(ada.token, id, { refreshToken: ada.refreshToken })).body.session;
    expect(claimsOf(token)).toMatchObject({ amr, auth_time: at });
  });

  test('lives as long as any other where the refresh token comes with it, which stays valid [S-59]', async () => {
    const { token, refreshToken, organizationId } = await victim();
    clock.advance({ minutes: 10 });
    const { status, body } = await switchTo(token, organizationId, { refreshToken });
    expect(status).toBe(200);
    expect(expiryOf(body.session.token)).toBe(Math.floor(clock() / 1_000) + 15 * 60);
    expect((await refresh(app, refreshToken)).status).toBe(200);
  });

  test('lives as long in the browser that has the cookies of the session, and no copied token passes for one', async () => {
    const browser = new Browser(app);
    const signedUp = await browser.send('POST /sign-up/email', {
      body: { email: newEmail(), password, name: 'Ada' },
    });
    const { token: stolen } = signedUp.body.session;
    const { id } = await found(service, stolen);
    clock.advance({ minutes: 10 });
    const body = { organizationId: id };
    const switched = await browser.sendSafely('POST /organization/switch', { body });
    expect(expiryOf(switched.body.session.token)).toBe(Math.floor(clock() / 1_000) + 15 * 60);

    // The access token alone, dressed up as the cookie of a browser: it is bound to the device cookie.
    const thief = new Browser(app);
    const cookie = `__Host-access=${stolen}`;
    const dressed = await thief.send('POST /organization/switch', {
      body,
      headers: { cookie, 'x-csrf-token': 'none' },
    });
    expect(dressed.status).toBeGreaterThanOrEqual(401);
  });

  test.each([
    ['ip+device', 401],
    ['device', 401],
    ['off', 200],
  ])(
    'gains nothing as a cookie of ours, whatever a session is bound to: SESSION_BINDING=%s [S-59]',
    async (binding, status) => {
      const settings = { FRONTEND_URL: frontend, SESSION_BINDING: binding };
      const loose = await startByClock({ settings });
      const headers = { 'user-agent': 'MyApp/1.0' };
      const ada = await signUp(loose.app, 'Ada', headers);
      const { id } = await found(loose, ada.token);
      loose.clock.advance({ minutes: 10 });
      const page = { ...headers, origin: frontend, cookie: `__Host-access=${ada.token}` };
      const csrf = (await send(loose.app, 'GET /csrf', { token: ada.token })).body.token;
      const renewed = await send(loose.app, 'POST /organization/switch', {
        body: { organizationId: id },
        headers: { ...page, 'x-csrf-token': csrf },
      });
      expect(renewed.status).toBe(status);
      if (status === 200) expect(expiryOf(renewed.body.session.token)).toBe(expiryOf(ada.token));
    },
  );

  test('is refused beside a refresh token of another session, user or device [S-59]', async () => {
    const phone = { 'x-device-id': 'adas-phone-0001' };
    const ada = await signUp(app, 'Ada', phone);
    const { id } = await found(service, ada.token);
    const other = (await signIn(app, ada.email, phone)).body.session.refreshToken;
    const eve = (await signUp(app, 'Eve', phone)).refreshToken;
    for (const refreshToken of [other, eve, 'trt_made-up']) {
      const body = { organizationId: id, refreshToken };
      const answer = await send(app, 'POST /organization/switch', {
        token: ada.token,
        body,
        headers: phone,
      });
      expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    }
    const train = { ...phone, 'x-forwarded-for': '198.51.100.9' };
    const body = { organizationId: id, refreshToken: ada.refreshToken };
    const moved = await send(app, 'POST /organization/switch', { token: ada.token, body, headers: train });
    expect(moved.body.code).toBe('SESSION_ADDRESS_CHANGED');
    expect((await switchTo(ada.token, id)).status).toBe(200);

    // A refresh token on another device is stolen: the session ends, as at a refresh.
    const thief = { 'x-device-id': 'a-thief-0001' };
    const stolen = await send(app, 'POST /organization/switch', { token: ada.token, body, headers: thief });
    expect(stolen.body.code).toBe('INVALID_REFRESH_TOKEN');
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect(await lettersTo(service, ada.email)).toContain('session-reuse-detected');
  });
});

describe('a session that was stepped up without its refresh token', () => {
  const stepUp = ({ token, secret }: Enrolled) => verifyTotp(app, { token, code: nextCode(secret, clock) });

  test('is continued by that refresh token, and earlier tokens stop working', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 10 });
    const stepped = await stepUp(ada);
    expect(stepped.body.session.id).not.toBe(ada.sessionId);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    const { status, body } = await refresh(app, ada.refreshToken);
    expect([status, body.session.id]).toEqual([200, stepped.body.session.id]);
    expect((await refresh(app, body.session.refreshToken)).status).toBe(200);
  });

  test('repeats a lost response, for 20 concurrent requests', async () => {
    const ada = await enrol(app, clock);
    await stepUp(ada);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(app, ada.refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.session.refreshToken)).size).toBe(1);
  });

  test('notices a refresh token that is used once more later, and ends [S-59]', async () => {
    const ada = await enrol(app, clock);
    const stepped = await stepUp(ada);
    const next = (await refresh(app, ada.refreshToken)).body.session.refreshToken;
    expect((await refresh(app, next)).status).toBe(200);
    clock.advance({ seconds: 11 });
    expect((await refresh(app, ada.refreshToken)).status).toBe(401);
    expect((await send(app, 'GET /session', { token: stepped.body.session.token })).status).toBe(401);
    expect(await lettersTo(service, ada.email)).toContain('session-reuse-detected');
  });

  test('is found, and a theft noticed, after the rows of sessions that ended are gone', async () => {
    const ada = await enrol(app, clock);
    const ended = (await signIn(app, ada.email, elsewhere)).body.challenge.token;
    const code = nextCode(ada.secret, clock);
    const other = (await verifyTotp(app, { challengeToken: ended, code, headers: elsewhere })).body.session;
    expect((await send(app, 'DELETE /sessions?scope=others', { token: ada.token, body: {} })).status).toBe(
      200,
    );
    const stepped = await stepUp(ada);
    await sql(
      `UPDATE sessions SET revoked_at = revoked_at - INTERVAL '2 days'
       WHERE user_id = $1 AND revoked_at IS NOT NULL`,
      [ada.id],
    );
    await sql('SELECT app.sweep_ended_sessions()');
    const left = await sql('SELECT id FROM sessions WHERE user_id = $1', [ada.id]);
    expect(left.map(({ id }) => id)).not.toContain(other.id);
    expect((await refresh(app, other.refreshToken, elsewhere)).status).toBe(401);
    const { status, body } = await refresh(app, ada.refreshToken);
    expect([status, body.session.id]).toEqual([200, stepped.body.session.id]);
    expect((await refresh(app, body.session.refreshToken)).status).toBe(200);
    clock.advance({ seconds: 11 });
    expect((await refresh(app, ada.refreshToken)).status).toBe(401);
    expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(401);
  });

  test('is found through several of them in a row', async () => {
    const ada = await enrol(app, clock);
    const once = await stepUp(ada);
    const twice = await stepUp({ ...ada, token: once.body.session.token });
    const { status, body } = await refresh(app, ada.refreshToken);
    expect([status, body.session.id]).toEqual([200, twice.body.session.id]);
  });

  test('is fully renewed by the earlier refresh token, and signed out by it', async () => {
    const ada = await enrol(app, clock);
    const { id } = await found(service, ada.token);
    const { token } = (await stepUp(ada)).body.session;
    clock.advance({ minutes: 5 });
    const { body } = await switchTo(token, id, { refreshToken: ada.refreshToken });
    expect(expiryOf(body.session.token)).toBe(Math.floor(clock() / 1_000) + 15 * 60);
    const named = { refreshToken: ada.refreshToken };
    expect((await send(app, 'POST /sign-out', { body: named })).status).toBe(200);
    expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(401);
  });

  test('stays bound to its own device and address, wherever the token was used', async () => {
    const phone = { 'x-device-id': 'adas-phone-0001', 'x-forwarded-for': '203.0.113.7' };
    const plain = await signUp(app, 'Ada', phone);
    const begun = await send(app, 'POST /two-factor/enable', { token: plain.token, body: { password } });
    const { secret } = begun.body;
    const enrolled = await verifyTotp(app, {
      token: plain.token,
      code: nextCode(secret, clock),
      headers: phone,
    });
    const { token, refreshToken } = enrolled.body.session;
    const stolen = await verifyTotp(app, { token, code: nextCode(secret, clock), headers: elsewhere });
    expect(stolen.status).toBe(200);
    expect((await refresh(app, refreshToken, phone)).status).toBe(200);
  });
});

describe('a change of password', () => {
  const change = (token: string) =>
    send(app, 'POST /password/change', { token, body: { currentPassword: password, newPassword } });

  test('ends a token that was stolen before, whatever was minted from it [S-5]', async () => {
    const { token: stolen, organizationId } = await victim();
    const minted = (await switchTo(stolen, organizationId)).body.session.token;
    const changed = await change(stolen);
    expect(changed.status).toBe(200);
    for (const token of [stolen, minted]) {
      expect((await switchTo(token, organizationId)).status).toBe(401);
      expect((await send(app, 'GET /session', { token })).status).toBe(401);
    }
    expect((await switchTo(changed.body.session.token, organizationId)).status).toBe(200);
  });

  test('leaves no earlier token valid that was minted at the same moment [S-5]', async () => {
    const ada = await victim();
    const { token, organizationId, refreshToken } = ada;
    const [changed, ...raced] = await Promise.all([
      change(token),
      ...Array.from({ length: 10 }, () => switchTo(token, organizationId)),
      ...Array.from({ length: 5 }, () => refresh(app, refreshToken)),
    ]);
    expect(changed.status).toBe(200);
    for (const { status, body } of raced.filter((answer) => answer.status === 200)) {
      expect(status).toBe(200);
      expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(401);
    }
    expect((await refresh(app, refreshToken)).status).toBe(401);
  });

  test('sets the cookies of the continued session', async () => {
    const browser = new Browser(app);
    await browser.send('POST /sign-up/email', { body: { email: newEmail(), password, name: 'Ada' } });
    const former = browser.cookies;
    const body = { currentPassword: password, newPassword };
    const changed = await browser.sendSafely('POST /password/change', { body });
    expect(changed.status).toBe(200);
    expect(changed.body.session.refreshToken).toBeUndefined();
    expect(browser.cookies.access).toBe(changed.body.session.token);
    expect(browser.cookies.refresh).not.toBe(former.refresh);
    expect((await browser.send('GET /session')).body.session.id).toBe(changed.body.session.id);
    expect((await browser.sendSafely('POST /refresh')).status).toBe(200);
  });
});
