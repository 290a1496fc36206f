import { describe, expect, test } from 'vitest';
import { claimsOf, password, refresh, send, signIn, type SignedUp } from './support/client.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  personalOrganizationOf,
  switchTo,
} from './support/organizations.ts';
import { codeAt } from './support/authenticator.ts';
import { startService } from './support/service.ts';
import { verifyTotp } from './support/two-factor.ts';

const service = await startService();
const { app, sql } = service;

/** Turns a second factor on, past the service, in sessions that began without it or with it. */
async function giveSecondFactor({ id }: SignedUp, sessions: 'pwd' | 'pwd,otp' = 'pwd,otp'): Promise<void> {
  await sql('UPDATE sessions SET factors = $2 WHERE user_id = $1', [id, `{${sessions}}`]);
  await sql(
    `INSERT INTO two_factor (user_id, encrypted_secret, secret_id, enabled_at, created_at)
     VALUES ($1, decode(repeat('00', 60), 'hex'), 'x', now(), now())`,
    [id],
  );
}

/** A company that requires a second factor, which only its owner has. */
async function foundStrictCompany() {
  const company = await foundCompany(service);
  const tokens = {
    owner: await switchTo(service, company.owner.token, company.id),
    member: await switchTo(service, company.member.token, company.id),
  };
  await giveSecondFactor(company.owner);
  const { status } = await ask(service, `PATCH /organization/${company.id}`, {
    token: company.owner.token,
    body: { settings: { requireTwoFactor: true } },
  });
  expect(status).toBe(200);
  return { ...company, tokens };
}

describe('an organization that begins to require a second factor', () => {
  const demand = (id: string, token: string) =>
    send(app, `PATCH /organization/${id}`, { token, body: { settings: { requireTwoFactor: true } } });
  const issuedFrom = async (id: string, userId: string) => {
    const [news] = await sql(
      'SELECT issued_before AS at FROM revocations WHERE sub = $1 AND organization = $2',
      [userId, id],
    );
    return (news?.['at'] as Date).getTime() / 1_000;
  };

  test('gives its owner another token for the one that it revokes [S-55]', async () => {
    const { id, owner } = await foundCompany(service);
    await giveSecondFactor(owner);
    const token = await switchTo(service, owner.token, id);
    const { status, body } = await demand(id, token);
    expect(status).toBe(200);
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: id, sid: owner.sessionId });
    expect(claimsOf(token)['iat']).toBeLessThan(await issuedFrom(id, owner.id));
    expect(claimsOf(body.session.token)['iat']).toBeGreaterThanOrEqual(await issuedFrom(id, owner.id));
    expect((await demand(id, body.session.token)).body.session).toBeUndefined();
  });

  test('does not affect a token for another organization', async () => {
    const { id, owner } = await foundCompany(service);
    await giveSecondFactor(owner);
    const { status, body } = await demand(id, owner.token);
    expect([status, body.session]).toEqual([200, undefined]);
  });

  test('is named, with the reason, wherever a member’s session would be in it [S-55]', async () => {
    const { id, member, tokens } = await foundStrictCompany();
    const organizationRefused = { organizationId: id, reason: 'TWO_FACTOR_REQUIRED' };
    const shown = await send(app, 'GET /session', { token: tokens.member });
    expect(shown.body).toMatchObject({ organization: null, session: { organizationRefused } });
    const renewed = await refresh(app, member.refreshToken);
    expect(renewed.body.session).toMatchObject({ organizationRefused });

    // Signing in continues in another organization, and says so.
    const signedIn = await signIn(app, member.email);
    expect(signedIn.body).toMatchObject({
      user: { organizationId: personalOrganizationOf(member) },
      session: { organizationRefused },
    });
    const { token } = signedIn.body.session;
    expect((await send(app, 'GET /session', { token })).body.session).not.toHaveProperty(
      'organizationRefused',
    );
    await sql('DELETE FROM organizations WHERE id = $1', [personalOrganizationOf(member)]);
    const nowhere = await signIn(app, member.email);
    expect(nowhere.body).toMatchObject({ user: { organizationId: null }, session: { organizationRefused } });
  });

  test('is marked in the list of a member’s organizations, and open to one with a second factor [S-55]', async () => {
    const { id, owner, member } = await foundStrictCompany();
    const listed = async ({ token }: SignedUp) => {
      const { organizations } = (await send(app, 'GET /organization/list', { token })).body;
      return organizations.find((organization) => organization.id === id);
    };
    expect(await listed(member)).toMatchObject({ twoFactorRequired: true, accessible: false });
    expect(await listed(owner)).toMatchObject({ twoFactorRequired: true, accessible: true });
    const personal = (await send(app, 'GET /organization/list', member)).body.organizations[0];
    expect(personal).toMatchObject({ twoFactorRequired: false, accessible: true });
  });
});

