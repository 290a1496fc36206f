import { patience } from '@tenantry/test-kit';
import { describe, expect, test, vi } from 'vitest';
import {
  anyString,
  claimsOf,
  newEmail,
  password,
  send,
  signIn,
  signUp,
  type Answer,
} from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import { mailedInvitation, personalOrganizationOf } from './support/organizations.ts';
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

  test('publishes that the address is proven, which it was not when the account was created [S-169]', async () => {
    const ada = await signUp(app);
    const token = await mailedToken(service, ada.email, 'verify-email');
    await verify(token);
    const told = await sql('SELECT type, payload FROM events WHERE user_id = $1 ORDER BY id', [ada.id]);
    expect(told).toMatchObject([
      { type: 'member.added', payload: { email: ada.email, emailVerified: false } },
      { type: 'user.updated', payload: { email: ada.email, emailVerified: true } },
    ]);
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

  test('answers with the same bytes whether there is an account, a confirmed one, or none [S-13]', async () => {
    const [waiting, confirmed, unknown] = [await signUp(app), await signUp(app), newEmail()];
    await verify(await mailedToken(service, confirmed.email, 'verify-email'));
    const answers = await Promise.all([waiting.email, confirmed.email, unknown].map(resend));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe(answers[0]?.body);
      expect({ ...answer.headers, date: '' }).toEqual({ ...answers[0]?.headers, date: '' });
    }
    expect(await lettersTo(service, waiting.email)).toEqual(['verify-email', 'verify-email']);
    expect(await lettersTo(service, confirmed.email)).toEqual(['verify-email']);
    expect(await lettersTo(service, unknown)).toEqual([]);
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

  test('a taken address gets the same response, and only its owner is notified', async () => {
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
    expect(rows.map(({ id }) => id)).toEqual([second.body.user.id]);
    const token = await mailedToken(strict, email, 'verify-email');
    expect((await send(strict.app, 'POST /email/verify', { body: { token } })).status).toBe(200);
    const third = await signUpStrictly(email);
    expect(shapeOf(third)).toEqual(shapeOf(first));
    expect(await lettersTo(strict, email)).toContain('reset-password');
  });

  test('a sign-in does not reveal whether the address was taken before', async () => {
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

  test('right passwords before an address is confirmed lock it no longer than that, and neither disable nor mail anything [S-16]', async () => {
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

  const confirm = (token: string) => send(strict.app, 'POST /email/verify', { body: { token } });
  const attempt = (email: string, chosen: string) =>
    send(strict.app, 'POST /sign-in/email', { body: { email, password: chosen } });

  test('a later sign-up withdraws the letters of an earlier one, and its own brings its own password [S-8]', async () => {
    const email = newEmail();
    await signUpStrictly(email, { password: 'what eve has chosen', name: 'Eve' });
    const eves = await mailedToken(strict, email, 'verify-email');
    const { user } = (await signUpStrictly(email, { password: 'what ada has chosen' })).body;
    const adas = await mailedToken(strict, email, 'verify-email');
    expect((await confirm(eves)).body.code).toBe('INVALID_TOKEN');
    expect((await confirm(adas)).status).toBe(200);

    expect((await attempt(email, 'what eve has chosen')).status).toBe(401);
    const signedIn = await attempt(email, 'what ada has chosen');
    expect(signedIn.status).toBe(200);
    // Nothing of the earlier one is left: neither its name nor its organization.
    expect(signedIn.body.user).toMatchObject({ id: user.id, name: 'Ada' });
    const kept = await strict.sql(`SELECT name FROM organizations WHERE name LIKE 'Eve%'`);
    expect(kept).toEqual([]);
  });

  test('a letter about a later sign-up describes time and device, without text of the user', async () => {
    const email = newEmail();
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Win-a-prize/1';
    await signUpStrictly(email);
    await send(strict.app, 'POST /sign-up/email', {
      body: { email, password, name: 'Win a prize' },
      headers: { 'user-agent': firefox },
    });
    const letters = await vi.waitFor(async () => {
      const text = await letterTo(strict, email, 'verify-email');
      expect(text).toContain('that sign-up is no longer valid');
      return text;
    }, patience());
    expect(letters).toContain('with Firefox 140 on Linux');
    const day = new Date(strict.clock()).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(letters).toContain(`the sign-up of ${day} at `);
    expect(letters).not.toMatch(/win.a.prize/i);
  });

  test('of ten concurrent sign-ups one stays, with one working letter [S-8]', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signUpStrictly(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const users = await strict.sql('SELECT id FROM users WHERE email = $1', [email]);
    expect(users).toHaveLength(1);
    const tokens = await strict.sql('SELECT id FROM mailed_tokens WHERE email = $1', [email]);
    expect(tokens).toHaveLength(1);
    expect((await confirm(await mailedToken(strict, email, 'verify-email'))).status).toBe(200);
    expect((await attempt(email, password)).status).toBe(200);
  });

  test('an account that has been used is never replaced by a sign-up [S-8]', async () => {
    const { AUTH_SECRET } = strict.config;
    const settings = { AUTH_SECRET, MAIL_DIRECTORY: strict.mailDirectory };
    const loose = await startByClock({ database: strict.database, settings });
    const ada = await signUp(loose.app);
    const { user } = (await signUpStrictly(ada.email, { password: 'what eve has chosen' })).body;
    expect(user.id).not.toBe(ada.id);
    expect((await send(loose.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect(await lettersTo(strict, ada.email)).toEqual(['verify-email', 'reset-password']);
    expect((await signIn(loose.app, ada.email)).status).toBe(200);
  });

  test('an invitation works for its addressee even if someone else has registered the address [S-8]', async () => {
    const owner = await signUpStrictly(newEmail(), { name: 'Olga' });
    const { email } = owner.body.user;
    await confirm(await mailedToken(strict, email, 'verify-email'));
    const { token } = (await attempt(email, password)).body.session;
    const guest = newEmail();
    await signUpStrictly(guest, { password: 'what eve has chosen' });
    const organizationId = personalOrganizationOf({ token });
    const body = { email: guest, role: 'member' };
    await send(strict.app, `POST /organization/${organizationId}/invitations`, { token, body });
    const invitationToken = await mailedInvitation(strict, guest);
    const joined = await signUpStrictly(guest, { invitationToken });
    expect(joined.status).toBe(201);
    expect(claimsOf(joined.body.session.token)).toMatchObject({ organizationId, role: 'member' });
    expect((await attempt(guest, 'what eve has chosen')).status).toBe(401);
  });

  test('an invalid invitation does not reveal whether the address is taken', async () => {
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

  test('an address gets no more e-mails than its limit, and the response does not reveal that', async () => {
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
    expect((await lettersTo(few, email)).length).toBeLessThanOrEqual(2);
    const counted = await few.sql('SELECT max(letters)::int AS n FROM mail_budgets');
    expect(counted).toEqual([{ n: 2 }]);
  });

  test('taken and free addresses are indistinguishable: the response is 200 whatever the budget [S-13]', async () => {
    const few = await startByClock({
      settings: { REQUIRE_EMAIL_VERIFICATION: 'on', RATE_LIMIT_MAIL_PER_10_MINUTES: '3' },
    });
    const [taken, free] = [newEmail(), newEmail()];
    await send(few.app, 'POST /sign-up/email', { body: { email: taken, password, name: 'Ada' } });
    for (const path of ['/password/forgot', '/email/resend']) {
      for (const email of [taken, free]) {
        const answers = [];
        for (let n = 0; n < 6; n += 1) answers.push(await send(few.app, `POST ${path}`, { body: { email } }));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      }
    }
  });
});
