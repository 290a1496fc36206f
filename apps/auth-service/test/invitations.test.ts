import { randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { patience, testClock, testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWings } from '../src/wings.ts';
import { createGround } from '../src/ground/index.ts';
import { anyString, claimsOf, newEmail, password, send, signUp, type SignedUp } from './support/client.ts';
import {
  ask,
  enter,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
  prove,
  rolesIn,
  switchTo,
  traces,
} from './support/organizations.ts';
import { openDatabase, startService, type RunningService } from './support/service.ts';

const silent = createLogger({ name: 'auth-service', level: 'trace', destination: testLog() });
const clock = testClock(new Date());
const service = await startService({ now: () => new Date(clock()) });
const { app, sql } = service;

interface InvitationBody {
  readonly invitation: { readonly id: string; readonly expiresAt: string; readonly createdAt: string };
}
const invite = (id: string, token: string, body: unknown) =>
  ask<InvitationBody>(service, `POST /organization/${id}/invitations`, { token, body });
const list = (id: string, token: string, query = '') =>
  ask<{ invitations: readonly { id: string; email: string }[]; total: number }>(
    service,
    `GET /organization/${id}/invitations${query}`,
    { token },
  );
const accept = (user: Pick<SignedUp, 'token'>, token: unknown, on: RunningService = service) =>
  ask<{ organization: { id: string } }>(on, 'POST /invitations/accept', {
    token: user.token,
    body: { token },
  });
/** A refusal that says what became of an invitation. */
const refusedFor = (reason: string) => ({ code: 'INVALID_TOKEN', reason });
const reject = (token: unknown) => ask(service, 'POST /invitations/reject', { body: { token } });

/** An account with this very address. */
async function signUpAs(email: string) {
  const { body } = await send(app, 'POST /sign-up/email', { body: { email, password, name: 'Bob' } });
  return body.session;
}

/** Invites somebody; the token in the mail. */
async function invited(email: string, { id, owner }: { id: string; owner: SignedUp }, role = 'member') {
  const { status } = await invite(id, owner.token, { email, role });
  expect(status).toBe(201);
  return mailedInvitation(service, email);
}

describe('POST /organization/:organizationId/invitations', () => {
  test('mails a token that the database does not know [S-116]', async () => {
    const { id, admin } = await foundCompany(service);
    const email = newEmail();
    const { status, body } = await invite(id, admin.token, {
      email: ` ${email.toUpperCase()}`,
      role: 'admin',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      invitation: {
        id: anyString,
        email,
        role: 'admin',
        invitedBy: { userId: admin.id, name: admin.name },
        createdAt: anyString,
        isSent: true,
        expiresAt: anyString,
      },
    });
    const { createdAt, expiresAt } = body.invitation;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 60 * 60 * 1_000);

    const token = await mailedInvitation(service, email);
    const rows = await sql('SELECT * FROM invitations WHERE organization_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(-40));
    expect(service.logs()).not.toContain(token.slice(-40));
    const audit = await sql(`SELECT action, actor_user_id, details FROM audit_events WHERE target_id = $1`, [
      body.invitation.id,
    ]);
    expect(audit).toEqual([
      { action: 'invitation.created', actor_user_id: admin.id, details: { role: 'admin' } },
    ]);
  });

  test('takes the place of an earlier invitation to the same address', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app, 'Gus');
    const first = await invited(guest.email, company, 'admin');
    clock.advance({ seconds: 1 });
    const again = await invite(company.id, company.owner.token, { email: guest.email, role: 'member' });
    expect(again.status).toBe(201);
    expect((await list(company.id, company.owner.token)).body.total).toBe(1);
    expect((await accept(guest, first)).body).toMatchObject(refusedFor('INVITATION_REPLACED'));
  });

  test('is refused to members, above the own role, and to strangers [S-114]', async () => {
    const { id, admin, member } = await foundCompany(service);
    const stranger = await signUp(app);
    const email = newEmail();
    expect((await invite(id, member.token, { email, role: 'member' })).body.code).toBe('FORBIDDEN');
    expect((await invite(id, admin.token, { email, role: 'owner' })).body.code).toBe('FORBIDDEN');
    expect((await invite(id, stranger.token, { email, role: 'member' })).status).toBe(404);
    expect(await sql('SELECT FROM invitations WHERE organization_id = $1', [id])).toEqual([]);
  });

  test('is refused for members', async () => {
    const { id, owner, member } = await foundCompany(service);
    const { status, body } = await invite(id, owner.token, { email: member.email, role: 'admin' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'ALREADY_MEMBER' });
  });

  test.each([
    ['email', { role: 'member' }],
    ['email', { email: 'nobody', role: 'member' }],
    ['role', { email: 'x@example.com' }],
    ['role', { email: 'x@example.com', role: 'king' }],
    ['expiresAt', { email: 'x@example.com', role: 'member', expiresAt: 'never' }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const { id, owner } = await foundCompany(service);
    const answer = await invite(id, owner.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details[0]?.field).toBe(field);
  });
});

