import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser, frontend } from './support/browser.ts';
import { newEmail, newPassword, password, send, signIn, type Answer } from './support/client.ts';
import { letterData, lettersTo, mailedToken } from './support/mail.ts';
import { ask, foundCompany, traces } from './support/organizations.ts';
import { signInAt } from './support/social.ts';
import { reaching, StandInProvider } from './support/stand-in-provider.ts';
import { nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

/**
 * An organization can make an account with any address, and disable it. Whoever has the mailbox claims the account all the
 * same, as long as nobody has proven the address.
 */
const google = await StandInProvider.start({ issuer: 'https://accounts.google.com' }, afterAll);
const settings = {
  FRONTEND_URL: frontend,
  MAILED_SIGN_IN: 'true',
  GOOGLE_CLIENT: 'our-id:canary-client-secret',
};
const callOutside = reaching({ 'https://accounts.google.com': google });
const service = await startByClock({ settings, callOutside });
const { app, clock, config, sql, database } = service;
const { id: organizationId, owner } = await foundCompany(service);

const headers = { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` };

interface Made {
  readonly id: string;
  readonly email: string;
}

/** An account that the organization makes with the address of somebody who knows nothing of it. */
async function make(email = `vera.${randomUUID()}@gmail.com`): Promise<Made> {
  const payload = { organizationId, actorUserId: owner.id, email, password, name: 'Vera' };
  const keyed = { ...headers, 'idempotency-key': randomUUID() };
  const made = await app.inject({ method: 'POST', url: '/internal/users', headers: keyed, payload });
  return made.json<{ user: Made }>().user;
}

const on = (action: string, { id }: Pick<Made, 'id'>) =>
  ask<{ member: { disabled: boolean } }>(
    service,
    `POST /organization/${organizationId}/members/${id}/${action}`,
    { token: owner.token },
  );

async function makeDisabled(): Promise<Made> {
  const vera = await make();
  const { status, body } = await on('disable', vera);
  expect([status, body.member.disabled]).toEqual([200, true]);
  return vera;
}

async function letterToReset({ email }: Made, at = app): Promise<string> {
  await send(at, 'POST /password/forgot', { body: { email } });
  return mailedToken(service, email, 'reset-password');
}

const reset = (token: string) => send(app, 'POST /password/reset', { body: { token, newPassword } });
const enter = ({ email }: Made) =>
  send(app, 'POST /sign-in/email', { body: { email, password: newPassword } });

async function byReset(vera: Made): Promise<Answer> {
  expect((await reset(await letterToReset(vera))).status).toBe(200);
  return enter(vera);
}

async function byCode({ email }: Made): Promise<Answer> {
  const asked = await send(app, 'POST /sign-in/mailed', { body: { email } });
  const { code } = await letterData(service, email, 'sign-in-code');
  return send(app, 'POST /sign-in/mailed/verify', { body: { requestId: asked.body.request.id, code } });
}

async function byLink(vera: Made): Promise<Answer> {
  await send(app, 'POST /email/resend', { body: { email: vera.email } });
  const token = await mailedToken(service, vera.email, 'verify-email');
  const { resetToken } = (await send(app, 'POST /email/verify', { body: { token } })).body;
  expect((await reset(resetToken)).status).toBe(200);
  return enter(vera);
}

function byProvider({ email }: Made): Promise<Answer> {
  const person = { sub: randomUUID(), email, email_verified: true };
  return signInAt(app, { provider: 'google', at: google, person }, new Browser(app));
}

describe('an account that an organization made and disabled', () => {
  test.each([
    ['a reset of the password', byReset],
    ['a mailed code', byCode],
    ['the link that confirms the address', byLink],
    ['a provider that vouches for the address', byProvider],
  ])('is claimed by %s, which ends the membership [S-78]', async (_, claim) => {
    const vera = await makeDisabled();
    const { status, body } = await claim(vera);
    expect([status, body.user.id]).toEqual([200, vera.id]);
    expect(body.user.organizationId).not.toBe(organizationId);
    const members = await sql('SELECT role FROM members WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      vera.id,
    ]);
    expect(members).toEqual([]);
    expect((await signIn(app, vera.email)).status).toBe(401);
    for (const action of ['disable', 'enable', 'reset-two-factor']) {
      expect((await on(action, vera)).status).toBe(404);
    }
    const { events, audit } = await traces(service, { organizationId, userId: vera.id });
    expect(events.at(-1)?.['type']).toBe('member.removed');
    expect(audit.map(({ action }) => action)).toContain('member.left');
  });

  test('stays disabled for everybody who has not shown the mailbox [S-78]', async () => {
    const vera = await makeDisabled();
    await letterToReset(vera);
    expect((await signIn(app, vera.email)).status).toBe(401);
    expect((await on('enable', vera)).body.member.disabled).toBe(false);
    expect((await signIn(app, vera.email)).status).toBe(200);
  });

  test('a sign-up is mailed a link, where addresses have to be confirmed [S-78]', async () => {
    const vera = await makeDisabled();
    const strict = await startByClock({
      database,
      settings: {
        ...settings,
        AUTH_SECRET: config.AUTH_SECRET,
        REQUIRE_EMAIL_VERIFICATION: 'true',
        // Either instance may send the letter.
        MAIL_DIRECTORY: service.mailDirectory,
      },
    });
    const body = { email: vera.email, password, name: 'Vera' };
    expect((await send(strict.app, 'POST /sign-up/email', { body })).status).toBe(201);
    expect(await lettersTo(service, vera.email)).toContain('reset-password');
    expect((await reset(await mailedToken(service, vera.email, 'reset-password'))).status).toBe(200);
    expect((await enter(vera)).status).toBe(200);
  });

  test('is claimed while the organization disables it', async () => {
    const vera = await make();
    const token = await letterToReset(vera);
    const [claimed, disabled] = await Promise.all([reset(token), on('disable', vera)]);
    // Once it is claimed, it belongs to its user's own organization as well.
    expect([200, 401, 403, 404]).toContain(disabled.status);
    if (claimed.status !== 200) expect((await reset(token)).status).toBe(200);
  });
});

describe('the letter by which an account is claimed is not withdrawn [S-9]', () => {
  test('by an organization that disables and enables the account', async () => {
    const vera = await make();
    const token = await letterToReset(vera);
    for (const action of ['disable', 'enable', 'disable']) await on(action, vera);
    expect((await reset(token)).status).toBe(200);
    expect((await enter(vera)).status).toBe(200);
  });

  test('by an organization that resets a second factor, nor by whoever set that up', async () => {
    const vera = await make();
    const token = await letterToReset(vera);
    const { session } = (await signIn(app, vera.email)).body;
    const { secret } = (
      await send(app, 'POST /two-factor/enable', { token: session.token, body: { password } })
    ).body;
    const turnedOn = await verifyTotp(app, { token: session.token, code: nextCode(secret, clock) });
    await send(app, 'DELETE /sessions?scope=others', { token: turnedOn.body.session.token });
    expect((await on('reset-two-factor', vera)).status).toBe(200);
    expect((await reset(token)).status).toBe(200);
    expect((await enter(vera)).status).toBe(200);
  });
});

describe('no letter goes to an account', () => {
  test.each<[string, (vera: Made) => Promise<unknown>]>([
    [
      'that an organization has disabled since its address was proven',
      ({ id }) => sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [id]),
    ],
    [
      'that the operator has disabled as well',
      ({ email }) =>
        app.inject({ method: 'POST', url: '/internal/users/disable', headers, payload: { email } }),
    ],
  ])('%s [S-78]', async (_, happens) => {
    const vera = await make(newEmail());
    await on('disable', vera);
    await happens(vera);
    const before = await lettersTo(service, vera.email);
    await send(app, 'POST /password/forgot', { body: { email: vera.email } });
    await send(app, 'POST /sign-in/mailed', { body: { email: vera.email } });
    expect(await lettersTo(service, vera.email)).toEqual(before);
  });
});
