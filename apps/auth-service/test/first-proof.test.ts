import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import {
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import { ask, foundCompany, mailedInvitation } from './support/organizations.ts';
import { codeNow, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

/**
 * Whoever knows an address can create an account for it, and an organization can create one with a password that it chose. The
 * first proof of the address belongs to the owner of the mailbox, however it is given and wherever the letter is opened.
 */
const origin = 'https://app.example.com';
const settings = { FRONTEND_URL: origin, PASSKEY_RP_ID: 'app.example.com', MAILED_SIGN_IN: 'true' };
const service = await startByClock({ settings });
const { app, clock, sql } = service;

type Headers = Readonly<Record<string, string>>;
const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const mallorys: Headers = { 'x-device-id': 'mallorys-phone', ...agent };
const veras: Headers = { 'x-device-id': 'veras-phone', ...agent };
const verasOther: Headers = { 'x-device-id': 'veras-laptop', ...agent };

async function addPasskey(token: string, headers: Headers): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin });
  const body = { password };
  const { options } = (await send(app, 'POST /passkeys/options', { token, headers, body })).body;
  const response = authenticator.create(options);
  const added = await send(app, 'POST /passkeys', { token, headers, body: { ...body, response } });
  expect(added.status).toBe(201);
  return authenticator;
}

async function enterBy(authenticator: SoftwareAuthenticator, headers: Headers): Promise<number> {
  const { options, token } = (await send(app, 'POST /sign-in/passkey/options', { headers })).body;
  const body = { token, response: authenticator.get(options) };
  return (await send(app, 'POST /sign-in/passkey', { body, headers })).status;
}

async function addIdentity({ id }: Pick<SignedUp, 'id'>): Promise<void> {
  await sql(
    `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
     VALUES ($1, gen_random_uuid(), 'acme', 'https://id.example.com', $2, now())`,
    [id, id],
  );
}

async function turnOnTwoFactor(token: string, headers: Headers): Promise<string> {
  const { secret } = (await send(app, 'POST /two-factor/enable', { token, headers, body: { password } }))
    .body;
  const confirmed = await verifyTotp(app, { token, code: nextCode(secret, clock), headers });
  expect(confirmed.status).toBe(200);
  return secret;
}

const signInWith = (email: string, chosen: string, headers: Headers = {}): Promise<Answer> =>
  send(app, 'POST /sign-in/email', { body: { email, password: chosen }, headers });

async function confirm({ email }: Pick<SignedUp, 'email'>, headers: Headers): Promise<string | undefined> {
  const token = await mailedToken(service, email, 'verify-email');
  const { status, body } = await send(app, 'POST /email/verify', { body: { token }, headers });
  expect(status).toBe(200);
  return (body as { resetToken?: string }).resetToken;
}

async function reset({ email }: Pick<SignedUp, 'email'>, headers: Headers): Promise<void> {
  await send(app, 'POST /password/forgot', { body: { email }, headers });
  const token = await mailedToken(service, email, 'reset-password');
  const answer = await send(app, 'POST /password/reset', { body: { token, newPassword }, headers });
  expect(answer.status).toBe(200);
}

async function signInByCode({ email }: Pick<SignedUp, 'email'>, headers: Headers): Promise<void> {
  const asked = await send(app, 'POST /sign-in/mailed', { body: { email }, headers });
  const token = await mailedToken(service, email, 'sign-in-code');
  expect(asked.status).toBeLessThan(300);
  const entered = await send(app, 'POST /sign-in/mailed/verify', { body: { token }, headers });
  expect(entered.status).toBe(200);
}

/** The ways to prove a mailbox without a session. */
const proofs: Readonly<Record<string, (user: SignedUp, headers: Headers) => Promise<unknown>>> = {
  'the link': confirm,
  'the link, and then a reset': async (user, headers) => {
    await confirm(user, headers);
    await reset(user, headers);
  },
  'a reset': reset,
  'a mailed code': signInByCode,
};

const remains = async ({ id }: Pick<SignedUp, 'id'>) => {
  const [row] = await sql(
    `SELECT (SELECT count(*)::int FROM passkeys WHERE user_id = $1) AS passkeys,
       (SELECT count(*)::int FROM identities WHERE user_id = $1) AS identities,
       (SELECT count(*)::int FROM two_factor WHERE user_id = $1) AS "secondFactors"`,
    [id],
  );
  return row;
};
const nothing = { passkeys: 0, identities: 0, secondFactors: 0 };

/** An organization creates an account, whose initial password its admin knows. */
async function provisioned(email = newEmail()): Promise<SignedUp> {
  const { id: organizationId, owner } = await foundCompany(service);
  const made = await app.inject({
    method: 'POST',
    url: '/internal/users',
    headers: {
      authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
      'idempotency-key': `made-${organizationId}`,
    },
    payload: { organizationId, actorUserId: owner.id, email, password, name: 'Vera' },
  });
  expect(made.statusCode).toBe(201);
  const { body } = await signInWith(email, password, mallorys);
  const { token, refreshToken, id: sessionId } = body.session;
  return { id: body.user.id, email, name: 'Vera', token, refreshToken, sessionId };
}

