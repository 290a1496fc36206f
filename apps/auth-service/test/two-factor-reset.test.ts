import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newEmail, password, refresh, send, signIn, type SignedUp } from './support/client.ts';
import { letterTo } from './support/mail.ts';
import { ask, foundCompany } from './support/organizations.ts';
import { enrol, nextCode, startByClock, verifyTotp } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, config, sql } = service;
const company = await foundCompany(service);
const organizationId = company.id;

const key = { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` };
const internal = (path: string, payload: object, headers: Record<string, string> = key) =>
  app.inject({ method: 'POST', url: `/internal/users${path}`, headers, payload });

/** An account of the organization alone, whose second factor is on. */
async function employ() {
  const email = newEmail();
  const body = { organizationId, actorUserId: company.owner.id, email, password, name: 'Grace Hopper' };
  const made = await internal('', body, { ...key, 'idempotency-key': randomUUID() });
  const { user } = made.json<{ user: { id: string } }>();
  const signedIn = (await signIn(app, email)).body.session;
  const begun = await send(app, 'POST /two-factor/enable', { token: signedIn.token, body: { password } });
  const code = nextCode(begun.body.secret, clock);
  const { session } = (await verifyTotp(app, { token: signedIn.token, code })).body;
  return { ...session, id: user.id, email };
}

const reset = (userId: string, { token }: Pick<SignedUp, 'token'> = company.owner, of = organizationId) =>
  ask<{ member: { userId: string } }>(
    service,
    `POST /organization/${of}/members/${userId}/reset-two-factor`,
    {
      token,
    },
  );

/** What the user's own trail says of resets. */
async function ownResets(email: string) {
  const { token } = (await signIn(app, email)).body.session;
  const { body } = await send(app, 'GET /audit?action=two-factor.reset', { token });
  const { events } = body as unknown as { events: { actor: object; ipAddress: unknown; device: unknown }[] };
  return events.map(({ actor, ipAddress, device }) => ({ actor, ipAddress, device }));
}

describe('an owner who resets the second factor that a member has lost', () => {
  test('turns it off, ends the sessions, and notifies the member [S-52]', async () => {
    const grace = await employ();
    const { status, body } = await reset(grace.id);
    expect([status, body.member.userId]).toEqual([200, grace.id]);
    expect((await send(app, 'GET /session', { token: grace.token })).body.reason).toBe('SESSION_ENDED');
    expect((await refresh(app, grace.refreshToken)).status).toBe(401);
    expect((await signIn(app, grace.email)).body.twoFactorRequired).toBeUndefined();
    expect(await letterTo(service, grace.email, 'two-factor-changed')).toContain('turned off');
    const trail = await sql(
      'SELECT actor_kind AS kind, actor_user_id AS by FROM audit_events WHERE action = $1 AND target_id = $2',
      ['two-factor.reset', grace.id],
    );
    expect(trail).toEqual([{ kind: 'user', by: company.owner.id }]);
    const { id: userId, name } = company.owner;
    expect(await ownResets(grace.email)).toEqual([
      { actor: { kind: 'user', userId, name }, ipAddress: null, device: null },
    ]);

    const again = await reset(grace.id);
    expect(again.status).toBe(200);
    expect((await signIn(app, grace.email)).status).toBe(200);
  });

  test('withdraws a sign-in that waits for it', async () => {
    const grace = await employ();
    const { challenge } = (await signIn(app, grace.email)).body;
    await reset(grace.id);
    const late = await verifyTotp(app, { challengeToken: challenge.token, code: '123456' });
    expect(late.body.code).toBe('INVALID_CHALLENGE');
  });

  test('must be an owner, of an account that belongs to the organization alone, and never the owner’s own [S-52]', async () => {
    const grace = await employ();
    expect((await reset(grace.id, company.admin)).status).toBe(403);
    expect((await reset(grace.id, company.member)).status).toBe(403);
    expect((await reset(company.owner.id)).status).toBe(403);
    // A member who has a personal organization besides.
    expect((await reset(company.member.id)).status).toBe(403);
    expect((await reset(randomUUID())).status).toBe(404);
    const other = await foundCompany(service);
    expect((await reset(grace.id, other.owner)).status).toBe(404);
    expect((await reset(grace.id, other.owner, other.id)).status).toBe(404);
    expect((await signIn(app, grace.email)).body.twoFactorRequired).toBe(true);
  });

  test('must have confirmed their own second factor recently, where they have one [S-52]', async () => {
    const grace = await employ();
    const olga = await enrol(app, clock);
    await sql(
      `INSERT INTO members (organization_id, user_id, role, created_at, updated_at) VALUES ($1, $2, 'owner', now(), now())`,
      [organizationId, olga.id],
    );
    clock.advance({ minutes: 6 });
    const stale = await reset(grace.id, olga);
    expect([stale.status, stale.body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    const stepped = await verifyTotp(app, { token: olga.token, code: nextCode(olga.secret, clock) });
    expect((await reset(grace.id, { token: stepped.body.session.token })).status).toBe(200);
  });
});

test('the operator resets that of any account, and each of its organizations reads of it [S-52, S-181]', async () => {
  const ada = await enrol(app, clock);
  expect((await internal('/reset-two-factor', { email: ada.email })).statusCode).toBe(204);
  expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
  expect((await signIn(app, ada.email)).body.twoFactorRequired).toBeUndefined();
  const trail = await sql(
    'SELECT actor_kind AS kind, actor_user_id AS by FROM audit_events WHERE action = $1 AND target_id = $2',
    ['two-factor.reset', ada.id],
  );
  expect(trail).toEqual([{ kind: 'operator', by: null }]);
  const actor = { kind: 'operator', userId: null, name: null };
  expect(await ownResets(ada.email)).toEqual([{ actor, ipAddress: null, device: null }]);
  expect((await internal('/reset-two-factor', { email: newEmail() })).statusCode).toBe(404);
  expect((await internal('/reset-two-factor', { email: ada.email }, {})).statusCode).toBe(401);
});
