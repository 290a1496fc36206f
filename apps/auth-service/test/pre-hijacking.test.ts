import { describe, expect, test } from 'vitest';
import {
  claimsOf,
  newEmail,
  newPassword,
  password,
  refresh,
  send,
  signIn,
  signUp,
} from './support/client.ts';
import type { Answer, Request, SignedUp } from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
  prove,
  rolesIn,
  switchTo,
} from './support/organizations.ts';
import { addDomain, newDomain } from './support/domains.ts';
import { askForToken, newAccount, newKey, tokenFor } from './support/service-accounts.ts';
import { codeNow, enrol, startByClock, verifyTotp } from './support/two-factor.ts';

/**
 * Somebody creates an account for an address that is not theirs and waits for its owner to come: the five attacks of
 * Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022. Since the address is taken, its owner resets
 * the password; that is the first proof of who they are.
 */
const service = await startByClock();
const { app, clock, sql } = service;

const signInWith = (email: string, chosen: string): Promise<Answer> =>
  send(app, 'POST /sign-in/email', { body: { email, password: chosen } });

/** The owner of the mailbox takes the account over. */
async function recover({ email }: Pick<SignedUp, 'email'>, headers: Request['headers'] = {}): Promise<void> {
  await send(app, 'POST /password/forgot', { body: { email } });
  const token = await mailedToken(service, email, 'reset-password');
  const { status } = await send(app, 'POST /password/reset', { body: { token, newPassword }, headers });
  if (status !== 200) throw new Error(`the reset answered ${status}`);
}