describe('a member without the second factor that the organization requires', () => {
  test('gets no token for it: not by refresh, not by switch, not by sign-in [S-54]', async () => {
    const { id, member } = await foundStrictCompany();
    const own = await refresh(app, member.refreshToken);
    expect(own.status).toBe(200);
    expect(claimsOf(own.body.session.token)).toMatchObject({ organizationId: null, role: null });

    const named = await send(app, 'POST /refresh', {
      body: { refreshToken: own.body.session.refreshToken, organizationId: id },
    });
    const switched = await send(app, 'POST /organization/switch', {
      token: own.body.session.token,
      body: { organizationId: id },
    });
    for (const { status, body } of [named, switched]) {
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'TWO_FACTOR_REQUIRED' });
      expect(body.message).toContain('Turn it on');
    }
    const { body } = await signIn(app, member.email);
    expect(body.user.organizationId).toBe(personalOrganizationOf(member));
    expect(claimsOf(body.session.token)['organizationId']).toBe(personalOrganizationOf(member));
  });

  test('who belongs to no other still signs in, without an organization', async () => {
    const { id, member } = await foundStrictCompany();
    await sql('DELETE FROM organizations WHERE id = $1', [personalOrganizationOf(member)]);
    const { status, body } = await signIn(app, member.email);
    expect(status).toBe(200);
    expect(body.user.organizationId).toBeNull();
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: null, role: null });
    await giveSecondFactor(member);
    expect(claimsOf((await refresh(app, body.session.refreshToken)).body.session.token)).toMatchObject({
      organizationId: id,
    });
  });

  test('may do nothing there but leave', async () => {
    const { id, member, admin } = await foundStrictCompany();
    for (const path of [`GET /organization/${id}`, `GET /organization/${id}/members`]) {
      const { status, body } = await ask(service, path, { token: member.token });
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'TWO_FACTOR_REQUIRED' });
    }
    const removal = `DELETE /organization/${id}/members/${member.id}`;
    expect((await ask(service, removal, { token: admin.token })).body.code).toBe('TWO_FACTOR_REQUIRED');
    expect((await ask(service, `POST /organization/${id}/leave`, { token: member.token })).status).toBe(204);
  });

  test('loses its earlier tokens immediately [S-54]', async () => {
    const { id, owner, member, tokens } = await foundStrictCompany();
    for (const [user, token] of [
      [owner, tokens.owner],
      [member, tokens.member],
    ] as const) {
      const [news] = await sql('SELECT * FROM revocations WHERE sub = $1 AND organization = $2', [
        user.id,
        id,
      ]);
      expect(Number(claimsOf(token)['iat'])).toBeLessThan(
        (news?.['issued_before'] as Date).getTime() / 1_000,
      );
    }
    expect((await send(app, 'GET /session', { token: tokens.member })).body.organization).toBeNull();
  });

  test('gets in again with one, and others are let in all along', async () => {
    const { id, owner, member } = await foundStrictCompany();
    expect(claimsOf((await refresh(app, owner.refreshToken)).body.session.token)).toMatchObject({
      organizationId: id,
    });
    await giveSecondFactor(member);
    expect(claimsOf(await switchTo(service, member.token, id))).toMatchObject({ role: 'member' });
  });

  test('a set-up that was not finished is no second factor', async () => {
    const { id, member } = await foundStrictCompany();
    await giveSecondFactor(member, 'pwd');
    await sql('UPDATE two_factor SET enabled_at = NULL WHERE user_id = $1', [member.id]);
    const { status } = await send(app, 'POST /organization/switch', {
      token: member.token,
      body: { organizationId: id },
    });
    expect(status).toBe(403);
  });
});