describe('a first proof of the address on another device than the one that signed up [S-7]', () => {
  const accounts = { 'a sign-up': () => signUp(app, 'Mallory', mallorys), 'an organization': provisioned };
  const cases = Object.keys(accounts).flatMap((by) =>
    Object.keys(proofs).map((proof) => [proof, by] as const),
  );

  test.each(cases)('by %s leaves nothing of the account that %s created', async (proof, by) => {
    const account = await accounts[by as keyof typeof accounts]();
    const authenticator = await addPasskey(account.token, mallorys);
    await addIdentity(account);
    const secret = await turnOnTwoFactor(account.token, mallorys);
    const waiting = (await signIn(app, account.email, mallorys)).body.challenge.token;

    await proofs[proof]?.(account, veras);
    expect(await remains(account)).toEqual(nothing);
    expect(await enterBy(authenticator, mallorys)).toBe(401);
    expect((await signIn(app, account.email, mallorys)).status).toBe(401);
    expect((await refresh(app, account.refreshToken, mallorys)).status).toBe(401);
    const finished = await verifyTotp(app, {
      challengeToken: waiting,
      code: nextCode(secret, clock),
      headers: mallorys,
    });
    expect(finished.status).toBe(401);
    if (proof.endsWith('reset')) {
      const vera = await signInWith(account.email, newPassword, veras);
      expect([vera.status, vera.body.twoFactorRequired]).toEqual([200, undefined]);
    }
  });

  test('by the link lets its reader choose a password at once, once, and the letter says why', async () => {
    const account = await signUp(app, 'Mallory', mallorys);
    const token = await confirm(account, veras);
    expect(token).toMatch(/^trr_/);
    const choose = () => send(app, 'POST /password/reset', { body: { token, newPassword }, headers: veras });
    expect((await choose()).status).toBe(200);
    expect((await choose()).body.code).toBe('INVALID_TOKEN');
    expect((await signInWith(account.email, newPassword, veras)).status).toBe(200);
    const letter = await letterTo(service, account.email, 'account-recovered');
    expect(letter).toContain('by the link that was mailed to you');
    expect(letter).toContain('The earlier password no longer works');
    const trail = await sql('SELECT action FROM user_audit_events WHERE user_id = $1', [account.id]);
    const actions = trail.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.claimed', 'email.verified', 'password.reset']));
  });

  test('counts as another device with the same User-Agent at the same address', async () => {
    const attacker = await signUp(app, 'Mallory', mallorys);
    await confirm(attacker, agent);
    expect((await signIn(app, attacker.email, mallorys)).status).toBe(401);
    const unnamed = await signUp(app, 'Mallory', agent);
    await confirm(unnamed, veras);
    expect((await signIn(app, unnamed.email, agent)).status).toBe(401);
  });

  test('also where both have signed in: a known device does not own what it did not create', async () => {
    const employee = await provisioned();
    const authenticator = await addPasskey(employee.token, mallorys);
    expect((await signIn(app, employee.email, veras)).status).toBe(200);
    await reset(employee, veras);
    expect(await enterBy(authenticator, mallorys)).toBe(401);
    expect(await remains(employee)).toEqual(nothing);
  });

  test('leaves nothing that is added at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const account = await signUp(app, 'Mallory', mallorys);
      const { token } = account;
      const authenticator = new SoftwareAuthenticator({ rpId: 'app.example.com', origin });
      const asked = await send(app, 'POST /passkeys/options', {
        token,
        headers: mallorys,
        body: { password },
      });
      const response = authenticator.create(asked.body.options);
      const add = () =>
        send(app, 'POST /passkeys', { token, headers: mallorys, body: { password, response } });
      const enrolling = () =>
        send(app, 'POST /two-factor/enable', { token, headers: mallorys, body: { password } });
      await Promise.all([confirm(account, veras), add(), enrolling(), signIn(app, account.email, mallorys)]);
      expect(await remains(account)).toEqual(nothing);
      expect(await enterBy(authenticator, mallorys)).toBe(401);
      const live = await sql('SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [
        account.id,
      ]);
      expect(live).toEqual([]);
    }
  });
});