describe('what was set up before an address was proven', () => {
  test("classic merge: an invitation to the address never ends up in another person's account [S-7]", async () => {
    const { id: organizationId, owner } = await foundCompany(service);
    const attacker = await signUp(app, 'Mallory');
    const body = { email: attacker.email, role: 'member' };
    const invited = await ask(service, `POST /organization/${organizationId}/invitations`, {
      token: owner.token,
      body,
    });
    expect(invited.status).toBe(201);
    const invitationToken = await mailedInvitation(service, attacker.email);

    // The owner of the mailbox follows the letter: no account is merged with the one that is there.
    const merged = await send(app, 'POST /sign-up/email', {
      body: { email: attacker.email, password: newPassword, name: 'Vera', invitationToken },
    });
    expect(merged.status).toBe(422);
    await recover(attacker);
    const vera = await signInWith(attacker.email, newPassword);
    expect(vera.status).toBe(200);
    const { token } = vera.body.session;
    expect(
      (await send(app, 'POST /invitations/accept', { token, body: { token: invitationToken } })).status,
    ).toBe(200);
    expect((await signInWith(attacker.email, password)).status).toBe(401);
    expect((await refresh(app, attacker.refreshToken)).status).toBe(401);
  });

  test('unexpired session: no earlier session, refresh token or open sign-in survives [S-7]', async () => {
    const attacker = await enrol(app, clock);
    const phone = { 'x-device-id': 'mallorys-phone' };
    const waiting = await signIn(app, attacker.email, phone);
    await recover(attacker);

    expect((await send(app, 'GET /session', { token: attacker.token })).status).toBe(401);
    expect((await refresh(app, attacker.refreshToken)).status).toBe(401);
    clock.advance({ seconds: 30 });
    const code = codeNow(attacker.secret, clock);
    const { token: challengeToken } = waiting.body.challenge;
    expect((await verifyTotp(app, { code, challengeToken, headers: phone })).status).toBe(401);
    expect((await signIn(app, attacker.email, phone)).status).toBe(401);
  });

  test('trojan identifier: no service account in the personal organization survives, whoever made it [S-7]', async () => {
    const attacker = await signUp(app);
    const place = { by: attacker, organizationId: personalOrganizationOf(attacker) };
    const keys: string[] = [];
    const accomplice = await signUp(app, 'Mallory');
    await enter(service, place.organizationId, accomplice, 'owner');
    for (const by of [attacker, accomplice]) {
      const theirs = { ...place, by };
      keys.push((await newKey(service, theirs, (await newAccount(service, theirs)).id)).key);
    }
    const tokens = await Promise.all(keys.map((key) => tokenFor(service, { key })));
    await recover(attacker);
    for (const key of keys) expect((await askForToken(service, key)).body.code).toBe('INVALID_KEY');
    const ended = await sql('SELECT sid FROM revocations WHERE organization = $1', [place.organizationId]);
    for (const token of tokens) expect(ended).toContainEqual({ sid: claimsOf(token)['sid'] });
  });

  test('a domain that the attacker has added to the personal organization does not survive [S-7]', async () => {
    const attacker = await signUp(app, 'Eve');
    const place = { by: attacker, organizationId: personalOrganizationOf(attacker) };
    await addDomain(service, place, newDomain(), 'member');
    await recover(attacker);
    expect(await sql('SELECT 1 FROM domains WHERE organization_id = $1', [place.organizationId])).toEqual([]);
  });

  test('a connection that the attacker has made in the personal organization does not survive [S-7]', async () => {
    const attacker = await signUp(app, 'Eve');
    const organizationId = personalOrganizationOf(attacker);
    const body = { kind: 'oidc', name: 'Theirs' };
    await send(app, `POST /organization/${organizationId}/connections`, { token: attacker.token, body });
    expect(await sql('SELECT 1 FROM connections WHERE organization_id = $1', [organizationId])).toHaveLength(
      1,
    );
    await recover(attacker);
    expect(await sql('SELECT 1 FROM connections WHERE organization_id = $1', [organizationId])).toEqual([]);
  });

  test('single sign-on that the attacker has required in the personal organization is not required any more [S-7]', async () => {
    const attacker = await signUp(app, 'Eve');
    const organizationId = personalOrganizationOf(attacker);
    await sql('UPDATE organizations SET require_sso = true WHERE id = $1', [organizationId]);
    await recover(attacker);
    const [organization] = await sql('SELECT require_sso FROM organizations WHERE id = $1', [organizationId]);
    expect(organization).toEqual({ require_sso: false });
    const vera = await signInWith(attacker.email, newPassword);
    expect(claimsOf(vera.body.session.token)).toMatchObject({ organizationId, role: 'owner' });
  });

  test('trojan identifier: no second factor survives, so its owner gets in [S-7]', async () => {
    const attacker = await enrol(app, clock);
    await recover(attacker);

    const vera = await signInWith(attacker.email, newPassword);
    expect(vera.body.twoFactorRequired).toBeUndefined();
    expect(vera.status).toBe(200);
    const { token } = vera.body.session;
    expect((await send(app, 'GET /two-factor', { token })).body).toEqual({
      enabled: false,
      methods: [],
      backupCodesLeft: 0,
    });
    expect(await lettersTo(service, attacker.email)).not.toContain('password-changed');
    expect(await letterTo(service, attacker.email, 'account-recovered')).toContain(
      'authentication that was set up before is off',
    );
  });

  test('trojan identifier: nor a set-up that is not finished', async () => {
    const attacker = await signUp(app);
    const begun = await send(app, 'POST /two-factor/enable', { token: attacker.token, body: { password } });
    await recover(attacker);
    const { token } = (await signInWith(attacker.email, newPassword)).body.session;
    const code = codeNow(begun.body.secret, clock);
    expect((await verifyTotp(app, { token, code })).body.code).toBe('TWO_FACTOR_NOT_ENABLED');
  });

  test('trojan identifier: others in the personal organization fall back to member, and the letter names them [S-7]', async () => {
    const attacker = await signUp(app, 'Vera');
    const [owner, admin, plain, guest] = [
      await signUp(app, 'Mallory Owner'),
      await signUp(app, 'Mallory Admin'),
      await signUp(app, 'Mallory Plain'),
      newEmail(),
    ];
    const organizationId = personalOrganizationOf(attacker);
    await enter(service, organizationId, owner, 'owner');
    await enter(service, organizationId, admin, 'admin');
    await enter(service, organizationId, plain, 'member');
    // An attacker whose own address is proven invites in the organization of somebody whose address is not.
    await prove(service, admin);
    const body = { email: guest, role: 'admin' };
    await ask(service, `POST /organization/${organizationId}/invitations`, { token: admin.token, body });
    const invitationToken = await mailedInvitation(service, guest);
    // The owner's alter ego takes the organization over altogether.
    await sql(`UPDATE members SET role = 'member' WHERE organization_id = $1 AND user_id = $2`, [
      organizationId,
      attacker.id,
    ]);

    await recover(attacker);

    expect(await rolesIn(service, organizationId)).toEqual({
      Vera: 'owner',
      'Mallory Owner': 'member',
      'Mallory Admin': 'member',
      'Mallory Plain': 'member',
    });
    const letter = await letterTo(service, attacker.email, 'account-recovered');
    for (const name of ['Mallory Owner', 'Mallory Admin', 'Mallory Plain']) expect(letter).toContain(name);
    const late = await send(app, 'POST /sign-up/email', {
      body: { email: guest, password, name: 'Late', invitationToken },
    });
    expect(late.body.code).toBe('INVALID_TOKEN');
    // Verifiers and directories are notified.
    const told = await sql(`SELECT sub FROM revocations WHERE organization = $1 AND kind = 'member'`, [
      organizationId,
    ]);
    expect(told.map(({ sub }) => sub)).toEqual(expect.arrayContaining([owner.id, admin.id]));
    const events = await sql(
      `SELECT user_id AS "userId", payload->>'role' AS role FROM events
       WHERE organization = $1 AND type = 'member.role-changed'`,
      [organizationId],
    );
    expect(events).toEqual(
      expect.arrayContaining([
        { userId: attacker.id, role: 'owner' },
        { userId: owner.id, role: 'member' },
        { userId: admin.id, role: 'member' },
      ]),
    );
  });

  test('unexpired e-mail change: a link that was mailed to another address no longer works [S-7]', async () => {
    const attacker = await signUp(app);
    const elsewhere = newEmail();
    const change = { newEmail: elsewhere, password };
    const asked = await send(app, 'POST /email/change', { token: attacker.token, body: change });
    expect(asked.status).toBe(200);
    const link = await mailedToken(service, elsewhere, 'confirm-new-address');
    await recover(attacker);

    const { token } = (await signInWith(attacker.email, newPassword)).body.session;
    expect((await send(app, 'POST /email/verify', { token, body: { token: link } })).body.code).toBe(
      'INVALID_TOKEN',
    );
  });

  test('non-verifying provider: an account that an organization made for the address leaves it no way in [S-7]', async () => {
    const { id: organizationId, owner } = await foundCompany(service);
    const email = newEmail();
    const made = await app.inject({
      method: 'POST',
      url: '/internal/users',
      headers: {
        authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
        'idempotency-key': organizationId,
      },
      payload: { organizationId, actorUserId: owner.id, email, password, name: 'Vera' },
    });
    expect(made.statusCode).toBe(201);
    const inside = await signInWith(email, password);
    const { token, refreshToken } = inside.body.session;
    await send(app, 'POST /two-factor/enable', { token, body: { password } });
    await recover({ email });

    expect((await send(app, 'GET /session', { token })).status).toBe(401);
    expect((await refresh(app, refreshToken)).status).toBe(401);
    expect((await signInWith(email, password)).status).toBe(401);
    expect((await signInWith(email, newPassword)).status).toBe(200);
  });
});