describe('GET and DELETE /organization/:organizationId/invitations', () => {
  test('show the open ones in pages, and withdraw one', async () => {
    const { id, owner, admin } = await foundCompany(service);
    const emails = [newEmail(), newEmail(), newEmail()];
    for (const email of emails) {
      clock.advance({ seconds: 1 });
      await invite(id, owner.token, { email, role: 'member' });
    }
    const { status, body } = await list(id, admin.token, '?pageSize=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, page: 1, pageSize: 2 });
    expect(body.invitations.map(({ email }) => email)).toEqual(emails.slice(0, 2));
    expect(body.invitations[0]).toEqual({
      id: anyString,
      email: emails[0],
      role: 'member',
      invitedBy: { userId: owner.id, name: owner.name },
      createdAt: anyString,
      isSent: true,
      expiresAt: anyString,
    });
    expect((await list(id, admin.token, '?page=9')).body).toMatchObject({ invitations: [], total: 3 });

    // Withdrawn, it takes its letter with it where that has not left.
    const token = await mailedInvitation(service, emails[0]!);
    const [first] = body.invitations;
    const path = `DELETE /organization/${id}/invitations/${first!.id}`;
    const withdrawn = await ask(service, path, { token: admin.token });
    expect(withdrawn.status).toBe(204);
    expect(withdrawn.body).toBeUndefined();
    expect((await ask(service, path, { token: admin.token })).status).toBe(404);
    expect((await reject(token)).body).toMatchObject(refusedFor('INVITATION_WITHDRAWN'));
    expect((await list(id, admin.token)).body.total).toBe(2);
    clock.advance({ days: 8 });
    const fresh = await signUp(app);
    await enter(service, id, fresh, 'admin');
    expect((await list(id, fresh.token)).body).toMatchObject({ invitations: [], total: 0 });
  });

  test('cannot be withdrawn by a user who is demoted meanwhile', async () => {
    const { id, owner, admin } = await foundCompany(service);
    const { body } = await invite(id, owner.token, { email: newEmail(), role: 'member' });
    const demotion = new pg.Client({ connectionString: service.database.adminUrl });
    await demotion.connect();
    onTestFinished(() => demotion.end());
    await demotion.query('BEGIN');
    await demotion.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [id]);
    const path = `DELETE /organization/${id}/invitations/${body.invitation.id}`;
    const withdrawn = ask(service, path, { token: admin.token });
    await vi.waitFor(async () => {
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await sql(waits)).toHaveLength(1);
    }, patience());
    const demote = `UPDATE members SET role = 'member' WHERE organization_id = $1 AND user_id = $2`;
    await demotion.query(demote, [id, admin.id]);
    await demotion.query('COMMIT');
    expect((await withdrawn).status).toBe(403);
    expect((await list(id, owner.token)).body.total).toBe(1);
  });

  test('are refused to members, and reveal nothing of other organizations', async () => {
    const [here, away] = [await foundCompany(service), await foundCompany(service)];
    const { body } = await invite(away.id, away.owner.token, { email: newEmail(), role: 'member' });
    expect((await list(here.id, here.member.token)).body.code).toBe('FORBIDDEN');
    expect((await list(away.id, here.owner.token)).status).toBe(404);
    for (const invitationId of [body.invitation.id, randomUUID()]) {
      const path = `DELETE /organization/${here.id}/invitations/${invitationId}`;
      expect((await ask(service, path, { token: here.owner.token })).status).toBe(404);
      expect((await ask(service, path, { token: here.member.token })).status).toBe(403);
    }
    const foreign = `DELETE /organization/${away.id}/invitations/${body.invitation.id}`;
    expect((await ask(service, foreign, { token: here.owner.token })).status).toBe(404);
    expect((await list(away.id, away.owner.token)).body.total).toBe(1);
  });
});

