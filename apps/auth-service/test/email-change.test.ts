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
} from './support/client.ts';
import { lettersTo, mailedToken } from './support/mail.ts';
import { inLine } from './support/pairs.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;

const change = (token: string, newEmailAddress: string, more: object = {}): Promise<Answer> =>
  send(app, 'POST /email/change', { token, body: { newEmail: newEmailAddress, ...more } });
const verify = (link: string, token: string) =>
  send(app, 'POST /email/verify', { token, body: { token: link } });

describe('POST /email/change', () => {
  test("changes the account's address once the new one is confirmed, and notifies the old one", async () => {
    const ada = await signUp(app);
    const address = newEmail();
    const { status, body } = await change(ada.token, ` ${address.toUpperCase()} `);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: anyString });
    expect((await signIn(app, address)).status).toBe(401);
    expect((await signIn(app, ada.email)).status).toBe(200);

    const confirmed = await verify(await mailedToken(service, address, 'confirm-new-address'), ada.token);
    expect(confirmed.status).toBe(200);
    expect(confirmed.body).toEqual({ success: true, email: address });
    expect((await signIn(app, ada.email)).status).toBe(401);
    expect((await signIn(app, address)).body.user).toMatchObject({ id: ada.id, email: address });
    expect(await lettersTo(service, ada.email)).toEqual([
      'verify-email',
      'email-change-requested',
      'email-changed',
    ]);

    const events = await sql(`SELECT payload FROM events WHERE type = 'user.updated' AND user_id = $1`, [
      ada.id,
    ]);
    expect(events).toMatchObject([{ payload: { email: address } }]);
    const audit = await sql('SELECT action FROM audit_events WHERE actor_user_id = $1', [ada.id]);
    expect(audit.map(({ action }) => action)).toContain('email.changed');
  });

  test('responds the same for an address that is taken, and sends no mail [S-13]', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const [taken, free] = [await change(ada.token, eve.email), await change(ada.token, newEmail())];
    expect(taken.status).toBe(200);
    expect(taken.body).toEqual(free.body);
    expect(await lettersTo(service, eve.email)).toEqual(['verify-email']);
  });

  test('of two accounts that move to one address, one arrives', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    const address = newEmail();
    const links = [];
    for (const { token } of [ada, eve]) {
      await change(token, address);
      links.push([await mailedToken(service, address, 'confirm-new-address'), token] as const);
    }
    const answers = await Promise.all(links.map(([link, token]) => verify(link, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('revokes the tokens mailed to the former address', async () => {
    const ada = await signUp(app);
    await send(app, 'POST /password/forgot', { body: { email: ada.email } });
    const old = await mailedToken(service, ada.email, 'reset-password');
    const welcome = await mailedToken(service, ada.email, 'verify-email');
    const address = newEmail();
    await change(ada.token, address);
    await verify(await mailedToken(service, address, 'confirm-new-address'), ada.token);
    const body = { token: old, newPassword };
    expect((await send(app, 'POST /password/reset', { body })).body.code).toBe('INVALID_TOKEN');
    expect((await verify(welcome, ada.token)).body.code).toBe('INVALID_TOKEN');
  });

  /** An account that moves, and something else that happens to it at the same moment. */
  async function moving(request: string, body?: object) {
    const ada = await signUp(app);
    const address = newEmail();
    const { token } = ada;
    await change(token, address);
    const link = await mailedToken(service, address, 'confirm-new-address');
    const other = () => send(app, request, { token, ...(body && { body }) });
    const statuses = await inLine({ service, user: ada }, [() => verify(link, token), other]);
    return { address, statuses };
  }

  test('reports a concurrent password change to the new address [S-67]', async () => {
    const { address, statuses } = await moving('POST /password/change', {
      currentPassword: password,
      newPassword,
    });
    expect(statuses).toEqual([200, 200]);
    expect(await lettersTo(service, address)).toEqual(['confirm-new-address', 'password-changed']);
  });

  test('keeps no trace of the new address if the account is deleted concurrently [S-67]', async () => {
    const { address, statuses } = await moving('DELETE /user');
    expect(statuses).toEqual([200, 204]);
    expect(await lettersTo(service, address)).toEqual([]);
  });

  test('needs a session', async () => {
    expect((await send(app, 'POST /email/change', { body: { newEmail: newEmail() } })).status).toBe(401);
  });

  test('some time after the sign-in needs the password', async () => {
    const ada = await signUp(app);
    clock.advance({ seconds: 301 });
    const address = newEmail();
    expect((await change(ada.token, address)).body.code).toBe('INSUFFICIENT_USER_AUTHENTICATION');
    expect((await change(ada.token, address, { password: 'a wrong password' })).body.code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await lettersTo(service, address)).toEqual([]);
    expect((await change(ada.token, address, { password })).status).toBe(200);
  });

  test('with a second factor requires it: the password is not enough', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ seconds: 301 });
    const { status, body } = await change(ada.token, newEmail(), { password });
    expect(status).toBe(401);
    expect(body.code).toBe('INSUFFICIENT_USER_AUTHENTICATION');
  });

  test.each([[{}], [{ newEmail: 'nowhere' }], [{ newEmail: 'a@example.com', email: 'b@example.com' }]])(
    'refuses %j with 400',
    async (body) => {
      const ada = await signUp(app);
      expect((await send(app, 'POST /email/change', { token: ada.token, body })).status).toBe(400);
    },
  );
});