describe('the recovered owner works in an organization of their own', () => {
  /** Where the owner is once the squatter has done everything to keep them elsewhere. */
  async function whereRecovered({ email }: Pick<SignedUp, 'email'>) {
    await recover({ email });
    const { body } = await signInWith(email, newPassword);
    const organizationId = String(claimsOf(body.session.token)['organizationId']);
    const [organization] = await sql('SELECT personal_of AS "personalOf" FROM organizations WHERE id = $1', [
      organizationId,
    ]);
    const roles = await rolesIn(service, organizationId);
    return { organizationId, personalOf: organization?.['personalOf'], roles };
  }

  /** The squatter's own company, which the account is a member of. */
  async function trap(attacker: SignedUp, name = 'Honest Accounting'): Promise<string> {
    const mallory = await signUp(app, 'Mallory');
    const { id } = await found(service, mallory.token, name);
    await enter(service, id, attacker, 'member');
    return id;
  }

  test('whichever was active before, and the letter lists every other one [S-7]', async () => {
    const attacker = await signUp(app, 'Vera');
    const id = await trap(attacker);
    await trap(attacker, 'Second Trap');
    await switchTo(service, attacker.token, id);
    const { organizationId, personalOf } = await whereRecovered(attacker);
    expect(organizationId).toBe(personalOrganizationOf(attacker));
    expect(personalOf).toBe(attacker.id);
    const letter = await letterTo(service, attacker.email, 'account-recovered');
    for (const name of ['Honest Accounting', 'Second Trap']) expect(letter).toContain(name);
  });

  test('also where the personal one demands a second factor, which is gone', async () => {
    const attacker = await enrol(app, clock, 'Vera');
    const id = await trap(attacker);
    const personal = personalOrganizationOf(attacker);
    const body = { settings: { requireTwoFactor: true } };
    const required = await send(app, `PATCH /organization/${personal}`, { token: attacker.token, body });
    expect(required.status).toBe(200);
    clock.advance({ seconds: 3 });
    await switchTo(service, required.body.session.token, id);
    expect(await whereRecovered(attacker)).toMatchObject({ organizationId: personal });
  });

  test.each(['left', 'deleted'])(
    'also where the personal one was %s: then they get a new one [S-7]',
    async (how) => {
      const attacker = await signUp(app, 'Vera');
      const id = await trap(attacker);
      const personal = personalOrganizationOf(attacker);
      const alterEgo = await signUp(app, 'Mallory Owner');
      if (how === 'left') await enter(service, personal, alterEgo, 'owner');
      const end =
        how === 'left' ? `POST /organization/${personal}/leave` : `DELETE /organization/${personal}`;
      expect((await send(app, end, { token: attacker.token })).status).toBeLessThan(300);

      const { organizationId, personalOf, roles } = await whereRecovered(attacker);
      expect([personal, id]).not.toContain(organizationId);
      expect({ personalOf, roles }).toEqual({ personalOf: attacker.id, roles: { Vera: 'owner' } });
      expect(await letterTo(service, attacker.email, 'account-recovered')).toContain('Honest Accounting');
    },
  );

  test('also where an organization made the account for somebody else’s address', async () => {
    const { id: company, owner } = await foundCompany(service);
    const email = newEmail();
    const made = await app.inject({
      method: 'POST',
      url: '/internal/users',
      headers: {
        authorization: `Bearer ${service.config.INTERNAL_API_KEY[0] ?? ''}`,
        'idempotency-key': `made-${company}`,
      },
      payload: { organizationId: company, actorUserId: owner.id, email, password, name: 'Vera' },
    });
    expect(made.statusCode).toBe(201);
    const { organizationId, roles } = await whereRecovered({ email });
    expect(organizationId).not.toBe(company);
    expect(roles).toEqual({ Vera: 'owner' });
    // It belongs to another organization now, so the one that made it neither disables nor erases it.
    const [{ id } = { id: '' }] = await sql('SELECT id FROM users WHERE email = $1', [email]);
    const path = `POST /organization/${company}/members/${String(id)}/disable`;
    expect((await send(app, path, { token: owner.token })).status).toBe(403);
  });

  test('also for ten concurrent uses of one token', async () => {
    const attacker = await signUp(app, 'Vera');
    await trap(attacker);
    await send(app, 'POST /password/forgot', { body: { email: attacker.email } });
    const token = await mailedToken(service, attacker.email, 'reset-password');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(app, 'POST /password/reset', { body: { token, newPassword } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 400].includes(status))).toBe(true);
  });
});

