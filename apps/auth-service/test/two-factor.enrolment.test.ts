import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, password, refresh, send, signIn, signUp } from './support/client.ts';
import {
  codeNow,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
  wrongCode,
} from './support/two-factor.ts';
import { decodeQrCode } from './support/qr-code.ts';

const { app, clock, sql } = await startByClock();

const enable = (token: string, body: unknown = { password }) =>
  send(app, 'POST /two-factor/enable', { token, body });
const state = async (token: string) => (await send(app, 'GET /two-factor', { token })).body;

describe('POST /two-factor/enable', () => {
  test('answers all that an authenticator is set up with; the QR code reads back as the URI', async () => {
    const { token, email } = await signUp(app);
    const { status, body } = await enable(token);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['backupCodes', 'qrCode', 'secret', 'totpUri']);
    expect(decodeQrCode(body.qrCode)).toBe(body.totpUri);
    const uri = new URL(body.totpUri);
    expect(uri.searchParams.get('secret')).toBe(body.secret);
    expect(decodeURIComponent(uri.pathname)).toContain(email);
    expect(new Set(body.backupCodes).size).toBe(10);
  });

  test('turns nothing on until a code is verified', async () => {
    const ada = await signUp(app);
    const { backupCodes } = (await enable(ada.token)).body;
    expect(await state(ada.token)).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 });
    expect((await signIn(app, ada.email)).body.session.token).toEqual(anyString);
    // Nor can a backup code confirm what no authenticator has shown.
    const early = await verifyBackupCode(app, { token: ada.token, code: backupCodes[0]! });
    expect([early.status, early.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
  });

  test('asks for the password', async () => {
    const { token } = await signUp(app);
    const wrong = await enable(token, { password: 'not the password' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(wrong.body.message).toBe('The password is not right. Check it, or reset it.');
    expect(wrong.body.details).toMatchObject([{ field: 'password' }]);
    const missing = await enable(token, {});
    expect(missing.status).toBe(400);
    expect(missing.body.details).toMatchObject([{ field: 'password' }]);
    expect((await send(app, 'POST /two-factor/enable', { body: { password } })).status).toBe(401);
  });

  test('is refused while a second factor is on', async () => {
    const ada = await enrol(app, clock);
    const again = await enable(ada.token);
    expect([again.status, again.body.code]).toEqual([409, 'TWO_FACTOR_ALREADY_ENABLED']);
    expect((await verifyTotp(app, { token: ada.token, code: nextCode(ada.secret, clock) })).status).toBe(200);
  });

  test('started over, the earlier set-up no longer works', async () => {
    const { token } = await signUp(app);
    const before = (await enable(token)).body;
    const after = (await enable(token)).body;
    expect(after.secret).not.toBe(before.secret);
    expect((await verifyTotp(app, { token, code: codeNow(before.secret, clock) })).status).toBe(401);
    const confirmed = await verifyTotp(app, { token, code: codeNow(after.secret, clock) });
    const stepped = confirmed.body.session.token;
    expect((await verifyBackupCode(app, { token: stepped, code: before.backupCodes[0]! })).status).toBe(401);
    expect((await verifyBackupCode(app, { token: stepped, code: after.backupCodes[0]! })).status).toBe(200);
  });
});

describe('the first code', () => {
  test('turns the second factor on, and the session continues under a new id with it [S-60]', async () => {
    const ada = await signUp(app);
    const { secret } = (await enable(ada.token)).body;
    const { status, body } = await verifyTotp(app, { token: ada.token, code: codeNow(secret, clock) });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['session', 'verified']);
    expect(body.verified).toBe(true);
    expect(body.session.id).not.toBe(ada.sessionId);

    const before = claimsOf(ada.token);
    const claims = claimsOf(body.session.token);
    expect(claims).toMatchObject({
      sub: ada.id,
      sid: body.session.id,
      amr: ['pwd', 'otp'],
      auth_time: Math.floor(clock() / 1_000),
      organizationId: before['organizationId'],
    });
    expect(await state(body.session.token)).toEqual({
      enabled: true,
      methods: ['totp', 'backup-code'],
      backupCodesLeft: 10,
    });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    const old = await sql('SELECT count(*)::int AS n FROM revocations WHERE sid = $1', [ada.sessionId]);
    expect(old).toEqual([{ n: 1 }]);
  });

  test('does not lengthen the session', async () => {
    const ada = await signUp(app);
    const before = (await send(app, 'GET /session', { token: ada.token })).body.session.expiresAt;
    clock.advance({ minutes: 5 });
    const { secret } = (await enable(ada.token)).body;
    const { body } = await verifyTotp(app, { token: ada.token, code: codeNow(secret, clock) });
    expect(body.session.expiresAt).toBe(before);
  });

  test('ends the other sessions: from now on a token without a second factor means a user without one', async () => {
    const ada = await signUp(app);
    const other = (await signIn(app, ada.email)).body.session;
    const { secret } = (await enable(ada.token)).body;
    await verifyTotp(app, { token: ada.token, code: codeNow(secret, clock) });
    expect((await send(app, 'GET /session', { token: other.token })).status).toBe(401);
    const told = await sql('SELECT count(*)::int AS n FROM revocations WHERE sid = $1', [other.id]);
    expect(told).toEqual([{ n: 1 }]);
  });

  test('counts from the session that the secret was shown to [S-46]', async () => {
    const ada = await signUp(app);
    const other = (await signIn(app, ada.email)).body.session;
    const { secret } = (await enable(ada.token)).body;
    const stolen = await verifyTotp(app, { token: other.token, code: codeNow(secret, clock) });
    expect([stolen.status, stolen.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
    expect((await verifyTotp(app, { token: ada.token, code: codeNow(secret, clock) })).status).toBe(200);
  });

  test('comes within ten minutes [S-29]', async () => {
    const { token, email } = await signUp(app);
    const { secret } = (await enable(token)).body;
    clock.advance({ minutes: 10 });
    const late = await verifyTotp(app, { token, code: codeNow(secret, clock) });
    expect([late.status, late.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
    expect((await signIn(app, email)).body.session.token).toEqual(anyString);
    // Started over it works again.
    const again = (await enable(token)).body.secret;
    clock.advance({ minutes: 4 });
    expect((await verifyTotp(app, { token, code: codeNow(again, clock) })).status).toBe(200);
  });

  test('may be a wrong one nine times in a row, and not ten', async () => {
    const { token } = await signUp(app);
    const first = (await enable(token)).body.secret;
    for (let n = 0; n < 5; n += 1) {
      expect((await verifyTotp(app, { token, code: wrongCode(first, clock) })).status).toBe(401);
    }
    // A set-up started over forgets nothing.
    const { secret } = (await enable(token)).body;
    for (let n = 0; n < 5; n += 1) {
      expect((await verifyTotp(app, { token, code: wrongCode(secret, clock) })).status).toBe(401);
    }
    const locked = await verifyTotp(app, { token, code: codeNow(secret, clock) });
    expect([locked.status, locked.body.code]).toEqual([429, 'ACCOUNT_LOCKED']);
  });

  test('works once under 20 parallel uses', async () => {
    const { token } = await signUp(app);
    const { secret } = (await enable(token)).body;
    const code = codeNow(secret, clock);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyTotp(app, { token, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is reported to the user by mail, and to the organization in its audit trail', async () => {
    const ada = await enrol(app, clock);
    const organizationId = claimsOf(ada.token)['organizationId'];
    const audit = await sql('SELECT action FROM audit_events WHERE organization_id = $1', [organizationId]);
    expect(audit.map(({ action }) => action)).toContain('two-factor.enabled');
    const mail = await sql('SELECT template FROM mail_outbox WHERE recipient = $1', [ada.email]);
    expect(mail.map(({ template }) => template)).toContain('two-factor-changed');
  });
});

describe('POST /two-factor/disable', () => {
  const disable = (token: string, body: unknown) => send(app, 'POST /two-factor/disable', { token, body });

  test('requires password and code, and from then on the password is enough to sign in', async () => {
    const ada = await enrol(app, clock);
    const code = nextCode(ada.secret, clock);
    const { status, body } = await disable(ada.token, { password, code });
    expect(status).toBe(200);
    expect(body).toEqual({ enabled: false });
    expect(await state(ada.token)).toEqual({ enabled: false, methods: [], backupCodesLeft: 0 });
    const again = (await signIn(app, ada.email)).body.session.token;
    expect(claimsOf(again)['amr']).toEqual(['pwd']);
    const audit = await sql('SELECT action FROM audit_events WHERE actor_user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('two-factor.disabled');
  });

  test('revokes the tokens that name it, and later ones do not name it', async () => {
    const ada = await enrol(app, clock);
    await disable(ada.token, { password, code: nextCode(ada.secret, clock) });
    const revoked = await sql('SELECT kind, issued_before FROM revocations WHERE sub = $1 AND sid IS NULL', [
      ada.id,
    ]);
    expect(revoked.map(({ kind }) => kind)).toEqual(['user']);
    const next = claimsOf((await refresh(app, ada.refreshToken)).body.session.token);
    expect(next['amr']).toEqual(['pwd']);
    expect(next['iat']).toBeGreaterThanOrEqual((revoked[0]?.['issued_before'] as Date).getTime() / 1_000);
  });

  test('leaves no secret and no code behind', async () => {
    const ada = await enrol(app, clock);
    await disable(ada.token, { password, code: nextCode(ada.secret, clock) });
    for (const table of ['two_factor', 'two_factor_backup_codes']) {
      expect(await sql(`SELECT FROM ${table} WHERE user_id = $1`, [ada.id])).toEqual([]);
    }
  });

  test('refuses a wrong password, a wrong code and a used one', async () => {
    const ada = await enrol(app, clock);
    const code = nextCode(ada.secret, clock);
    const wrongPassword = await disable(ada.token, { password: 'not the password', code });
    expect([wrongPassword.status, wrongPassword.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    // The wrong password did not cost the code.
    expect((await verifyTotp(app, { token: ada.token, code })).status).toBe(200);
    const { token } = (await signInFully(ada.email, nextCode(ada.secret, clock))).session;
    for (const bad of [wrongCode(ada.secret, clock), codeNow(ada.secret, clock)]) {
      const refused = await disable(token, { password, code: bad });
      expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CODE']);
    }
    expect((await state(token)).enabled).toBe(true);
  });

  test('is refused where there is nothing to disable', async () => {
    const { token } = await signUp(app);
    const none = await disable(token, { password, code: '123456' });
    expect([none.status, none.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
    expect((await send(app, 'POST /two-factor/disable', { body: { password, code: '123456' } })).status).toBe(
      401,
    );
  });
});

async function signInFully(email: string, code: string) {
  const challengeToken = (await signIn(app, email)).body.challenge.token;
  return (await verifyTotp(app, { challengeToken, code })).body;
}
