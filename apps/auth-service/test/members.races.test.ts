import { describe, expect, test } from 'vitest';
import { claimsOf, newEmail, password, refresh, send, signUp, type SignedUp } from './support/client.ts';
import {
  ask,
  enter,
  found,
  foundCompany,
  mailedInvitation,
  personalOrganizationOf,
  rolesIn,
} from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql } = service;

const demote = (organizationId: string, actor: SignedUp, target: SignedUp) =>
  ask(service, `PATCH /organization/${organizationId}/members/${target.id}`, {
    token: actor.token,
    body: { role: 'member' },
  });
const remove = (organizationId: string, actor: SignedUp, target: SignedUp) =>
  ask(service, `DELETE /organization/${organizationId}/members/${target.id}`, { token: actor.token });
const leave = (organizationId: string, actor: SignedUp) =>
  ask(service, `POST /organization/${organizationId}/leave`, { token: actor.token });
const erase = (actor: SignedUp) => ask(service, 'DELETE /user', { token: actor.token, body: { password } });

/** An organization that ten people own. */
async function ownedByTen() {
  const owners = await Promise.all(Array.from({ length: 10 }, (_, n) => signUp(app, `Owner ${n}`)));
  const { id } = await found(service, owners[0]!.token);
  for (const owner of owners.slice(1)) await enter(service, id, owner, 'owner');
  return { id, owners };
}
const ownersIn = async (id: string) =>
  Object.values(await rolesIn(service, id)).filter((role) => role === 'owner').length;

