import { describe, expect, test } from 'vitest';
import {
  anyString,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type Answer,
} from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { codeNow, enrol, startByClock, verifyTotp } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;

const change = (token: string, body: object = {}): Promise<Answer> =>
  send(app, 'POST /password/change', { token, body: { currentPassword: password, newPassword, ...body } });

describe('POST /password/change', () => {
  test('changes the password, ends all earlier sessions and tokens, and returns the session that continues [S-5]', async () => {
    const ada = await signUp(app);
    const phone = await signIn(app, ada.email);
    clock.advance({ seconds: 1 });
    const { status, body } = await change(ada.token);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: anyString, session: expect.anything() as unknown });

    const { id, token, refreshToken: next, expiresAt } = body.session;
    expect(id).not.toBe(ada.sessionId);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect((await refresh(app, ada.refreshToken)).status).toBe(401);
    expect((await send(app, 'GET /session', { token })).body.session.expiresAt).toBe(expiresAt);
    expect((await refresh(app, next)).status).toBe(200);
    expect((await send(app, 'GET /session', { token: phone.body.session.token })).status).toBe(401);
    const { refreshToken } = phone.body.session;
    expect((await send(app, 'POST /refresh', { body: { refreshToken } })).status).toBe(401);
    const revoked = await sql('SELECT sid FROM revocations WHERE sub = $1', [ada.id]);
    expect(revoked.map(({ sid }) => sid)).toEqual([phone.body.session.id, ada.sessionId]);

    expect((await signIn(app, ada.email)).status).toBe(401);
    const again = await send(app, 'POST /sign-in/email', {
      body: { email: ada.email, password: newPassword },
    });
    expect(again.status).toBe(200);
    expect(await lettersTo(service, ada.email)).toEqual(['verify-email', 'password-changed']);
    const audit = await sql('SELECT action FROM audit_events WHERE actor_user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('password.changed');
  });

  test('needs a session', async () => {
    const body = { currentPassword: password, newPassword };
    expect((await send(app, 'POST /password/change', { body })).status).toBe(401);
  });

  test('needs the current password, and changes nothing without it [S-5]', async () => {
    const ada = await signUp(app);
    const { status, body } = await change(ada.token, { currentPassword: 'a wrong password' });
    expect(status).toBe(401);
    expect(body.code).toBe('INVALID_CREDENTIALS');
    expect(body.details).toMatchObject([{ field: 'currentPassword', message: 'is not right' }]);
    expect((await signIn(app, ada.email)).status).toBe(200);
  });

  test.each(['short', 'password1234', 'x'.repeat(129), 'Ada Lovelace'])(
    'holds the new password %s to the policy',
    async (bad) => {
      const ada = await signUp(app);
      const { status, body } = await change(ada.token, { newPassword: bad });
      expect(status).toBe(400);
      expect(body.details[0]?.field).toBe('newPassword');
      expect((await signIn(app, ada.email)).status).toBe(200);
    },
  );

  test('with a second factor requires it if it is older than five minutes', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ seconds: 301 });
    const stale = await change(ada.token);
    expect(stale.status).toBe(401);
    expect(stale.body.code).toBe('INSUFFICIENT_USER_AUTHENTICATION');
    expect(stale.headers['www-authenticate']).toContain('max_age="300"');

    const stepped = await verifyTotp(app, { token: ada.token, code: codeNow(ada.secret, clock) });
    expect((await change(stepped.body.session.token, { currentPassword: 'a wrong one' })).status).toBe(401);
    expect((await change(stepped.body.session.token)).status).toBe(200);
  });

  test('ends a reset that is under way', async () => {
    const ada = await signUp(app);
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const token = await mailedToken(service, ada.email, 'reset-password');
    await change(ada.token);
    const { status, body } = await send(app, 'POST /password/reset', {
      body: { token, newPassword: `${newPassword}!` },
    });
    expect(status).toBe(400);
    expect(body.code).toBe('INVALID_TOKEN');
  });

  test('of ten concurrent ones with the same current password, one succeeds [S-5]', async () => {
    const ada = await signUp(app);
    clock.advance({ seconds: 1 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        // Two at the same millisecond would be the same password to a request that proved the previous one.
        const result = change(ada.token, { newPassword: `${newPassword} ${n}` });
        clock.advance({ milliseconds: 1 });
        return result;
      }),
    );
    const done = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(done).toHaveLength(1);
    // The others have shown a password that is wrong by now.
    clock.advance({ minutes: 15 });
    const body = { email: ada.email, password: `${newPassword} ${done[0]}` };
    expect((await send(app, 'POST /sign-in/email', { body })).status).toBe(200);
  });
});