describe('with a second factor, sensitive operations require a recent one', () => {
  test.each([
    ['changing a role', 'PATCH', '/members/:member', { role: 'admin' }],
    ['removing a member', 'DELETE', '/members/:member', undefined],
    ['deleting an organization', 'DELETE', '', undefined],
    ['inviting an admin', 'POST', '/invitations', { email: 'new@example.com', role: 'admin' }],
    ['asking for a second factor', 'PATCH', '', { settings: { requireTwoFactor: true } }],
    ['asking for one no more', 'PATCH', '', { settings: { requireTwoFactor: false } }],
  ])('%s [S-32]', async (_, method, path, body) => {
    const { id, owner, member } = await foundCompany(service);
    await giveSecondFactor(owner, 'pwd');
    const url = `${method} /organization/${id}${path.replace(':member', member.id)}`;
    const options = { token: owner.token, ...(body === undefined ? {} : { body }) };
    const refused = await ask(service, url, options);
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 401,
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
    });
    await sql(`UPDATE sessions SET factors = '{pwd,otp}' WHERE user_id = $1`, [owner.id]);
    expect((await ask(service, url, options)).status).toBeLessThan(300);
  });

  test('but not inviting a member, or renaming the organization', async () => {
    const { id, owner } = await foundCompany(service);
    await giveSecondFactor(owner, 'pwd');
    const { token } = owner;
    const body = { email: 'new@example.com', role: 'member' };
    expect((await ask(service, `POST /organization/${id}/invitations`, { token, body })).status).toBe(201);
    expect((await ask(service, `PATCH /organization/${id}`, { token, body: { name: 'New' } })).status).toBe(
      200,
    );
  });

  test('erasing the account, whatever the password', async () => {
    const { member } = await foundCompany(service);
    await giveSecondFactor(member, 'pwd');
    const { status, body } = await ask(service, 'DELETE /user', {
      token: member.token,
      body: { password },
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'INSUFFICIENT_USER_AUTHENTICATION' });
  });
});

test('turning the requirement off lets everybody in again', async () => {
  const { id, owner, member } = await foundStrictCompany();
  await ask(service, `PATCH /organization/${id}`, {
    token: owner.token,
    body: { settings: { requireTwoFactor: false } },
  });
  expect(claimsOf(await switchTo(service, member.token, id))).toMatchObject({ organizationId: id });
  const { id: other } = await found(service, owner.token);
  await enter(service, other, member, 'member');
});

/** Sets up an authenticator and confirms it. */
async function enrolBy(token: string) {
  const { secret } = (await send(app, 'POST /two-factor/enable', { token, body: { password } })).body;
  const confirmed = await verifyTotp(app, { token, code: codeAt(secret, new Date()) });
  expect(confirmed.status).toBe(200);
  return { ...confirmed.body.session, secret };
}

describe('a session that continues after a second factor [S-56]', () => {
  test('is scoped to the requested organization, immediately', async () => {
    const { id, member } = await foundStrictCompany();
    const outside = await refresh(app, member.refreshToken);
    expect(claimsOf(outside.body.session.token)['organizationId']).toBeNull();
    const { token, refreshToken } = await enrolBy(outside.body.session.token);
    expect(claimsOf(token)).toMatchObject({ organizationId: id, role: 'member' });
    expect((await ask(service, `GET /organization/${id}`, { token })).status).toBe(200);
    const renewed = await refresh(app, refreshToken);
    expect(claimsOf(renewed.body.session.token)['organizationId']).toBe(id);
  });

  test('keeps the organization of each tab: the one that asks has its token, the session its own', async () => {
    const { id, owner } = await foundCompany(service);
    const personal = personalOrganizationOf(owner);
    // The session is in its personal organization; a second tab works in the company.
    const tab = await send(app, 'POST /refresh', {
      body: { refreshToken: owner.refreshToken, organizationId: id },
    });
    const { token, refreshToken } = await enrolBy(tab.body.session.token);
    expect(claimsOf(token)['organizationId']).toBe(id);
    const first = await refresh(app, refreshToken);
    expect(claimsOf(first.body.session.token)['organizationId']).toBe(personal);
  });
});

test('the instruction of a step-up names what to send, codes of either kind, and the token to continue with [S-56]', async () => {
  const { owner } = await foundCompany(service);
  const { token } = await enrolBy(owner.token);
  await sql(`UPDATE sessions SET authenticated_at = now() - INTERVAL '6 minutes' WHERE user_id = $1`, [
    owner.id,
  ]);
  const { status, body } = await send(app, 'POST /two-factor/backup-codes', { token });
  expect([status, body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
  for (const said of ['verify-totp', 'verify-backup-code', 'with the token of that answer']) {
    expect(body.message).toContain(said);
  }
});