test('expired invitations are deleted, open ones are not, and outcomes are kept for thirty days', async () => {
  const stale = await foundCompany(service);
  await invite(stale.id, stale.owner.token, { email: newEmail(), role: 'member' });
  clock.advance({ days: 6 });
  const ada = await signUp(app);
  await prove(service, ada);
  const { token } = ada;
  const own = personalOrganizationOf(ada);
  await invite(own, token, { email: newEmail(), role: 'member' });
  clock.advance({ days: 2 });
  const database = openDatabase(service.config, silent);
  const ground = createGround({
    config: service.config,
    logger: silent,
    database,
    now: () => new Date(clock()),
  });
  const { invitations } = createWings(ground).organizations;
  await invitations.sweep();
  const left = await sql('SELECT organization_id FROM invitations WHERE organization_id = ANY($1)', [
    [stale.id, own],
  ]);
  expect(left).toEqual([{ organization_id: own }]);
  const endings = () =>
    sql('SELECT ending FROM ended_invitations WHERE organization_id = ANY($1)', [[stale.id, own]]);
  expect(await endings()).toEqual([{ ending: 'expired' }]);
  clock.advance({ days: 30 });
  await invitations.sweep();
  expect(await endings()).toEqual([{ ending: 'expired' }]);
  clock.advance({ days: 7 });
  await invitations.sweep();
  await database.close();
  expect(await endings()).toEqual([]);
});

describe('POST /invitations/accept', () => {
  test('makes the invited user a member, once, without changing the active organization', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app, 'Gus Guest');
    const token = await invited(guest.email, company, 'admin');
    const { status, body } = await accept(guest, token);

    expect(status).toBe(200);
    expect(body).toEqual({
      organization: {
        id: company.id,
        name: 'Acme',
        slug: anyString,
        createdAt: anyString,
        role: 'admin',
      },
    });
    expect(await rolesIn(service, company.id)).toMatchObject({ 'Gus Guest': 'admin' });
    expect((await send(app, 'GET /session', { token: guest.token })).body.organization.id).toBe(
      personalOrganizationOf(guest),
    );
    expect(claimsOf(await switchTo(service, guest.token, company.id))).toMatchObject({ role: 'admin' });
    const { events, audit } = await traces(service, { organizationId: company.id, userId: guest.id });
    expect(events).toMatchObject([
      { type: 'member.added', payload: { email: guest.email, name: 'Gus Guest', role: 'admin' } },
    ]);
    expect(audit).toMatchObject([
      { action: 'invitation.accepted', actor: guest.id, details: { role: 'admin' } },
    ]);
    expect((await accept(guest, token)).body).toMatchObject(refusedFor('INVITATION_ACCEPTED'));
  });

  test('confirms the address that the mail was sent to', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    await accept(guest, await invited(guest.email, company));
    const [{ email_verified_at: verifiedAt } = {}] = await sql('SELECT * FROM users WHERE id = $1', [
      guest.id,
    ]);
    expect(verifiedAt).toBeInstanceOf(Date);
  });

  test('works once under twenty parallel uses [S-116]', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    const token = await invited(guest.email, company);
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(guest, token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    const { events } = await traces(service, { organizationId: company.id, userId: guest.id });
    expect(events).toHaveLength(1);
  });

  test('refuses all tokens that were never mailed in the same way, without a reason [S-116]', async () => {
    const company = await foundCompany(service);
    const [guest, thief] = [await signUp(app), await signUp(app)];
    const token = await invited(guest.email, company);
    const bytes = Buffer.from(token.slice(4), 'base64url');
    const altered = (index: number) => {
      const copy = Buffer.from(bytes);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return `tri_${copy.toString('base64url')}`;
    };
    const unknown = [
      altered(0),
      altered(20),
      altered(63),
      token.slice(0, -1),
      `${token}A`,
      'x',
      `trt_${token.slice(4)}`,
    ];
    const refusals = [
      ...(await Promise.all(unknown.map((text) => accept(guest, text)))),
      await accept(guest, company.owner.token.slice(0, 256)),
      await accept(guest, guest.refreshToken),
    ];
    for (const { status, body } of refusals) {
      expect(status).toBe(400);
      expect({ ...body, requestId: '' }).toEqual({ ...refusals[0]!.body, requestId: '' });
      expect(body).toMatchObject({ code: 'INVALID_TOKEN' });
      expect(body).not.toHaveProperty('reason');
    }
    expect((await accept(thief, token)).body).toMatchObject(refusedFor('INVITATION_OF_ANOTHER'));
    clock.advance({ days: 7 });
    const later = await signUp(app);
    await sql('UPDATE users SET email = $1 WHERE id = $2', [`former.${guest.email}`, guest.id]);
    await sql('UPDATE users SET email = $1 WHERE id = $2', [guest.email, later.id]);
    expect((await accept(later, token)).body).toMatchObject(refusedFor('INVITATION_EXPIRED'));
    expect(await rolesIn(service, company.id)).not.toHaveProperty('Ada Lovelace');
  });

  test.each([
    [
      'demoted',
      (id: string, { token }: SignedUp, inviter: SignedUp) =>
        ask(service, `PATCH /organization/${id}/members/${inviter.id}`, { token, body: { role: 'member' } }),
    ],
    [
      'removed',
      (id: string, { token }: SignedUp, inviter: SignedUp) =>
        ask(service, `DELETE /organization/${id}/members/${inviter.id}`, { token }),
    ],
    [
      'disabled',
      async (_id: string, _owner: SignedUp, inviter: SignedUp) => {
        await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [inviter.id]);
        return { status: 200 };
      },
    ],
    [
      'erased',
      (_id: string, _owner: SignedUp, inviter: SignedUp) =>
        ask(service, 'DELETE /user', { token: inviter.token }),
    ],
  ] as const)('gives no power by whoever has been %s since, and a plain place still', async (_how, end) => {
    const { id, owner, admin } = await foundCompany(service);
    const guests = await Promise.all(['Olaf', 'Anna', 'Mats'].map((name) => signUp(app, name)));
    const [asOwner, asAdmin, asMember] = guests as [SignedUp, SignedUp, SignedUp];
    const second = await signUp(app, 'Otto Owner');
    await prove(service, second);
    await enter(service, id, second, 'owner');
    const ownerToken = await invited(asOwner.email, { id, owner: second }, 'owner');
    const adminToken = await invited(asAdmin.email, { id, owner: admin }, 'admin');
    const memberToken = await invited(asMember.email, { id, owner: admin });
    for (const inviter of [second, admin]) expect((await end(id, owner, inviter)).status).toBeLessThan(300);

    for (const refused of [await accept(asOwner, ownerToken), await accept(asAdmin, adminToken)]) {
      expect(refused.body).toMatchObject(refusedFor('INVITATION_WITHDRAWN'));
    }
    expect((await accept(asMember, memberToken)).status).toBe(200);
    const roles = await rolesIn(service, id);
    expect(roles).toMatchObject({ Mats: 'member' });
    expect(roles).not.toHaveProperty('Olaf');
    expect(roles).not.toHaveProperty('Anna');
  });

  test('is refused to a user who is a member already, and the membership stays as it is', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app, 'Gus');
    const token = await invited(guest.email, company, 'owner');
    await enter(service, company.id, guest, 'member');
    const { status, body } = await accept(guest, token);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'ALREADY_MEMBER' });
    expect(await rolesIn(service, company.id)).toMatchObject({ Gus: 'member' });
  });

  test('is refused once the organization is gone, and without a session', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    const token = await invited(guest.email, company);
    expect((await ask(service, 'POST /invitations/accept', { body: { token } })).status).toBe(401);
    await sql('DELETE FROM organizations WHERE id = $1', [company.id]);
    expect((await accept(guest, token)).body.code).toBe('INVALID_TOKEN');
  });

  test.each([
    ['token', {}],
    ['token', { token: '' }],
    ['token', { token: 'x'.repeat(257) }],
    ['token', { token: null }],
    ['role', { token: 'x', role: 'owner' }],
  ])('refuses a bad %s with 400 and names it', async (field, body) => {
    const { token } = await signUp(app);
    const answer = await ask(service, 'POST /invitations/accept', { token, body });
    expect(answer.body.details[0]?.field).toBe(field);
  });
});

