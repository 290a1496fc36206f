import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf, newEmail, password, send, signUp } from './support/client.ts';
import { letterTo, lettersTo, letterData, mailedToken } from './support/mail.ts';
import { foundCompany, mailedInvitation, prove } from './support/organizations.ts';
import { reaching, StandInProvider } from './support/stand-in-provider.ts';
import { page, redeem, signInAt, ticketOf } from './support/social.ts';
import { enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

const google = await StandInProvider.start({ issuer: 'https://accounts.google.com' }, afterAll);
const local = await StandInProvider.start({}, afterAll);
const settings = {
  FRONTEND_URL: 'https://app.example.com',
  GOOGLE_CLIENT: 'our-id:canary-client-secret',
  OIDC_PROVIDERS: `Local IdP|${local.issuer}|ours|canary-client-secret`,
};
const callOutside = reaching({ 'https://accounts.google.com': google });
const service = await startByClock({ settings, callOutside });
const { app, clock, sql } = service;

const gmail = () => `ada.${randomUUID()}@gmail.com`;
const atGoogle = (email: string, claims: object = {}) => ({
  provider: 'google',
  at: google,
  person: { sub: randomUUID(), email, email_verified: true, name: 'Ada Lovelace', ...claims },
});
const atLocal = (email: string | undefined, claims: object = {}) => ({
  provider: 'local-idp',
  at: local,
  person: { sub: randomUUID(), ...(email === undefined ? {} : { email }), ...claims },
});

describe('the offer', () => {
  test('names what is configured, and nothing is offered where nothing is', async () => {
    const { signIn } = (await send(app, 'GET /start')).body as unknown as { signIn: object };
    expect(signIn).toMatchObject({
      providers: [
        { id: 'google', name: 'Google' },
        { id: 'local-idp', name: 'Local IdP' },
      ],
    });
    const none = await startByClock();
    const start = (await send(none.app, 'GET /start')).body as unknown as { signIn: object };
    expect(start.signIn).toMatchObject({ providers: [] });
    const body = { provider: 'google', redirectTo: 'http://localhost:5173/', codeChallenge: 'A'.repeat(43) };
    expect((await send(none.app, 'POST /sign-in/social', { body })).status).toBe(404);
  });
});

describe('an account at a provider that proves its address', () => {
  test('begins an account with a confirmed address, and signs it in again', async () => {
    const walk = atGoogle(gmail());
    const first = await signInAt(app, walk);
    expect([first.status, first.body.user.name]).toEqual([200, 'Ada Lovelace']);
    expect(claimsOf(first.body.session.token)).toMatchObject({ amr: ['fed'], acr: 'aal1' });
    const [row] = await sql('SELECT email, email_verified_at IS NOT NULL AS ok FROM users WHERE id = $1', [
      first.body.user.id,
    ]);
    expect(row).toEqual({ email: walk.person.email, ok: true });
    const again = await signInAt(app, walk);
    expect(again.body.user.id).toBe(first.body.user.id);
  });

  test('is linked to the account of the address, which is notified', async () => {
    const walk = atGoogle(gmail());
    const body = { email: walk.person.email, password, name: 'Ada' };
    const { user } = (await send(app, 'POST /sign-up/email', { body })).body;
    await prove(service, user);
    const { body: signedIn } = await signInAt(app, walk);
    expect(signedIn.user.id).toBe(user.id);
    expect((await send(app, 'POST /sign-in/email', { body: { email: user.email, password } })).status).toBe(
      200,
    );
    expect(await letterTo(service, user.email, 'way-in-changed')).toContain('Google');
    const { body: ways } = await send(app, 'GET /ways-in', { token: signedIn.session.token });
    expect(ways).toMatchObject({ identities: [{ provider: 'google', email: user.email }] });
  });

  test('of a Workspace domain proves addresses of that domain alone [S-49]', async () => {
    const own = await signInAt(
      app,
      atGoogle(`a.${randomUUID()}@acme.test.example`, { hd: 'acme.test.example' }),
    );
    expect(own.body.user.email).toContain('@acme.test.example');
    const [proven] = await sql('SELECT email_verified_at FROM users WHERE id = $1', [own.body.user.id]);
    expect(proven?.['email_verified_at']).not.toBeNull();
    const taken = await signUp(app);
    const foreign = await signInAt(app, atGoogle(taken.email, { hd: 'acme.test.example' }));
    expect(foreign.body).toMatchObject({ codeRequired: true });
  });

  test.each([
    ['missing', undefined],
    ['false', false],
    ['a text', 'true'],
    ['a number', 1],
  ])('counts for nothing where email_verified is %s', async (_, verified) => {
    const email = gmail();
    const body = { email, password, name: 'Ada' };
    await send(app, 'POST /sign-up/email', { body });
    const answer = await signInAt(app, atGoogle(email, { email_verified: verified }));
    expect(answer.body.codeRequired).toBe(true);
    expect(answer.body.session).toBeUndefined();
  });

  test('takes a squatted account over: nothing that was set up before works [S-49]', async () => {
    const email = gmail();
    const squatter = (await send(app, 'POST /sign-up/email', { body: { email, password, name: 'Mallory' } }))
      .body;
    const { token, refreshToken } = squatter.session;
    const browser = new Browser(app);
    const link = { provider: 'local-idp', redirectTo: page, codeChallenge: 'A'.repeat(43) };
    await send(app, 'POST /identities/link', { token, body: link });
    await sql(`INSERT INTO identity_keys (key, user_id) VALUES (sha256('x'), $1)`, [squatter.user.id]);
    await sql(
      `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
       VALUES ($1, gen_random_uuid(), 'local-idp', 'i', 's', now())`,
      [squatter.user.id],
    );
    const owner = await signInAt(app, atGoogle(email), browser);
    expect(owner.body.user.id).toBe(squatter.user.id);
    expect((await send(app, 'POST /sign-in/email', { body: { email, password } })).status).toBe(401);
    expect((await send(app, 'GET /session', { token })).status).toBe(401);
    expect((await send(app, 'POST /refresh', { body: { refreshToken } })).status).toBe(401);
    const ways = await send(app, 'GET /ways-in', { token: owner.body.session.token });
    expect(ways.body).toMatchObject({ password: false, identities: [{ provider: 'google' }] });
    expect(await sql('SELECT key FROM identity_keys WHERE user_id = $1', [squatter.user.id])).toHaveLength(1);
    expect(await sql('SELECT id FROM sign_in_flows WHERE user_id = $1', [squatter.user.id])).toEqual([]);
  });
});

describe('an account at any other provider', () => {
  test('creates an unconfirmed account for an unknown address, as a password does', async () => {
    const email = newEmail();
    const { status, body } = await signInAt(app, atLocal(email, { email_verified: true }));
    expect([status, body.user.email]).toEqual([200, email]);
    expect(await lettersTo(service, email)).toEqual(['verify-email']);
  });

  test('is linked to a known address by a code that is mailed to it, and by nothing else [S-49]', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    const browser = new Browser(app);
    const walk = atLocal(ada.email, { email_verified: true });
    const asked = await signInAt(app, walk, browser);
    expect(asked.body).toMatchObject({ codeRequired: true });
    expect(await sql('SELECT id FROM identities WHERE user_id = $1', [ada.id])).toEqual([]);
    const code = (await letterData(service, ada.email, 'sign-in-code')).code;
    const body = { requestId: asked.body.request.id, code };
    const verified = await browser.send('POST /sign-in/mailed/verify', { body });
    expect(verified.body.user.id).toBe(ada.id);
    expect((await browser.send('POST /sign-in/mailed/verify', { body })).status).toBe(401);
    expect((await signInAt(app, walk)).body.user.id).toBe(ada.id);
    // Another account there that claims the same address has no owner here yet.
    const other = await signInAt(app, atLocal(ada.email));
    expect(other.body.codeRequired).toBe(true);
  });

  test('is linked by a letter of its own flow alone [S-49]', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    const browser = new Browser(app);
    const first = await signInAt(app, atLocal(ada.email, { sub: 'first-' + ada.id }), browser);
    const firstCode = (await letterData(service, ada.email, 'sign-in-code')).code;
    const second = await signInAt(app, atLocal(ada.email, { sub: 'second-' + ada.id }), browser);
    const crossed = { requestId: second.body.request.id, code: firstCode };
    expect((await browser.send('POST /sign-in/mailed/verify', { body: crossed })).status).toBe(401);
    const own = { requestId: first.body.request.id, code: firstCode };
    expect((await browser.send('POST /sign-in/mailed/verify', { body: own })).status).toBe(200);
    const rows = await sql('SELECT subject FROM identities WHERE user_id = $1', [ada.id]);
    expect(rows).toEqual([{ subject: `first-${ada.id}` }]);
  });

  test('stays its user after its address has become that of somebody else [S-49]', async () => {
    const walk = atLocal(newEmail());
    const ada = (await signInAt(app, walk)).body.user;
    const bob = await signUp(app);
    await prove(service, bob);
    const moved = { ...walk, person: { ...walk.person, email: bob.email, email_verified: true } };
    const answer = await signInAt(app, moved);
    expect(answer.body.user.id).toBe(ada.id);
    const ways = await send(app, 'GET /ways-in', { token: answer.body.session.token });
    expect(ways.body).toMatchObject({ identities: [{ email: bob.email }] });
  });

  test.each(['not an address', 'a@b', 'two@example.com,three@example.com', `${'a'.repeat(300)}@example.com`])(
    'with %j has no address',
    async (email) => {
      const { status, body } = await signInAt(app, atLocal(email));
      expect([status, body.code]).toEqual([422, 'EMAIL_MISSING']);
    },
  );

  test('has its name on one line, as long as names are', async () => {
    const walk = atLocal(newEmail(), { name: `Ada\u0000\n${'x'.repeat(300)}\u202E` });
    const { body } = await signInAt(app, walk);
    expect(body.user.name).toBe(`Ada ${'x'.repeat(96)}`);
  });
});