describe('an invitation that is accepted in a session proves its address', () => {
  async function acceptedBy(user: SignedUp, token: string, headers: Headers): Promise<number> {
    const { id, owner } = await foundCompany(service);
    const body = { email: user.email, role: 'member' };
    await ask(service, `POST /organization/${id}/invitations`, { token: owner.token, body });
    const invitationToken = await mailedInvitation(service, user.email);
    const accept = { token, headers, body: { token: invitationToken } };
    return (await send(app, 'POST /invitations/accept', accept)).status;
  }

  test('of an account that another organization made: only this session goes on [S-7]', async () => {
    const employee = await provisioned();
    const authenticator = await addPasskey(employee.token, mallorys);
    const vera = (await signIn(app, employee.email, veras)).body.session;
    expect(await acceptedBy(employee, vera.token, veras)).toBe(200);

    expect(await enterBy(authenticator, mallorys)).toBe(401);
    expect((await signIn(app, employee.email, mallorys)).status).toBe(401);
    expect((await refresh(app, employee.refreshToken, mallorys)).status).toBe(401);
    expect((await refresh(app, vera.refreshToken, veras)).status).toBe(200);
    const letter = await letterTo(service, employee.email, 'account-recovered');
    expect(letter).toContain('by the invitation that was mailed to you');
  });

  test('and changes nothing on the device that signed up', async () => {
    const vera = await signUp(app, 'Vera', veras);
    const authenticator = await addPasskey(vera.token, veras);
    expect(await acceptedBy(vera, vera.token, veras)).toBe(200);
    expect(await enterBy(authenticator, veras)).toBe(200);
    expect((await signIn(app, vera.email, veras)).status).toBe(200);
    expect(await lettersTo(service, vera.email)).not.toContain('account-recovered');
  });
});

describe('on the device that signed up', () => {
  test.each(Object.entries(proofs))('%s removes only what other devices added [S-7]', async (_, prove) => {
    const vera = await signUp(app, 'Vera', veras);
    const own = await addPasskey(vera.token, veras);
    const stranger = (await signIn(app, vera.email, mallorys)).body.session;
    const strangers = await addPasskey(stranger.token, mallorys);
    await addIdentity(vera);

    await prove(vera, veras);
    expect(await enterBy(own, veras)).toBe(200);
    expect(await enterBy(strangers, mallorys)).toBe(401);
    expect((await refresh(app, stranger.refreshToken, mallorys)).status).toBe(401);
    expect(await remains(vera)).toEqual({ passkeys: 1, identities: 0, secondFactors: 0 });
  });

  test('the link leaves its own session, password and second factor', async () => {
    const vera = await signUp(app, 'Vera', veras);
    const secret = await turnOnTwoFactor(vera.token, veras);
    expect(await confirm(vera, veras)).toBeUndefined();
    const again = await signIn(app, vera.email, veras);
    expect(again.body.twoFactorRequired).toBe(true);
    clock.advance({ seconds: 30 });
    const finished = await verifyTotp(app, {
      challengeToken: again.body.challenge.token,
      code: codeNow(secret, clock),
      headers: veras,
    });
    expect(finished.status).toBe(200);
    expect(await lettersTo(service, vera.email)).not.toContain('account-recovered');
  });

  test('a password that another device has set since does not stay [S-7]', async () => {
    const vera = await signUp(app, 'Vera', veras);
    const { token } = (await signIn(app, vera.email, mallorys)).body.session;
    const change = { currentPassword: password, newPassword };
    const changed = await send(app, 'POST /password/change', { token, headers: mallorys, body: change });
    expect(changed.status).toBe(200);
    expect(await confirm(vera, veras)).toMatch(/^trr_/);
    expect((await signInWith(vera.email, newPassword, mallorys)).status).toBe(401);
  });

  test('a second proof undoes nothing any more', async () => {
    const vera = await signUp(app, 'Vera', veras);
    await confirm(vera, veras);
    const { token } = (await signIn(app, vera.email, verasOther)).body.session;
    const authenticator = await addPasskey(token, verasOther);
    await reset(vera, { 'x-device-id': 'veras-tablet' });
    expect(await enterBy(authenticator, verasOther)).toBe(200);
  });
});

describe('a client that does not name its device, at the same address and with the same User-Agent', () => {
  test('keeps password and session by the link, and nothing that would outlive a reset [S-7]', async () => {
    const vera = await signUp(app, 'Vera', agent);
    const authenticator = await addPasskey(vera.token, agent);
    expect(await confirm(vera, agent)).toBeUndefined();
    expect((await refresh(app, vera.refreshToken, agent)).status).toBe(200);
    expect((await signIn(app, vera.email, agent)).status).toBe(200);
    expect(await enterBy(authenticator, agent)).toBe(401);
  });

  test('is not the one that signed up with another User-Agent', async () => {
    const vera = await signUp(app, 'Vera', agent);
    await confirm(vera, { 'user-agent': 'curl/8.5.0' });
    expect((await signIn(app, vera.email, agent)).status).toBe(401);
  });
});

describe('where addresses have to be confirmed before the first sign-in', async () => {
  const strict = await startByClock({ settings: { ...settings, REQUIRE_EMAIL_VERIFICATION: 'on' } });

  test.each([
    ['another device', veras, 401],
    ['the device that signed up', mallorys, 200],
  ])('on %s the link answers the password of the sign-up as it should [S-7]', async (_, headers, status) => {
    const email = newEmail();
    const body = { email, password, name: 'Mallory' };
    await send(strict.app, 'POST /sign-up/email', { body, headers: mallorys });
    const token = await mailedToken(strict, email, 'verify-email');
    const confirmed = await send(strict.app, 'POST /email/verify', { body: { token }, headers });
    expect(confirmed.status).toBe(200);
    expect('resetToken' in confirmed.body).toBe(status === 401);
    expect((await signIn(strict.app, email, mallorys)).status).toBe(status);
  });
});
