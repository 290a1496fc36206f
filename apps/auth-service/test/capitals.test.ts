import { expect, test } from 'vitest';
import { claimsOf, newEmail, send } from './support/client.ts';
import { ask, foundCompany } from './support/organizations.ts';
import { enrol, startByClock } from './support/two-factor.ts';

const service = await startByClock();
const { app, clock, sql } = service;
const company = await foundCompany(service);
const id = company.id.toUpperCase();
const { owner } = company;

test('an organization that is switched to by its id in capitals is the one of small letters [S-137]', async () => {
  const switched = await send(app, 'POST /organization/switch', {
    token: owner.token,
    body: { organizationId: id },
  });
  expect(switched.status).toBe(200);
  const { token } = switched.body.session;
  expect(claimsOf(token)).toMatchObject({ organizationId: company.id });
  const [session] = await sql('SELECT active_organization_id AS active FROM sessions WHERE id = $1', [
    owner.sessionId,
  ]);
  expect(session).toEqual({ active: company.id });
});

test('an invitation by ids in capitals is made, listed and withdrawn, and not found a second time [S-137]', async () => {
  const { token } = owner;
  const body = { email: newEmail(), role: 'member' };
  const made = await ask<{ invitation: { id: string } }>(service, `POST /organization/${id}/invitations`, {
    token,
    body,
  });
  expect(made.status).toBe(201);
  const invitationId = made.body.invitation.id;
  const listed = await ask(service, `GET /organization/${id}/invitations`, { token });
  expect(listed.body).toMatchObject({ invitations: [{ id: invitationId }], total: 1 });
  const path = `DELETE /organization/${id}/invitations/${invitationId.toUpperCase()}`;
  expect((await ask(service, path, { token })).status).toBe(204);
  expect((await ask(service, path, { token })).status).toBe(404);
});

test('two-factor authentication is reset by ids in capitals, and never one’s own [S-137]', async () => {
  const [admin, member] = [await enrol(app, clock), await enrol(app, clock)];
  for (const [{ id: userId }, role] of [
    [admin, 'owner'],
    [member, 'member'],
  ] as const) {
    await sql('DELETE FROM members WHERE user_id = $1', [userId]);
    await sql(
      'INSERT INTO members (organization_id, user_id, role, created_at, updated_at) VALUES ($1, $2, $3, now(), now())',
      [company.id, userId, role],
    );
  }
  const reset = (userId: string) =>
    ask<{ reason?: string; member: object }>(
      service,
      `POST /organization/${id}/members/${userId}/reset-two-factor`,
      { token: admin.token },
    );
  const own = await reset(admin.id.toUpperCase());
  expect([own.status, own.body.reason]).toEqual([403, 'OWN_ACCOUNT']);
  const done = await reset(member.id.toUpperCase());
  expect(done).toMatchObject({ status: 200, body: { member: { userId: member.id, twoFactor: false } } });
});