describe('GET /invitations/:token [S-65]', () => {
  const show = (token: string) =>
    ask<{ invitation: object }>(service, `GET /invitations/${encodeURIComponent(token)}`);

  test('shows who invites to what, as what and with which address, to anyone with the token', async () => {
    const company = await foundCompany(service);
    const email = newEmail();
    const token = await invited(email, company, 'admin');
    const { status, body } = await show(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      invitation: {
        organizationName: company.name,
        inviterName: company.owner.name,
        email,
        role: 'admin',
        expiresAt: anyString,
      },
    });
    // To look at it does not use it up.
    expect((await accept(await signUpAs(email), token)).status).toBe(200);
    expect(service.logs()).not.toContain(token);
  });

  test('gives the same reason as accepting would', async () => {
    const company = await foundCompany(service);
    const used = await invited(newEmail(), company);
    await reject(used);
    const fromFormerAdmin = await (async () => {
      const email = newEmail();
      await invite(company.id, company.admin.token, { email, role: 'admin' });
      const token = await mailedInvitation(service, email);
      await sql('DELETE FROM members WHERE user_id = $1', [company.admin.id]);
      return token;
    })();
    const expired = await invited(newEmail(), company);
    const email = newEmail();
    const good = await invited(email, company);
    await sql(
      `UPDATE invitations SET created_at = created_at - INTERVAL '8 days', expires_at = expires_at - INTERVAL '8 days'
       WHERE email <> $1`,
      [email],
    );
    expect((await show(used)).body).toMatchObject(refusedFor('INVITATION_REJECTED'));
    expect((await show(expired)).body).toMatchObject(refusedFor('INVITATION_EXPIRED'));
    for (const token of [
      used,
      fromFormerAdmin,
      expired,
      'x',
      `${good}A`,
      good.toLowerCase(),
      `tri_${'x'.repeat(86)}`,
    ]) {
      const { status, body } = await show(token);
      expect({ status, code: body.code, message: body.message }).toEqual({
        status: 400,
        code: 'INVALID_TOKEN',
        message:
          'This invitation cannot be used. Sign in with the address that it was sent to, or ask for a new one.',
      });
    }
    expect((await show(good)).status).toBe(200);
  });
});