describe('an invitation', () => {
  test('begins the account of the invited address, whatever address the provider names', async () => {
    const { id: organizationId, owner } = await foundCompany(service);
    const email = newEmail();
    const invitation = { body: { email, role: 'member' }, token: owner.token };
    expect((await send(app, `POST /organization/${organizationId}/invitations`, invitation)).status).toBe(
      201,
    );
    const fields = { invitationToken: await mailedInvitation(service, email) };
    const walk = { ...atLocal(newEmail()), fields };
    const { status, body } = await signInAt(app, walk);
    expect([status, body.user.email, body.user.organizationId]).toEqual([200, email, organizationId]);
    expect((await signInAt(app, { ...atLocal(newEmail()), fields })).body.code).toBe('INVALID_TOKEN');
  });
});

describe('if accounts require an invitation', async () => {
  const closed = await startByClock({ settings: { ...settings, SIGN_UP: 'invited' }, callOutside });

  test('no provider creates one without it', async () => {
    const proven = await signInAt(closed.app, atGoogle(gmail()));
    expect([proven.status, proven.body.code]).toEqual([403, 'SIGN_UP_CLOSED']);
    const email = newEmail();
    const unknown = await signInAt(closed.app, atLocal(email));
    expect(unknown.body.codeRequired).toBe(true);
    expect(await lettersTo(closed, email)).toEqual([]);
    expect(await closed.sql('SELECT id FROM users')).toEqual([]);
  });
});