describe('an organization keeps an owner who can act', () => {
  const disableIn = (organizationId: string, actor: SignedUp, target: SignedUp) =>
    ask(service, `POST /organization/${organizationId}/members/${target.id}/disable`, { token: actor.token });

  /** Two owners, one of whom is disabled, and a plain member. */
  async function ownedByOneActive() {
    const [owner, disabled, member] = await Promise.all(
      ['Olga', 'Dora', 'Mia'].map((name) => signUp(app, name)),
    );
    const { id } = await found(service, owner!.token);
    await enter(service, id, disabled!, 'owner');
    await enter(service, id, member!, 'member');
    // An organization disables accounts that belong to it alone.
    await sql('DELETE FROM members WHERE user_id = $1 AND organization_id <> $2', [disabled!.id, id]);
    expect((await disableIn(id, owner!, disabled!)).status).toBe(200);
    return { id, owner: owner!, disabled: disabled!, member: member! };
  }

  test.each([
    ['demotion', ({ id, owner }) => demote(id, owner, owner)],
    ['removal', ({ id, owner }) => remove(id, owner, owner)],
    ['departure', ({ id, owner }) => leave(id, owner)],
    ['erasure', ({ owner }) => erase(owner)],
  ] as readonly (readonly [
    string,
    (owned: Awaited<ReturnType<typeof ownedByOneActive>>) => ReturnType<typeof leave>,
  ])[])('against a %s: owners who are disabled do not count [S-114]', async (_, end) => {
    const owned = await ownedByOneActive();
    const { status, body } = await end(owned);
    expect([status, body.code]).toEqual([409, 'LAST_OWNER']);
    expect(await rolesIn(service, owned.id)).toMatchObject({ Olga: 'owner' });
  });

  test('and loses a disabled one without ado', async () => {
    const { id, owner, disabled } = await ownedByOneActive();
    expect((await demote(id, owner, disabled)).status).toBe(200);
    expect((await leave(id, owner)).body.code).toBe('LAST_OWNER');
  });

  test('also where a disabled member was made owner on the way out', async () => {
    const { id, owner, disabled, member } = await ownedByOneActive();
    await demote(id, owner, disabled);
    const promoted = await ask(service, `PATCH /organization/${id}/members/${disabled.id}`, {
      token: owner.token,
      body: { role: 'owner' },
    });
    expect(promoted.status).toBe(200);
    expect((await leave(id, owner)).body.code).toBe('LAST_OWNER');
    await ask(service, `PATCH /organization/${id}/members/${member.id}`, {
      token: owner.token,
      body: { role: 'owner' },
    });
    expect((await leave(id, owner)).status).toBe(204);
  });

  test('while owners disable one another and leave concurrently [S-114]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, owners } = await ownedByTen();
      await sql('DELETE FROM members WHERE organization_id <> $1 AND user_id = ANY($2)', [
        id,
        owners.map((owner) => owner.id),
      ]);
      await Promise.all(
        owners.map((owner, n) =>
          n % 2 ? leave(id, owner) : disableIn(id, owner, owners[(n + 1) % owners.length]!),
        ),
      );
      const [left] = await sql(
        `SELECT count(*)::int AS n FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.organization_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL`,
        [id],
      );
      expect(left?.['n']).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('an organization keeps an owner under ten parallel', () => {
  test('demotions of oneself', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(owners.map((owner) => demote(id, owner, owner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(answers.find(({ status }) => status !== 200)?.body.code).toBe('LAST_OWNER');
    expect(await ownersIn(id)).toBe(1);
  });

  test('demotions of one another, in a circle', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(owners.map((owner, n) => demote(id, owner, owners[(n + 1) % 10]!)));
    for (const { status } of answers) expect([200, 403]).toContain(status);
    expect(await ownersIn(id)).toBeGreaterThanOrEqual(1);
  });

  test('departures', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(owners.map((owner) => leave(id, owner)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(9);
    expect(answers.find(({ status }) => status !== 204)?.body.code).toBe('LAST_OWNER');
    expect(Object.values(await rolesIn(service, id))).toEqual(['owner']);
  });

  test('removals of one another', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(owners.map((owner, n) => remove(id, owner, owners[(n + 1) % 10]!)));
    for (const { status } of answers) expect([204, 404]).toContain(status);
    expect(await ownersIn(id)).toBeGreaterThanOrEqual(1);
  });

  test('erasures, while anybody else is there', async () => {
    const { id, owners } = await ownedByTen();
    await enter(service, id, await signUp(app, 'Mia Member'), 'member');
    const answers = await Promise.all(owners.map(erase));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(9);
    expect(answers.find(({ status }) => status !== 204)?.body.code).toBe('LAST_OWNER');
    expect(await ownersIn(id)).toBe(1);
  });

  test('erasures, and ends with the last of them', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(owners.map(erase));
    expect(answers.map(({ status }) => status)).toEqual(owners.map(() => 204));
    expect(await sql('SELECT FROM organizations WHERE id = $1', [id])).toEqual([]);
  });

  test('concurrent erasures, departures and demotions [S-114]', async () => {
    const { id, owners } = await ownedByTen();
    const answers = await Promise.all(
      owners.map((owner, n) =>
        [erase, () => leave(id, owner), () => demote(id, owner, owner)][n % 3]!(owner),
      ),
    );
    for (const { status, body } of answers) {
      if (status >= 300) expect({ status, code: body.code }).toEqual({ status: 409, code: 'LAST_OWNER' });
    }
    expect(await ownersIn(id)).toBe(1);
  });
});

test('a user who concurrently loses the last two memberships gets one personal organization', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [here, away] = [await foundCompany(service), await foundCompany(service)];
    const guest = await signUp(app, 'Gus');
    await enter(service, here.id, guest, 'member');
    await enter(service, away.id, guest, 'member');
    await sql('DELETE FROM organizations WHERE id = $1', [personalOrganizationOf(guest)]);

    const answers = await Promise.all([remove(here.id, here.owner, guest), leave(away.id, guest)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const left = await sql('SELECT role FROM members WHERE user_id = $1', [guest.id]);
    expect(left).toEqual([{ role: 'owner' }]);
    const { organizationId } = claimsOf((await refresh(app, guest.refreshToken)).body.session.token);
    expect(organizationId).not.toBeNull();
  }
});

test('concurrently deleting two organizations with the same members neither deadlocks nor loses a user', async () => {
  const company = await foundCompany(service);
  const { owner, admin, member } = company;
  const { id: other } = await found(service, owner.token);
  await enter(service, other, member, 'member');
  await enter(service, other, admin, 'admin');
  const answers = await Promise.all(
    [company.id, other].map((id) => ask(service, `DELETE /organization/${id}`, { token: owner.token })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const user of [owner, admin, member]) {
    const listed = await send(app, 'GET /organization/list', { token: user.token });
    expect(listed.body.organizations.map(({ id }) => id)).toEqual([personalOrganizationOf(user)]);
  }
});

test('concurrent joining, inviting, deleting and erasing each get a response, and leave no partial membership', async () => {
  for (let round = 0; round < 5; round += 1) {
    const company = await foundCompany(service);
    const guest = await signUp(app);
    const path = `/organization/${company.id}`;
    const invite = (email: string) =>
      ask(service, `POST ${path}/invitations`, {
        token: company.admin.token,
        body: { email, role: 'member' },
      });
    await invite(guest.email);
    const token = await mailedInvitation(service, guest.email);
    const answers = await Promise.all([
      ask(service, 'POST /invitations/accept', { token: guest.token, body: { token } }),
      invite(newEmail()),
      invite(guest.email),
      ask(service, `DELETE ${path}`, { token: company.owner.token }),
      leave(company.id, company.member),
      erase(guest),
    ]);
    for (const { status, body } of answers) {
      expect({ status, body, expected: status < 500 }).toMatchObject({ expected: true });
    }
    const orphans = await sql(`SELECT FROM members WHERE organization_id = $1 OR user_id = $2`, [
      company.id,
      guest.id,
    ]);
    expect(orphans).toEqual([]);
  }
});