describe('POST /invitations/reject', () => {
  test('ends an invitation, without an account', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    const token = await invited(guest.email, company);
    const answer = await reject(token);
    expect(answer.status).toBe(204);
    expect(answer.body).toBeUndefined();
    expect((await reject(token)).body).toMatchObject(refusedFor('INVITATION_REJECTED'));
    expect((await accept(guest, token)).body).toMatchObject(refusedFor('INVITATION_REJECTED'));
    const audit = await sql(
      `SELECT actor_user_id FROM audit_events WHERE organization_id = $1 AND action = 'invitation.rejected'`,
      [company.id],
    );
    expect(audit).toEqual([{ actor_user_id: null }]);
  });
});

describe('POST /sign-up/email with an invitation', () => {
  const signUpWith = (email: string, invitationToken: string) =>
    ask<{ user: { id: string }; session: { token: string } }>(service, 'POST /sign-up/email', {
      body: { email, password, name: 'Nina Newcomer', invitationToken },
    });

  test('begins in that organization, with a confirmed address and no personal organization', async () => {
    const company = await foundCompany(service);
    const email = newEmail();
    const token = await invited(email, company, 'admin');
    const { status, body } = await signUpWith(email, token);
    expect(status).toBe(201);
    expect(claimsOf(body.session.token)).toMatchObject({ organizationId: company.id, role: 'admin' });
    const listed = await send(app, 'GET /organization/list', { token: body.session.token });
    expect(listed.body.organizations).toMatchObject([{ id: company.id, role: 'admin', active: true }]);
    const [user] = await sql('SELECT * FROM users WHERE id = $1', [body.user.id]);
    expect(user?.['email_verified_at']).toBeInstanceOf(Date);
    const events = await sql('SELECT type FROM events WHERE user_id = $1 ORDER BY id', [body.user.id]);
    expect(events.map(({ type }) => type)).toEqual(['member.added']);
  });

  test('makes no account when the invitation is not for this address, or is used', async () => {
    const company = await foundCompany(service);
    const [email, other] = [newEmail(), newEmail()];
    const token = await invited(email, company);
    expect((await signUpWith(other, token)).body.code).toBe('INVALID_TOKEN');
    expect((await signUpWith(other, 'nonsense')).body.code).toBe('INVALID_TOKEN');
    expect((await signUpWith(email, token)).status).toBe(201);
    expect((await signUpWith(other, token)).body.code).toBe('INVALID_TOKEN');
    expect(await sql('SELECT FROM users WHERE email = $1', [other])).toEqual([]);
  });

  test('a used invitation does not reveal whether an address has an account', async () => {
    const company = await foundCompany(service);
    const holder = await signUp(app);
    const token = await invited(holder.email, company);
    expect((await accept(holder, token)).status).toBe(200);
    // While it runs it sends the letters of both.
    const strict = await startService({
      settings: { REQUIRE_EMAIL_VERIFICATION: 'true', AUTH_SECRET: service.config.AUTH_SECRET },
      database: service.database,
    });
    const refusals = await Promise.all(
      [newEmail(), company.owner.email].map(async (email) => {
        const body = { email, password, name: 'Nina Newcomer', invitationToken: token };
        const answer = await ask(strict, 'POST /sign-up/email', { body });
        return { status: answer.status, ...answer.body, requestId: '' };
      }),
    );
    await strict.app.close();
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]).not.toHaveProperty('reason');
  });

  test('leaves the invitation open when the address has an account', async () => {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    const token = await invited(guest.email, company);
    expect((await signUpWith(guest.email, token)).body.code).toBe('USER_ALREADY_EXISTS');
    expect((await accept(guest, token)).status).toBe(200);
  });
});
