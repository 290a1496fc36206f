import { describe, expect, test } from 'vitest';
import {
  anyString,
  newEmail,
  newPassword,
  password,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { codeNow, enrol, startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, logs, sql } = service;

const forgot = (email: string): Promise<Answer> => send(app, 'POST /password/forgot', { body: { email } });
const reset = (token: string, chosen = newPassword): Promise<Answer> =>
  send(app, 'POST /password/reset', { body: { token, newPassword: chosen } });
const signInWith = (email: string, text: string) =>
  send(app, 'POST /sign-in/email', { body: { email, password: text } });

/** Asks for a reset and opens the mail. */
async function tokenFor({ email }: Pick<SignedUp, 'email'>): Promise<string> {
  expect((await forgot(email)).status).toBe(200);
  return mailedToken(service, email, 'reset-password');
}

describe('POST /password/forgot', () => {
  test('responds to an address without an account with the same bytes, and sends no mail [S-13]', async () => {
    const ada = await signUp(app);
    const disabled = await signUp(app);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.id]);
    const unknown = newEmail();
    const answers = await Promise.all(
      [ada.email, ` ${ada.email.toUpperCase()} `, unknown, disabled.email].map((email) =>
        app.inject({
          method: 'POST',
          url: '/api/auth/password/forgot',
          payload: { email },
          headers: { 'x-request-id': 'same' },
        }),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe(answers[0]?.body);
      expect({ ...answer.headers, date: '' }).toEqual({ ...answers[0]?.headers, date: '' });
    }
    expect(answers[0]?.json()).toEqual({ success: true, message: anyString });
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email', 'reset-password', 'reset-password']);
    expect(await lettersTo(service, unknown)).toEqual([]);
    expect(await lettersTo(service, disabled.email)).toEqual(['verify-email']);
  });

  test.each([[{}], [{ email: 'nowhere' }], [{ email: 'a@example.com', token: 'x' }]])(
    'refuses %j with 400',
    async (body) => {
      const answer = await send(app, 'POST /password/forgot', { body });
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('VALIDATION_ERROR');
    },
  );
});

