import { describe, expect, test } from 'vitest';
import { newEmail, newPassword, password, refresh, send, signIn, signUp } from './support/client.ts';
import type { Answer, SignedUp } from './support/client.ts';
import { letterTo, lettersTo, mailedToken } from './support/mail.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
} from './support/organizations.ts';
import { rolesIn } from './support/organizations.ts';
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
async function recover({ email }: Pick<SignedUp, 'email'>): Promise<void> {
  await send(app, 'POST /password/forgot', { body: { email } });
  const token = await mailedToken(service, email, 'reset-password');
  const { status } = await send(app, 'POST /password/reset', { body: { token, newPassword } });
  if (status !== 200) throw new Error(`the reset answered ${status}`);
}

async function confirm({ email }: Pick<SignedUp, 'email'>): Promise<void> {
  const token = await mailedToken(service, email, 'verify-email');
  expect((await send(app, 'POST /email/verify', { body: { token } })).status).toBe(200);
}

describe('what was set up before an address was proven', () => {
  test('classic merge: an invitation to the address never ends up in the account of somebody else', async () => {
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

  test('unexpired session: no earlier session, refresh token or open sign-in survives', async () => {
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

  test('trojan identifier: no second factor survives, so its owner gets in', async () => {
    const attacker = await enrol(app, clock);
    await recover(attacker);

    const vera = await signInWith(attacker.email, newPassword);
    expect(vera.body.twoFactorRequired).toBeUndefined();
    expect(vera.status).toBe(200);
    const { token } = vera.body.session;
    expect((await send(app, 'GET /two-factor', { token })).body).toEqual({
      enabled: false,
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

  test('trojan identifier: others in the personal organization fall back to member, and the letter names them', async () => {
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
    const { token } = attacker;
    const body = { email: guest, role: 'admin' };
    await ask(service, `POST /organization/${organizationId}/invitations`, { token, body });
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
    // Verifiers and directories hear of it.
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

  test('unexpired e-mail change: a link that was mailed elsewhere moves nothing any more', async () => {
    const attacker = await signUp(app);
    const elsewhere = newEmail();
    const change = { newEmail: elsewhere, password };
    const asked = await send(app, 'POST /email/change', { token: attacker.token, body: change });
    expect(asked.status).toBe(200);
    const link = await mailedToken(service, elsewhere, 'verify-email');
    await recover(attacker);

    expect((await send(app, 'POST /email/verify', { body: { token: link } })).body.code).toBe(
      'INVALID_TOKEN',
    );
    expect((await signInWith(attacker.email, newPassword)).status).toBe(200);
  });

  test('non-verifying provider: an account that an organization made for the address leaves it no way in', async () => {
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

describe('an honest user keeps', () => {
  test('the second factor and everyone’s role, once the address was proven before', async () => {
    const vera = await enrol(app, clock, 'Vera');
    await confirm(vera);
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
    expect(await lettersTo(service, vera.email)).not.toContain('account-recovered');
  });
});
