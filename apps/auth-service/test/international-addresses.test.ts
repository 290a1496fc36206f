import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { newPassword, password, send, type Answer } from './support/client.ts';
import { letterTo, mailedToken } from './support/mail.ts';
import { ask, foundCompany, mailedInvitation, prove, rolesIn } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { signInAt } from './support/social.ts';
import { reaching, StandInProvider } from './support/stand-in-provider.ts';

const google = await StandInProvider.start({ issuer: 'https://accounts.google.com' }, afterAll);
const service = await startService({
  settings: { FRONTEND_URL: 'https://app.example.com', GOOGLE_CLIENT: 'our-id:canary-client-secret' },
  callOutside: reaching({ 'https://accounts.google.com': google }),
});
const { app, config, sql } = service;

/** One mailbox of its own, as it is stored, as people write it, and with an accent apart and capitals, as some devices do. */
function mailbox() {
  const local = `max.${randomUUID()}`;
  return {
    stored: `${local}@xn--mller-dach-9db.example`,
    written: `${local}@müller-dach.example`,
    typed: `${local.toUpperCase()}@MU\u0308LLER-Dach.example`,
  };
}

const signUp = (email: string) =>
  send(app, 'POST /sign-up/email', { body: { email, password, name: 'Max Müller' } });
const signIn = (email: string, by = password) =>
  send(app, 'POST /sign-in/email', { body: { email, password: by } });
const statusesOf = async (answers: readonly Promise<Answer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

describe('a mailbox at an international domain', () => {
  test('is invited in one form, and accepts with an account that was made in the other', async () => {
    const { stored, written, typed } = mailbox();
    const { id, owner } = await foundCompany(service);
    const { session } = (await signUp(written)).body;
    const inviting = { token: owner.token, body: { email: typed, role: 'admin' } };
    const invited = await ask(service, `POST /organization/${id}/invitations`, inviting);
    expect(invited).toMatchObject({ status: 201, body: { invitation: { email: stored } } });

    const token = await mailedInvitation(service, stored);
    const accepted = await send(app, 'POST /invitations/accept', { token: session.token, body: { token } });
    expect(accepted.status).toBe(200);
    expect(await rolesIn(service, id)).toMatchObject({ 'Max Müller': 'admin' });
    const again = await ask(service, `POST /organization/${id}/invitations`, inviting);
    expect(again.body.code).toBe('ALREADY_MEMBER');
  });

  test('is what an account moves to, which its letters show as people write it', async () => {
    const [from, to] = [mailbox(), mailbox()];
    const { session, user } = (await signUp(from.written)).body;
    const { token } = session;
    // Letters show what the account contains once its address is confirmed.
    await prove(service, user);
    const changed = await send(app, 'POST /email/change', { token, body: { newEmail: to.typed } });
    expect(changed.status).toBe(200);
    expect(await letterTo(service, from.stored, 'email-change-requested')).toContain(to.written);
    const link = await mailedToken(service, to.stored, 'confirm-new-address');
    const moved = await send(app, 'POST /email/verify', { token, body: { token: link } });
    expect(moved).toMatchObject({ status: 200, body: { email: to.stored } });
    expect(await statusesOf([signIn(to.written), signIn(to.stored), signIn(from.written)])).toEqual([
      200, 200, 401,
    ]);
  });

  test('gets the letter for a forgotten password, whichever way it is typed', async () => {
    const { stored, written, typed } = mailbox();
    await signUp(stored);
    const forgot = (email: string) => send(app, 'POST /password/forgot', { body: { email } });
    for (const email of [typed, stored, written]) expect((await forgot(email)).status).toBe(200);
    const letters = await sql(
      `SELECT recipient FROM mail_outbox WHERE recipient LIKE $1 AND template = 'reset-password'`,
      [`${stored.split('@')[0] ?? ''}@%`],
    );
    expect(letters).toEqual([{ recipient: stored }, { recipient: stored }, { recipient: stored }]);
    const token = await mailedToken(service, stored, 'reset-password');
    const reset = await send(app, 'POST /password/reset', { body: { token, newPassword } });
    expect(reset.status).toBe(200);
    expect(await statusesOf([signIn(typed, newPassword), signIn(stored, newPassword)])).toEqual([200, 200]);
  });

  test('has one account, also of those that an organization makes', async () => {
    const { stored, written, typed } = mailbox();
    const { id: organizationId, owner } = await foundCompany(service);
    const make = (email: string) =>
      app.inject({
        method: 'POST',
        url: '/internal/users',
        headers: {
          authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`,
          'idempotency-key': randomUUID(),
        },
        payload: { organizationId, actorUserId: owner.id, email, password, name: 'Max Müller' },
      });
    const made = await make(typed);
    expect([made.statusCode, made.json()]).toMatchObject([201, { user: { email: stored } }]);
    for (const email of [stored, written]) {
      const taken = await make(email);
      expect([taken.statusCode, taken.json()]).toMatchObject([422, { code: 'USER_ALREADY_EXISTS' }]);
    }
    expect((await signIn(written)).status).toBe(200);
  });

  test('belongs to one account, also where a provider writes it or its domain in the other form', async () => {
    const { stored, written } = mailbox();
    const { user } = (await signUp(written)).body;
    await prove(service, user);
    const domains = ['müller-dach.example', 'xn--mller-dach-9db.example'];
    for (const [email, hd] of [
      [written, domains[1]],
      [stored, domains[0]],
    ] as const) {
      const person = { sub: randomUUID(), email, email_verified: true, hd, name: 'Max Müller' };
      const answer = await signInAt(app, { provider: 'google', at: google, person });
      expect(answer).toMatchObject({ status: 200, body: { user: { id: user.id, email: stored } } });
    }
    const others = { sub: randomUUID(), email: written, email_verified: true, hd: 'muller-dach.example' };
    const answer = await signInAt(app, { provider: 'google', at: google, person: others });
    expect(answer.body).toMatchObject({ codeRequired: true });
  });
});
