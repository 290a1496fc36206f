import { describe, expect, test } from 'vitest';
import { anyString, newEmail, password, send, signIn, signUp, type Answer } from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { startService } from './support/service.ts';
import { startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;

const verify = (token: string): Promise<Answer> => send(app, 'POST /email/verify', { body: { token } });
const verifiedAt = async (id: string) =>
  (await sql('SELECT email_verified_at FROM users WHERE id = $1', [id]))[0]?.['email_verified_at'];

describe('POST /email/verify', () => {
  test('confirms the address of a new account by the mailed token, once', async () => {
    const ada = await signUp(app);
    expect(await verifiedAt(ada.id)).toBeNull();
    const token = await mailedToken(service, ada.email, 'verify-email');
    const { status, body } = await verify(token);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, email: ada.email });
    expect(await verifiedAt(ada.id)).not.toBeNull();
    expect((await verify(token)).body.code).toBe('INVALID_TOKEN');
    const audit = await sql('SELECT action FROM audit_events WHERE actor_user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('email.verified');
  });

  test('succeeds once under 20 parallel uses', async () => {
    const ada = await signUp(app);
    const token = await mailedToken(service, ada.email, 'verify-email');
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'INVALID_TOKEN')).toHaveLength(19);
  });

  test('refuses what is expired, unknown or another kind of token', async () => {
    const ada = await signUp(app);
    const token = await mailedToken(service, ada.email, 'verify-email');
    clock.advance({ days: 1 });
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const reset = await mailedToken(service, ada.email, 'reset-password');
    for (const wrong of [
      token,
      reset,
      reset.replace('trr_', 'trv_'),
      `${token.slice(0, -3)}abc`,
      'x',
      ada.sessionId,
    ]) {
      const { status, body } = await verify(wrong);
      expect({ wrong, status, code: body.code }).toEqual({ wrong, status: 400, code: 'INVALID_TOKEN' });
    }
    expect(await verifiedAt(ada.id)).toBeNull();
  });
});

describe('POST /email/resend', () => {
  const resend = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/email/resend',
      payload: { email },
      headers: { 'x-request-id': 'same' },
    });

  test('answers with the same bytes whether there is an account, a confirmed one, or none', async () => {
    const [waiting, confirmed, nobody] = [await signUp(app), await signUp(app), newEmail()];
    await verify(await mailedToken(service, confirmed.email, 'verify-email'));
    const answers = await Promise.all([waiting.email, confirmed.email, nobody].map(resend));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe(answers[0]?.body);
      expect({ ...answer.headers, date: '' }).toEqual({ ...answers[0]?.headers, date: '' });
    }
    expect(await lettersTo(service, waiting.email)).toEqual(['verify-email', 'verify-email']);
    expect(await lettersTo(service, confirmed.email)).toEqual(['verify-email']);
    expect(await lettersTo(service, nobody)).toEqual([]);
    expect((await verify(await mailedToken(service, waiting.email, 'verify-email'))).status).toBe(200);
  });
});

