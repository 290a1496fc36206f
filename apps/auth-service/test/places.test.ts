import { randomBytes, randomUUID } from 'node:crypto';
import { LocatedTokens } from '@tenantry/service/tokens';
import { describe, expect, test } from 'vitest';
import { newEmail, password, signUp, type SignedUp } from './support/client.ts';
import { ask, enter, found, personalOrganizationOf, prove, switchTo } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService({
  settings: {
    MAX_ORGANIZATIONS_PER_USER: '6',
    MAX_ORGANIZATIONS_PER_USER_UNCONFIRMED: '4',
    MAX_PEOPLE_PER_ORGANIZATION: '6',
    MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED: '4',
    RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: '6',
  },
});
const { app, config, sql } = service;

type Answer = { readonly status: number; readonly body: { readonly code: string; readonly reason?: string } };

const create = ({ token }: SignedUp): Promise<Answer> =>
  ask(service, 'POST /organization/create', { token, body: { name: 'Acme', slug: `acme-${randomUUID()}` } });
const many = <Result>(times: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
/** Which reasons the refusals among some answers give, and how many were none. */
function outcomes(answers: readonly Answer[]) {
  const refused = answers.filter(({ status }) => status >= 400);
  const reasons = [...new Set(refused.map(({ status, body }) => `${status} ${body.code} ${body.reason}`))];
  return { done: answers.length - refused.length, reasons };
}
const count = async (text: string, values: unknown[]) =>
  Number((await sql(`SELECT count(*) FROM ${text}`, values))[0]?.['count']);
const belongsTo = (user: SignedUp) => count('members WHERE user_id = $1', [user.id]);

describe('the organizations of a user [S-204]', () => {
  test('have a quota that parallel requests cannot exceed', async () => {
    const user = await signUp(app);
    expect(outcomes(await many(8, () => create(user)))).toEqual({
      done: 3,
      reasons: ['409 QUOTA_EXCEEDED ORGANIZATIONS_UNCONFIRMED'],
    });
    expect(await belongsTo(user)).toBe(4);
    await prove(service, user);
    expect(outcomes(await many(4, () => create(user)))).toEqual({
      done: 2,
      reasons: ['409 QUOTA_EXCEEDED ORGANIZATIONS'],
    });
  });

  test('count those that were deleted until they are purged, and not those that were left', async () => {
    const user = await signUp(app);
    const [deleted, left] = [await found(service, user.token), await found(service, user.token)];
    const token = await switchTo(service, user.token, deleted.id);
    const removal = { token, body: { password } };
    expect((await ask(service, `DELETE /organization/${deleted.id}`, removal)).status).toBe(200);
    const owner = await signUp(app);
    await enter(service, left.id, owner, 'owner');
    expect((await ask(service, `POST /organization/${left.id}/leave`, { token: user.token })).status).toBe(
      204,
    );
    expect(outcomes(await many(5, () => create(user))).done).toBe(2);
    await sql('DELETE FROM deleted_organizations WHERE id = $1', [deleted.id]);
    expect(outcomes(await many(3, () => create(user))).done).toBe(1);
  });

  test('have it for accepted invitations too, and none is used up by the refusal', async () => {
    const guest = await signUp(app);
    const tokens = await many(6, async () => invitation(await signUp(app), guest));
    const accept = (token: string): Promise<Answer> =>
      ask(service, 'POST /invitations/accept', { token: guest.token, body: { token } });
    // Accepting proves the address, so the quota is the large one.
    expect(outcomes(await Promise.all(tokens.map(accept)))).toEqual({
      done: 5,
      reasons: ['409 QUOTA_EXCEEDED ORGANIZATIONS'],
    });
    expect(await belongsTo(guest)).toBe(6);
    expect(await count('invitations WHERE email = $1', [guest.email])).toBe(1);
  });
});

/** Stores an invitation of a user's organization, and gives the token that would be mailed. */
async function invitation(host: SignedUp, guest: SignedUp): Promise<string> {
  const organizationId = personalOrganizationOf(host);
  const id = randomUUID();
  const { token, digest } = new LocatedTokens('tri_').make({ ownerId: organizationId, id });
  await sql(
    `INSERT INTO invitations (organization_id, id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, 'member', $4, $5, now(), now() + INTERVAL '1 day')`,
    [organizationId, id, guest.email, digest, host.id],
  );
  return token;
}

describe('the people of an organization [S-204]', () => {
  const invite = (organizationId: string, { token }: SignedUp, email = newEmail()): Promise<Answer> =>
    ask(service, `POST /organization/${organizationId}/invitations`, {
      token,
      body: { email, role: 'member' },
    });
  async function createUser(organizationId: string, { id: actorUserId }: SignedUp): Promise<Answer> {
    const answer = await app.inject({
      method: 'POST',
      url: '/internal/users',
      headers: {
        authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`,
        'idempotency-key': randomUUID(),
      },
      payload: { organizationId, actorUserId, email: newEmail(), password, name: 'Grace Hopper' },
    });
    return { status: answer.statusCode, body: answer.json() };
  }
  const taken = async (organizationId: string) =>
    (await count('members WHERE organization_id = $1', [organizationId])) +
    (await count('invitations WHERE organization_id = $1', [organizationId]));

  test('have a quota of members and open invitations that parallel requests cannot exceed', async () => {
    const owner = await signUp(app);
    const organizationId = personalOrganizationOf(owner);
    expect(outcomes(await many(6, () => createUser(organizationId, owner)))).toEqual({
      done: 3,
      reasons: ['409 QUOTA_EXCEEDED PEOPLE_UNCONFIRMED'],
    });
    await prove(service, owner);
    const both = [
      ...(await many(3, () => invite(organizationId, owner))),
      ...(await many(3, () => createUser(organizationId, owner))),
    ];
    expect(outcomes(both)).toEqual({ done: 2, reasons: ['409 QUOTA_EXCEEDED PEOPLE'] });
    expect(await taken(organizationId)).toBe(6);
  });

  test('may be invited again when the quota is reached, and their invitations keep a place for them', async () => {
    const [owner, guest] = [await signUp(app), await signUp(app)];
    const organizationId = personalOrganizationOf(owner);
    await prove(service, owner);
    const emails = [guest.email, ...Array.from({ length: 4 }, () => newEmail())];
    for (const email of emails) expect((await invite(organizationId, owner, email)).status).toBe(201);
    expect((await invite(organizationId, owner, emails[1])).status).toBe(201);
    expect((await invite(organizationId, owner)).body.reason).toBe('PEOPLE');
    await sql('DELETE FROM invitations WHERE organization_id = $1 AND email = $2', [
      organizationId,
      guest.email,
    ]);
    const token = await invitation(owner, guest);
    const accepted = await ask(service, 'POST /invitations/accept', { token: guest.token, body: { token } });
    expect(accepted.status).toBe(200);
    expect(await taken(organizationId)).toBe(6);
  });
});

describe('the usage of an organization', () => {
  const waysIn = (used: number) => ({
    serviceAccounts: { used, quota: 20 },
    domains: { used, quota: 20 },
    connections: { used, quota: 5 },
  });
  type Usage = { usage: { people: { used: number; quota: number }; ownerConfirmed: boolean } };
  const usageOf = (organizationId: string, token: string) =>
    ask<Usage>(service, `GET /organization/${organizationId}/usage`, { token });

  test('shows a member how many people it has, and how many it may have', async () => {
    const [owner, member] = [await signUp(app), await signUp(app)];
    const { id } = await found(service, owner.token);
    await enter(service, id, member, 'member');
    const token = await switchTo(service, member.token, id);
    expect((await usageOf(id, token)).body.usage).toEqual({
      people: { used: 2, quota: 4 },
      ...waysIn(0),
      ownerConfirmed: false,
    });
    await prove(service, owner);
    for (const [table, columns, values] of [
      ['service_accounts', 'name, role', `'Robot', 'member'`],
      ['domains', 'domain, challenge, joins', `$1 || '.example', repeat('x', 43), 'nobody'`],
      ['connections', 'kind, name', `'okta', 'Okta'`],
    ]) {
      await sql(
        `INSERT INTO ${table} (organization_id, id, ${columns}, created_by, created_at, updated_at)
         SELECT $1::uuid, gen_random_uuid(), ${values}, $2, now(), now()`,
        [id, owner.id],
      );
    }
    await sql(
      `INSERT INTO invitations (organization_id, id, email, role, token_hash, invited_by, created_at, expires_at)
       SELECT $1, gen_random_uuid(), days || '@example.com', 'member', $2, $3, now() - days * INTERVAL '1 day',
         now() - days * INTERVAL '1 day' + INTERVAL '2 days'
       FROM unnest(ARRAY[1, 3]) AS days`,
      [id, randomBytes(32), owner.id],
    );
    expect((await usageOf(id, token)).body.usage).toEqual({
      people: { used: 3, quota: 6 },
      ...waysIn(1),
      ownerConfirmed: true,
    });
  });

  test('is shown to nobody else', async () => {
    const [owner, stranger] = [await signUp(app), await signUp(app)];
    const id = personalOrganizationOf(owner);
    expect((await usageOf(id, stranger.token)).status).toBe(404);
    expect((await usageOf(id, 'none')).status).toBe(401);
  });
});

describe('changes of members', () => {
  test('are limited by the user who makes them, and removing a member is not among them [S-204]', async () => {
    const [owner, member] = [await signUp(app), await signUp(app)];
    const { id } = await found(service, owner.token);
    await enter(service, id, member, 'member');
    const token = await switchTo(service, owner.token, id);
    const path = `/organization/${id}/members/${member.id}`;
    const change = (n: number): Promise<Answer> =>
      ask(service, `PATCH ${path}`, { token, body: { role: n % 2 === 0 ? 'admin' : 'member' } });
    const statuses = (await many(8, change)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(
      await count(`audit_events WHERE organization_id = $1 AND action = 'member.role-changed'`, [id]),
    ).toBeLessThanOrEqual(6);
    expect((await ask(service, `DELETE ${path}`, { token })).status).toBe(204);
  });
});
