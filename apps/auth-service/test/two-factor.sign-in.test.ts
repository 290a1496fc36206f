import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import { anyString, claimsOf, newPassword, password, send, signIn, signUp } from './support/client.ts';
import {
  challengeOf,
  codeNow,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';

const { app, clock, sql } = await startByClock();

describe('a sign-in with a second factor', () => {
  test('gets a challenge, and no session', async () => {
    const ada = await enrol(app, clock);
    const live = () => sql('SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [ada.id]);
    const before = await live();
    const { status, body, headers } = await signIn(app, ada.email);
    expect(status).toBe(200);
    expect(body).toEqual({
      twoFactorRequired: true,
      challenge: {
        token: anyString,
        expiresAt: new Date(clock() + 5 * 60_000).toISOString(),
        methods: ['totp', 'backup-code'],
      },
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(await live()).toEqual(before);
  });

  test('starts a session once the code is given, as any sign-in', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const { status, body } = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id: ada.id,
        email: ada.email,
        name: ada.name,
        organizationId: claimsOf(ada.token)['organizationId'],
      },
      session: {
        id: anyString,
        token: anyString,
        expiresAt: anyString,
        tokenExpiresAt: anyString,
        refreshToken: anyString,
      },
    });
    expect(claimsOf(body.session.token)).toMatchObject({
      amr: ['pwd', 'otp'],
      auth_time: Math.floor(clock() / 1_000),
    });
    expect((await send(app, 'GET /session', { token: body.session.token })).status).toBe(200);
  });

  test('keeps its factors and their moment when it is refreshed', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const { session } = (await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) })).body;
    const authTime = Math.floor(clock() / 1_000);
    clock.advance({ minutes: 20 });
    const refreshed = await send(app, 'POST /refresh', { body: { refreshToken: session.refreshToken } });
    expect(refreshed.status).toBe(200);
    expect(claimsOf(refreshed.body.session.token)).toMatchObject({
      amr: ['pwd', 'otp'],
      auth_time: authTime,
    });
  });

  test('does not reveal the second factor to a caller without the password', async () => {
    const [ada, eve] = [await enrol(app, clock), await signUp(app)];
    const attempt = (email: string) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        payload: { email, password: 'not the password' },
        headers: { 'x-request-id': 'same' },
      });
    const [withFactor, without] = [await attempt(ada.email), await attempt(eve.email)];
    expect(withFactor.statusCode).toBe(401);
    expect(withFactor.body).toBe(without.body);
  });

  test('offers backup codes while there are any', async () => {
    const ada = await enrol(app, clock);
    await sql('UPDATE two_factor_backup_codes SET used_at = now() WHERE user_id = $1', [ada.id]);
    expect((await signIn(app, ada.email)).body.challenge.methods).toEqual(['totp']);
  });
});