describe('POST /password/reset', () => {
  test('sets the password, ends every session, starts none, and notifies the user', async () => {
    const ada = await signUp(app);
    const phone = await signIn(app, ada.email);
    const answer = await reset(await tokenFor(ada));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: anyString });
    expect(answer.headers['set-cookie']).toBeUndefined();

    for (const token of [ada.token, phone.body.session.token]) {
      expect((await send(app, 'GET /session', { token })).status).toBe(401);
    }
    const { refreshToken } = phone.body.session;
    expect((await send(app, 'POST /refresh', { body: { refreshToken } })).status).toBe(401);
    expect((await signInWith(ada.email, password)).status).toBe(401);
    expect((await signInWith(ada.email, newPassword)).status).toBe(200);

    expect(await lettersTo(service, ada.email)).toEqual([
      'verify-email',
      'reset-password',
      'password-changed',
    ]);
    const audit = await sql('SELECT action FROM audit_events WHERE actor_user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('password.reset');
    const revoked = await sql('SELECT sid FROM revocations WHERE sub = $1', [ada.id]);
    expect(revoked.map(({ sid }) => sid)).toEqual(expect.arrayContaining([ada.sessionId]));
  });

  test('takes a token once, under 20 parallel uses too [S-6]', async () => {
    const ada = await signUp(app);
    const token = await tokenFor(ada);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(token, `a password chosen again ${n}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(19);
    const chosen = `a password chosen again ${statuses.indexOf(200)}`;
    expect((await signInWith(ada.email, chosen)).status).toBe(200);
    expect(await lettersTo(service, ada.email)).toHaveLength(3);
    expect((await reset(token)).status).toBe(400);
  });

  test('refuses a token that is unknown, expired, used, replaced or of another kind with the same words', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const used = await tokenFor(eve);
    await reset(used);
    const replaced = await tokenFor(ada);
    const live = await tokenFor(ada);
    expect(live).not.toBe(replaced);
    expect((await reset(live)).status).toBe(200);
    const expired = await tokenFor(ada);
    clock.advance({ minutes: 60 });
    const fresh = await tokenFor(ada);
    const flipped = fresh.slice(0, -2) + (fresh.endsWith('AA') ? 'BB' : 'AA');
    const another = (await sql('SELECT id FROM users WHERE id <> $1 LIMIT 1', [ada.id]))[0]?.['id'] as string;
    const foreign = `trr_${Buffer.concat([
      Buffer.from(another.replaceAll('-', ''), 'hex'),
      Buffer.from(fresh.slice(4), 'base64url').subarray(16),
    ]).toString('base64url')}`;
    const verification = await mailedToken(service, ada.email, 'reset-password');
    const wrong = [
      used,
      replaced,
      live,
      expired,
      flipped,
      foreign,
      fresh.replace('trr_', 'trv_'),
      verification.replace('trr_', 'tre_'),
      ada.token,
      ada.sessionId,
      'x',
    ];
    for (const token of wrong) {
      const { status, body } = await reset(token);
      expect({ token, status, code: body.code }).toEqual({
        token,
        status: ada.token === token ? 400 : 400,
        code: token.length > 200 ? 'VALIDATION_ERROR' : 'INVALID_TOKEN',
      });
    }
    expect((await reset(fresh)).status).toBe(200);
  });

  test('works for 60 minutes less a second [S-6]', async () => {
    const ada = await signUp(app);
    const token = await tokenFor(ada);
    clock.advance({ seconds: 3_599 });
    expect((await reset(token)).status).toBe(200);
  });

  test('holds the new password to the policy, and the token survives a refusal', async () => {
    const ada = await signUp(app);
    const token = await tokenFor(ada);
    for (const bad of ['short', 'password1234', ada.email, 'x'.repeat(129)]) {
      const { status, body } = await reset(token, bad);
      expect({ bad, status, field: body.details[0]?.field }).toEqual({
        bad,
        status: 400,
        field: 'newPassword',
      });
    }
    expect((await reset(token)).status).toBe(200);
  });

  test('never gets past the second factor [S-6]', async () => {
    const ada = await enrol(app, clock);
    await prove(service, ada);
    expect((await reset(await tokenFor(ada))).status).toBe(200);
    const { status, body } = await signInWith(ada.email, newPassword);
    expect(status).toBe(200);
    expect(body).toMatchObject({ twoFactorRequired: true });
    expect(body.session).toBeUndefined();
  });

  test('ends a sign-in that waits for its second factor', async () => {
    const ada = await enrol(app, clock);
    const waiting = await signInWith(ada.email, password);
    expect((await reset(await tokenFor(ada))).status).toBe(200);
    clock.advance({ seconds: 30 });
    const challengeToken = waiting.body.challenge.token;
    const body = { code: codeNow(ada.secret, clock), challengeToken };
    expect((await send(app, 'POST /two-factor/verify-totp', { body })).status).toBe(401);
  });

  test('ends a lock', async () => {
    const ada = await signUp(app);
    const device = { 'x-device-id': 'adas-phone-0002' };
    await signIn(app, ada.email, device);
    for (let n = 0; n < 12; n += 1) {
      const headers = n % 2 ? device : {};
      await send(app, 'POST /sign-in/email', {
        body: { email: ada.email, password: 'wrong password' },
        headers,
      });
    }
    expect((await signIn(app, ada.email)).status).toBe(429);
    expect((await reset(await tokenFor(ada))).status).toBe(200);
    expect((await signInWith(ada.email, newPassword)).status).toBe(200);
    const body = { email: ada.email, password: newPassword };
    expect((await send(app, 'POST /sign-in/email', { body, headers: device })).status).toBe(200);
  });

  test('confirms the address, since the token proves access to the mailbox', async () => {
    const ada = await signUp(app);
    await reset(await tokenFor(ada));
    const [row] = await sql('SELECT email_verified_at FROM users WHERE id = $1', [ada.id]);
    expect(row?.['email_verified_at']).not.toBeNull();
  });

  test('does nothing for an account that was disabled meanwhile', async () => {
    const ada = await signUp(app);
    const token = await tokenFor(ada);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    expect((await reset(token)).body.code).toBe('INVALID_TOKEN');
  });
});

test('a sign-in that began with the former password starts no session after the reset', async () => {
  const ada = await signUp(app);
  const token = await tokenFor(ada);
  clock.advance({ seconds: 1 });
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => signIn(app, ada.email)),
    reset(token),
    ...Array.from({ length: 10 }, () => signIn(app, ada.email)),
  ]);
  expect(answers[10]?.status).toBe(200);
  const live = await sql('SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [ada.id]);
  expect(live).toEqual([]);
});

test('no token of a mail is in the log or readable in the database [S-57]', async () => {
  const ada = await signUp(app);
  const token = await tokenFor(ada);
  await reset(`${token.slice(0, -1)}_`);
  await reset(token, 'short');
  await send(app, `GET /password/reset?token=${token}`);
  const secret = token.slice(-43);
  expect(logs()).not.toContain(secret);
  const rows = await sql('SELECT row_to_json(t)::text AS row FROM mailed_tokens t');
  expect(rows.map(({ row }) => String(row)).join()).not.toContain(
    Buffer.from(secret, 'base64url').toString('hex'),
  );
  await reset(token);
  expect(logs()).not.toContain(secret);
});