describe('where addresses have to be confirmed', async () => {
  const strict = await startByClock({
    settings: { ...settings, REQUIRE_EMAIL_VERIFICATION: 'true' },
    callOutside,
  });

  test('an unknown address gets a code, which creates the account and confirms it', async () => {
    const email = newEmail();
    const browser = new Browser(strict.app);
    const walk = atLocal(email, { name: 'Grace' });
    const asked = await signInAt(strict.app, walk, browser);
    expect(asked.body.codeRequired).toBe(true);
    const code = (await letterData(strict, email, 'sign-in-code')).code;
    const body = { requestId: asked.body.request.id, code };
    const verified = await browser.send('POST /sign-in/mailed/verify', { body });
    expect([verified.status, verified.body.user.name]).toEqual([200, 'Grace']);
    expect((await signInAt(strict.app, walk)).body.user.id).toBe(verified.body.user.id);
  });
});

describe('a sign-in by a provider', () => {
  test('is followed by the second factor of its user', async () => {
    const ada = await enrol(app, clock);
    await prove(service, ada);
    await sql('UPDATE users SET email = $2 WHERE id = $1', [ada.id, `e.${ada.id}@gmail.com`]);
    const browser = new Browser(app);
    const walk = atGoogle(`e.${ada.id}@gmail.com`);
    const answer = await signInAt(app, walk, browser);
    expect(answer.body.twoFactorRequired).toBe(true);
    const code = nextCode(ada.secret, clock);
    const { token: challengeToken } = answer.body.challenge;
    const finished = await browser.send('POST /two-factor/verify-totp', { body: { challengeToken, code } });
    expect(claimsOf(finished.body.session.token)).toMatchObject({ acr: 'aal2', amr: ['fed', 'otp'] });
    expect((await verifyTotp(app, { challengeToken, code })).status).toBe(401);
  });

  test.each([
    ['that says nothing of when', undefined, 401],
    ['that authenticated its user an hour ago', 3_600, 401],
    ['that authenticated its user just now', 10, 204],
  ])('%s: a sensitive operation answers %d', async (_, age, status) => {
    const auth = age === undefined ? {} : { auth_time: Math.floor(Date.now() / 1_000) - age };
    const walk = { ...atLocal(newEmail()), person: { sub: randomUUID(), email: newEmail(), ...auth } };
    const browser = new Browser(app);
    const { body } = await signInAt(app, walk, browser);
    const answer = await browser.send('DELETE /user', { token: body.session.token });
    expect([answer.status, status === 401 ? answer.body.reason : undefined]).toEqual([
      status,
      status === 401 ? 'SIGN_IN_REQUIRED' : undefined,
    ]);
  });

  test('asks for a recent authentication where it confirms a live session', async () => {
    const browser = new Browser(app);
    const first = new URL((await visit(browser)).url);
    expect(first.searchParams.get('max_age')).toBe('604800');
    await signInAt(app, atLocal(newEmail()), browser);
    expect(new URL((await visit(browser)).url).searchParams.get('max_age')).toBe('300');
  });

  test('keeps a disabled account out', async () => {
    const walk = atGoogle(gmail());
    const { user } = (await signInAt(app, walk)).body;
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
    expect((await signInAt(app, walk)).status).toBe(401);
    expect((await signInAt(app, atGoogle(user.email))).status).toBe(401);
  });

  test('leaves nothing behind when its account is erased', async () => {
    const walk = atGoogle(gmail(), { auth_time: Math.floor(Date.now() / 1_000) });
    const browser = new Browser(app);
    const { session, user } = (await signInAt(app, walk, browser)).body;
    expect((await browser.send('DELETE /user', { token: session.token })).status).toBe(204);
    for (const table of ['identities', 'identity_keys', 'sign_in_flows']) {
      expect(await sql(`SELECT user_id FROM ${table} WHERE user_id = $1`, [user.id])).toEqual([]);
    }
    expect((await signInAt(app, walk)).body.user.id).not.toBe(user.id);
  });
});

async function visit(browser: Browser): Promise<{ url: string }> {
  const body = { provider: 'local-idp', redirectTo: page };
  return (await browser.send('POST /sign-in/social', { body })).body as unknown as { url: string };
}

test('a reset of the password of a squatted account forgets the identities that were linked', async () => {
  const walk = atLocal(newEmail());
  const { user } = (await signInAt(app, walk)).body;
  await send(app, 'POST /password/forgot', { body: { email: user.email } });
  const token = await mailedToken(service, user.email, 'reset-password');
  const body = { token, newPassword: password };
  expect((await send(app, 'POST /password/reset', { body })).status).toBe(200);
  const ticket = await ticketOf(app, new Browser(app), walk);
  expect((await redeem(new Browser(app), ticket)).status).toBe(400);
  expect((await signInAt(app, walk)).body.codeRequired).toBe(true);
});