describe('where addresses have to be confirmed', async () => {
  const strict = await startByClock({ settings: { REQUIRE_EMAIL_VERIFICATION: 'on' } });
  const signUpStrictly = (email: string, body: object = {}) =>
    send(strict.app, 'POST /sign-up/email', { body: { email, password, name: 'Ada', ...body } });

  test('a sign-up has no session, and a sign-in none before the link is followed', async () => {
    const email = newEmail();
    const { status, body } = await signUpStrictly(email);
    expect(status).toBe(201);
    expect(body).toEqual({ user: { id: anyString, email, name: 'Ada' }, emailVerificationRequired: true });

    const early = await signIn(strict.app, email);
    expect(early.status).toBe(401);
    expect(early.body.code).toBe('INVALID_CREDENTIALS');
    expect(early.body.message).toContain('follow the link');

    const token = await mailedToken(strict, email, 'verify-email');
    expect((await send(strict.app, 'POST /email/verify', { body: { token } })).status).toBe(200);
    expect((await signIn(strict.app, email)).status).toBe(200);
  });

  test('a taken address gets the same answer, and its owner alone learns', async () => {
    const email = newEmail();
    const shapeOf = ({ status, body, headers }: Answer) => ({
      status,
      body: { ...body, user: { ...body.user, id: body.user.id.replaceAll(/[0-9a-f]/g, 'x').length } },
      headers: { ...headers, date: '', 'x-request-id': '' },
    });
    const first = await signUpStrictly(email);
    const second = await signUpStrictly(email);
    expect(shapeOf(second)).toEqual(shapeOf(first));
    expect(second.body.user.id).not.toBe(first.body.user.id);
    const rows = await strict.sql('SELECT id FROM users WHERE email = $1', [email]);
    expect(rows.map(({ id }) => id)).toEqual([first.body.user.id]);
    expect(await lettersTo(strict, email)).toEqual(['verify-email', 'reset-password']);
  });

  test('nobody learns from a sign-in whether the address was taken before', async () => {
    const [taken, fresh] = [newEmail(), newEmail()];
    await signUpStrictly(taken);
    const strangers = 'a password of a stranger';
    for (const email of [taken, fresh]) await signUpStrictly(email, { password: strangers });
    const answersOf = async (email: string) => {
      const found = [];
      for (let n = 0; n < 6; n += 1) {
        const headers = { 'x-request-id': 'same' };
        const body = { email, password: strangers };
        const answer = await send(strict.app, 'POST /sign-in/email', { body, headers });
        found.push({ ...answer, headers: { ...answer.headers, date: '' } });
      }
      return found;
    };
    expect(await answersOf(fresh)).toEqual(await answersOf(taken));
  });

  test('right passwords before an address is confirmed lock it no longer than that, and neither disable nor mail anything', async () => {
    const eager = await startService({
      settings: { REQUIRE_EMAIL_VERIFICATION: 'true', LOCKOUT_DISABLE_AFTER: '4', LOCKOUT_THRESHOLD: '3' },
    });
    const email = newEmail();
    const body = { email, password, name: 'Ada Lovelace' };
    await send(eager.app, 'POST /sign-up/email', { body });
    for (const status of [401, 401, 401, 429]) expect((await signIn(eager.app, email)).status).toBe(status);
    await eager.sql(`UPDATE sign_in_failures SET failures = 100, locked_until = now() - INTERVAL '1 second'`);
    expect((await signIn(eager.app, email)).status).toBe(401);
    expect((await signIn(eager.app, email)).status).toBe(429);

    const token = await mailedToken(eager, email, 'verify-email');
    expect((await send(eager.app, 'POST /email/verify', { body: { token } })).status).toBe(200);
    expect((await signIn(eager.app, email)).status).toBe(200);
    expect(await lettersTo(eager, email)).toEqual(['verify-email']);
  });

  test('whoever registers an address first does not keep it from its owner', async () => {
    const email = newEmail();
    await signUpStrictly(email, { password: 'what eve has chosen' });
    await signUpStrictly(email, { password: 'what ada has chosen' });
    const token = await mailedToken(strict, email, 'reset-password');
    const newPassword = 'what ada has chosen';
    expect((await send(strict.app, 'POST /password/reset', { body: { token, newPassword } })).status).toBe(
      200,
    );
    const attempt = (text: string) =>
      send(strict.app, 'POST /sign-in/email', { body: { email, password: text } });
    expect((await attempt('what eve has chosen')).status).toBe(401);
    expect((await attempt(newPassword)).status).toBe(200);
  });

  test('a made-up invitation tells nothing of the address either', async () => {
    const [taken, fresh] = [newEmail(), newEmail()];
    await signUpStrictly(taken);
    const invitationToken = `tri_${'A'.repeat(86)}`;
    const [first, second] = [
      await signUpStrictly(taken, { invitationToken }),
      await signUpStrictly(fresh, { invitationToken }),
    ];
    expect(first.status).toBe(400);
    expect({ ...first.body, requestId: '' }).toEqual({ ...second.body, requestId: '' });
  });

  test('no more letters go to an address than it may get, and the answer does not say so', async () => {
    const few = await startByClock({
      settings: { REQUIRE_EMAIL_VERIFICATION: 'on', RATE_LIMIT_MAIL_PER_10_MINUTES: '2' },
    });
    const email = newEmail();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const body = { email, password, name: 'Ada' };
      statuses.push((await send(few.app, 'POST /sign-up/email', { body })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
    expect(await lettersTo(few, email)).toEqual(['verify-email', 'reset-password', 'reset-password']);
  });
});