describe('a challenge', () => {
  test('expires after five minutes [S-31]', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    clock.advance({ minutes: 5 });
    const late = await verifyTotp(app, { challengeToken, code: codeNow(ada.secret, clock) });
    expect([late.status, late.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('is finished once', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    expect((await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) })).status).toBe(200);
    const again = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('ends with the fifth wrong code', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const code = wrongCode(ada.secret, clock);
    for (let n = 1; n <= 5; n += 1) {
      const wrong = await verifyTotp(app, { challengeToken, code });
      expect([n, wrong.status, wrong.body.code]).toEqual([n, 401, 'INVALID_CODE']);
      expect(wrong.body.message.includes('Sign in again')).toBe(n === 5);
    }
    const right = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect([right.status, right.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    // Another one starts over.
    const next = await challengeOf(app, ada.email);
    const finished = await verifyTotp(app, { challengeToken: next, code: codeNow(ada.secret, clock) });
    expect(finished.status).toBe(200);
  });

  test('ends with the fifth of 20 parallel wrong codes too [S-28]', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const code = wrongCode(ada.secret, clock);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => verifyTotp(app, { challengeToken, code })),
    );
    expect(answers.filter(({ body }) => body.code === 'INVALID_CODE')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'INVALID_CHALLENGE')).toHaveLength(15);
  });

  test('is finished by the device that opened it, and by no other [S-31]', async () => {
    const ada = await enrol(app, clock);
    const here = { 'x-device-id': `phone-${randomUUID()}` };
    const there = { 'x-device-id': `phone-${randomUUID()}` };
    const challengeToken = await challengeOf(app, ada.email, here);
    const code = nextCode(ada.secret, clock);
    const foreign = await verifyTotp(app, { challengeToken, code, headers: there });
    expect([foreign.status, foreign.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    expect((await verifyTotp(app, { challengeToken, code, headers: here })).status).toBe(200);
  });

  test.each(['ip+device', 'network+device', 'device', 'off'])(
    'is finished by the device that opened it, at any address, and by no other: SESSION_BINDING=%s [S-31]',
    async (binding) => {
      const settings = { TRUST_PROXY: '127.0.0.1/32', FRONTEND_URL: frontend, SESSION_BINDING: binding };
      const proxied = await startByClock({ settings });
      const ada = await enrol(proxied.app, proxied.clock);
      const at = (address: string, device: string) => ({
        'x-forwarded-for': address,
        'x-device-id': device,
      });
      const [wifi, mobile] = ['192.0.2.1', '2001:db8:7::9'];
      const challengeToken = await challengeOf(proxied.app, ada.email, at(wifi, 'adas-phone-0001'));
      const code = nextCode(ada.secret, proxied.clock);
      const thief = at(wifi, 'a-thief-0001');
      const foreign = await verifyTotp(proxied.app, { challengeToken, code, headers: thief });
      expect([foreign.status, foreign.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
      const headers = at(mobile, 'adas-phone-0001');
      expect((await verifyTotp(proxied.app, { challengeToken, code, headers })).status).toBe(200);

      // A browser is the one that keeps the cookie, whatever it calls itself.
      const [own, other] = [new Browser(proxied.app), new Browser(proxied.app)];
      const begun = await own.send('POST /sign-in/email', { body: { email: ada.email, password } });
      const { token } = begun.body.challenge;
      const body = { challengeToken: token, code: nextCode(ada.secret, proxied.clock) };
      const stolen = await other.send('POST /two-factor/verify-totp', { body });
      expect(stolen.body.code).toBe('INVALID_CHALLENGE');
      const moved = await own.send('POST /two-factor/verify-totp', {
        body,
        headers: { 'x-forwarded-for': mobile },
      });
      expect(moved.status).toBe(200);
    },
  );

  test('of one user is not finished with the code of another', async () => {
    const [ada, eve] = [await enrol(app, clock), await enrol(app, clock, 'Eve')];
    const challengeToken = await challengeOf(app, ada.email);
    clock.advance({ seconds: 30 });
    const stolen = await verifyTotp(app, { challengeToken, code: codeNow(eve.secret, clock) });
    expect([stolen.status, stolen.body.code]).toEqual([401, 'INVALID_CODE']);
    // Nor with a token made up for it, its ids being right.
    const guessed = withSecret(challengeToken, Buffer.alloc(32));
    const madeUp = await verifyTotp(app, { challengeToken: guessed, code: codeNow(ada.secret, clock) });
    expect([madeUp.status, madeUp.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
    // Nor does another user's name on it make it that user's.
    const eves = await challengeOf(app, eve.email);
    const swapped = withOwner(challengeToken, eves);
    const forged = await verifyTotp(app, { challengeToken: swapped, code: codeNow(eve.secret, clock) });
    expect([forged.status, forged.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('that was begun with a password changed meanwhile is over', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const changed = await send(app, 'POST /password/change', {
      token: ada.token,
      body: { currentPassword: password, newPassword },
    });
    expect(changed.status).toBe(200);
    const late = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect([late.status, late.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('of a user who is disabled meanwhile starts nothing', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    const refused = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CHALLENGE']);
  });

  test('leaves 20 open at most', async () => {
    const ada = await enrol(app, clock);
    const first = await challengeOf(app, ada.email);
    for (let n = 0; n < 20; n += 1) {
      clock.advance({ milliseconds: 10 });
      await challengeOf(app, ada.email);
    }
    expect(await sql('SELECT FROM two_factor_challenges WHERE user_id = $1', [ada.id])).toHaveLength(20);
    const oldest = await verifyTotp(app, { challengeToken: first, code: nextCode(ada.secret, clock) });
    expect(oldest.body.code).toBe('INVALID_CHALLENGE');
  });
});

describe('the token of a challenge', () => {
  test('opens nothing else [S-31]', async () => {
    const ada = await enrol(app, clock);
    const token = await challengeOf(app, ada.email);
    for (const path of ['/session', '/sessions', '/two-factor', '/organization/list']) {
      expect((await send(app, `GET ${path}`, { token })).status).toBe(401);
    }
    const refreshed = await send(app, 'POST /refresh', { body: { refreshToken: token } });
    expect(refreshed.status).not.toBe(200);
    const code = nextCode(ada.secret, clock);
    expect((await verifyTotp(app, { token, code })).status).toBe(401);
  });

  test('cannot be replaced by any other kind of token [S-86]', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const done = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    const { token: accessToken, refreshToken } = done.body.session;
    const others = [
      accessToken,
      refreshToken,
      // A mailed token is 256 random bits, whatever the prefix.
      Buffer.alloc(32, 7).toString('base64url'),
      `tct_${refreshToken.slice(4)}`,
      `tct_${Buffer.alloc(64).toString('base64url')}`,
      ada.sessionId,
      ada.backupCodes[0]!,
      '',
    ];
    for (const other of others) {
      const code = nextCode(ada.secret, clock);
      const refused = await verifyTotp(app, { challengeToken: other, code });
      expect([400, 401]).toContain(refused.status);
      if (refused.status === 400) expect(refused.body.details[0]?.field).toBe('challengeToken');
      else expect(refused.body.code).toBe('INVALID_CHALLENGE');
    }
  });
});

describe('a malformed code', () => {
  const malformed = [
    '',
    '12345',
    '1234567',
    '12345a',
    '１２３４５６',
    '12 34 5',
    '123456\n7',
    '-12345',
    '1e5000',
  ];

  test.each(malformed)('%j is 400 with the field, and is not counted', async (code) => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    for (let n = 0; n < 11; n += 1) {
      const refused = await verifyTotp(app, { challengeToken, code });
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('VALIDATION_ERROR');
      expect(refused.body.details[0]?.field).toBe('code');
    }
    expect((await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) })).status).toBe(200);
  });

  test.each([[{ code: 123456 }], [{ code: null }], [{ code: ['123456'] }], [{}]])(
    '%j is 400',
    async (body) => {
      const ada = await enrol(app, clock);
      for (const path of ['verify-totp', 'verify-backup-code', 'disable']) {
        const refused = await send(app, `POST /two-factor/${path}`, { token: ada.token, body });
        expect(refused.status).toBe(400);
        expect(refused.body.details.map(({ field }) => field)).toContain('code');
      }
    },
  );

  test('of a backup code is 400 too', async () => {
    const ada = await enrol(app, clock);
    for (const code of ['', '123456', 'U'.repeat(24), `${ada.backupCodes[0]!}0`, '!'.repeat(24)]) {
      const refused = await verifyBackupCode(app, { token: ada.token, code });
      expect(refused.status).toBe(400);
      expect(refused.body.details[0]?.field).toBe('code');
    }
  });

  test('is not what an app shows in two groups', async () => {
    const ada = await enrol(app, clock);
    const challengeToken = await challengeOf(app, ada.email);
    const code = nextCode(ada.secret, clock).replace(/^.{3}/, '$& ');
    expect((await verifyTotp(app, { challengeToken, code })).status).toBe(200);
  });

  test('without a challenge and without a session is refused', async () => {
    const anonymous = await verifyTotp(app, { code: '123456' });
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

/** The token of one challenge, with the user of another. */
function withOwner(token: string, other: string): string {
  const [bytes, others] = [token, other].map((text) => Buffer.from(text.slice(4), 'base64url'));
  return `tct_${Buffer.concat([others!.subarray(0, 16), bytes!.subarray(16)]).toString('base64url')}`;
}

/** The token of a challenge with its ids, and with another secret. */
function withSecret(token: string, secret: Buffer): string {
  const ids = Buffer.from(token.slice(4), 'base64url').subarray(0, 32);
  return `tct_${Buffer.concat([ids, secret]).toString('base64url')}`;
}