describe('an honest user keeps', () => {
  test('the second factor and everyone’s role, once the address was proven before [S-7]', async () => {
    const vera = await enrol(app, clock, 'Vera');
    await prove(service, vera);
    const colleague = await signUp(app, 'Colin');
    const organizationId = personalOrganizationOf(vera);
    await enter(service, organizationId, colleague, 'admin');
    await recover(vera);

    expect((await signInWith(vera.email, newPassword)).body.twoFactorRequired).toBe(true);
    expect(await rolesIn(service, organizationId)).toEqual({ Vera: 'owner', Colin: 'admin' });
    expect(await lettersTo(service, vera.email)).not.toContain('account-recovered');
  });

  test('organizations and what is in them, at the first proof too: only the personal one falls back', async () => {
    const vera = await signUp(app, 'Vera');
    const colleague = await signUp(app, 'Colin');
    const { id: organizationId } = await found(service, vera.token);
    await enter(service, organizationId, colleague, 'owner');
    await recover(vera);

    expect(await rolesIn(service, organizationId)).toEqual({ Vera: 'owner', Colin: 'owner' });
    const { token } = (await signInWith(vera.email, newPassword)).body.session;
    const { body } = await send(app, 'GET /organization/list', { token });
    expect(body.organizations).toHaveLength(2);
    // The letter names them, since the reader may know none.
    expect(await letterTo(service, vera.email, 'account-recovered')).toContain(
      'The account also belongs to “Acme”',
    );
  });

  test('everything, where the first proof comes from the device that signed up [S-7]', async () => {
    const phone = { 'x-device-id': 'veras-phone-0001' };
    const vera = await signUp(app, 'Vera', phone);
    const enabled = await send(app, 'POST /two-factor/enable', { token: vera.token, body: { password } });
    const code = codeNow(enabled.body.secret, clock);
    expect((await verifyTotp(app, { token: vera.token, code })).status).toBe(200);
    const colleague = await signUp(app, 'Colin');
    const organizationId = personalOrganizationOf(vera);
    await enter(service, organizationId, colleague, 'admin');

    await recover(vera, phone);
    expect((await signInWith(vera.email, newPassword)).body.twoFactorRequired).toBe(true);
    expect(await rolesIn(service, organizationId)).toEqual({ Vera: 'owner', Colin: 'admin' });
    expect(await lettersTo(service, vera.email)).not.toContain('account-recovered');
    const proven = await sql('SELECT email_verified_at IS NOT NULL AS proven FROM users WHERE id = $1', [
      vera.id,
    ]);
    expect(proven).toEqual([{ proven: true }]);
  });
});
