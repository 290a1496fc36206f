import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectionsOf } from './support/connections.ts';
import {
  directoryCompany,
  directoryOf,
  groupsOf,
  inDirectory,
  manyInDirectory,
  newScimToken,
  patchOp,
  type DirectoryCompany,
} from './support/scim.ts';
import { startService } from './support/service.ts';

let limitsNow = 0;
const peopleMax = 250;
const service = await startService({
  settings: {
    MAX_PEOPLE_PER_ORGANIZATION: String(peopleMax),
    MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED: String(peopleMax),
  },
  limitsNow: () => limitsNow,
});
const { sql } = service;
let company: DirectoryCompany;
let scim: ReturnType<typeof directoryOf>;
let groups: ReturnType<typeof groupsOf>;

beforeEach(async () => {
  limitsNow += 60_000;
  company = await directoryCompany(service);
  scim = directoryOf(service, company);
  groups = groupsOf(service, company);
});

const values = (...ids: readonly string[]) => ids.map((value) => ({ value }));
const patch = (...operations: readonly unknown[]) => ({ schemas: [patchOp], Operations: operations });
const add = (...ids: readonly string[]) => patch({ op: 'add', path: 'members', value: values(...ids) });
const drop = (id: string) => patch({ op: 'remove', path: `members[value eq "${id}"]` });
const newGroup = async (directory: typeof scim, ...ids: readonly string[]): Promise<string> => {
  const displayName = `Admins ${randomUUID()}`;
  const { status, body } = await directory('POST /Groups', { displayName, members: values(...ids) });
  expect(status).toBe(201);
  return body.id;
};
const roleOf = async (userId: string) => {
  const where = 'WHERE organization_id = $1 AND user_id = $2';
  return (await sql(`SELECT role FROM members ${where}`, [company.id, userId]))[0]?.['role'];
};
const admins = async () => {
  const where = `WHERE organization_id = $1 AND role = 'admin' AND user_id <> $2`;
  return (await sql(`SELECT FROM members ${where}`, [company.id, company.admin.id])).length;
};

describe('whoever has the token of a directory', () => {
  test('makes no more admins than its owner can take back at once [S-313]', async () => {
    const [first, ...others] = await manyInDirectory(service, company, 201);
    const id = await newGroup(scim);
    await groups.change(id, 'admin');
    expect((await scim(`PATCH /Groups/${id}`, add(...others))).status).toBe(204);
    const refused = await scim(`PATCH /Groups/${id}`, add(first as string));
    expect([refused.status, refused.body.scimType]).toEqual([409, 'mutability']);
    expect(await admins()).toBe(200);
    expect((await groups.change(id, null)).status).toBe(200);
    expect(await admins()).toBe(0);
    await scim(`PATCH /Groups/${id}`, add(first as string));
    await sql(`UPDATE members SET role = 'admin' WHERE organization_id = $1 AND user_id = ANY ($2)`, [
      company.id,
      others.slice(0, 100),
    ]);
    const tooMany = await groups.change(id, 'admin');
    expect([tooMany.status, tooMany.body.reason]).toEqual([409, 'TOO_MANY_ROLES']);
  });

  test('writes no request that is many: names without a path are operations too [S-264]', async () => {
    const id = await newGroup(scim);
    const letters = (number: number) =>
      Array.from('members', (one, place) => ((number >> place) & 1 ? one.toUpperCase() : one)).join('');
    const value = Object.fromEntries(Array.from({ length: 101 }, (_, number) => [letters(number), []]));
    const refused = await scim(`PATCH /Groups/${id}`, patch({ op: 'add', value }));
    expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidSyntax']);
  });

  test('is refused nothing that was done [S-313]', async () => {
    const ids = await manyInDirectory(service, company, 30);
    const id = await newGroup(scim);
    await groups.change(id, 'admin');
    const answers = await Promise.all(ids.map((one) => scim(`PATCH /Groups/${id}`, add(one))));
    const done = ids.filter((_, place) => answers[place]?.status === 204);
    expect(done.length).toBeGreaterThan(0);
    const { members } = (await scim(`GET /Groups/${id}`)).body;
    expect(members.map(({ value }) => value).toSorted()).toEqual(done.toSorted());
    expect(await admins()).toBe(done.length);
  });

  test('fills twenty groups for each person whom the organization may have [S-315]', async () => {
    const [first, ...others] = await manyInDirectory(service, company, peopleMax + 1);
    await sql(
      `WITH made AS (
         INSERT INTO directory_groups (organization_id, connection_id, id, display_name, name_key, created_at, updated_at)
         SELECT $1, $2, id, id, id, now(), now() FROM (SELECT uuidv7() AS id FROM generate_series(1, 20)) AS ids
         RETURNING id)
       INSERT INTO directory_group_members (organization_id, connection_id, group_id, user_id)
       SELECT $1, $2, made.id, person.id FROM made, unnest($3::uuid[]) AS person (id)`,
      [company.id, company.connection.id, others],
    );
    const refused = await scim('POST /Groups', { displayName: 'One', members: values(first as string) });
    expect([refused.status, refused.body.status]).toEqual([409, '409']);
    const id = await newGroup(scim);
    expect((await scim(`PATCH /Groups/${id}`, add(first as string))).status).toBe(409);
    expect((await scim(`PATCH /Groups/${id}`, add())).status).toBe(204);
  });
});

describe('the role of a group', () => {
  test('ends with the connection of its directory [S-311]', async () => {
    const [ada, bob] = await manyInDirectory(service, company, 2);
    const id = await newGroup(scim, ada as string);
    await groups.change(id, 'admin');
    await sql(`UPDATE members SET role = 'admin' WHERE user_id = $1`, [bob]);
    const before = await sql('SELECT FROM revocations WHERE sub = $1', [ada]);
    expect((await connectionsOf(service, company).remove(company.connection.id)).status).toBe(204);
    expect([await roleOf(ada as string), await roleOf(bob as string)]).toEqual(['member', 'admin']);
    expect((await sql('SELECT FROM revocations WHERE sub = $1', [ada])).length).toBeGreaterThanOrEqual(
      before.length,
    );
    const [entry] = await sql(
      `SELECT actor_kind, details FROM audit_events
       WHERE organization_id = $1 AND action = 'member.role-changed' AND target_id = $2 ORDER BY created_at DESC, id DESC`,
      [company.id, ada],
    );
    expect(entry).toEqual({ actor_kind: 'user', details: { from: 'admin', to: 'member' } });
  });

  test('ends not by so many that a connection cannot be deleted [S-313]', async () => {
    const ids = await manyInDirectory(service, company, 201);
    const halves = [ids.slice(100), ids.slice(0, 100)];
    const made = [];
    for (const half of halves) {
      const id = await newGroup(scim, ...half);
      expect((await groups.change(id, 'admin')).status).toBe(200);
      made.push(id);
    }
    const refused = await connectionsOf(service, company).remove(company.connection.id);
    expect([refused.status, refused.body]).toMatchObject([409, { reason: 'TOO_MANY_ROLES' }]);
    expect(await admins()).toBe(201);
    await groups.change(made[0] as string, null);
    expect((await connectionsOf(service, company).remove(company.connection.id)).status).toBe(204);
    expect(await admins()).toBe(0);
  });

  test('is the highest of those of all directories of an organization [S-311]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    const ada = body.id;
    const connection = await connectionsOf(service, company).create('okta');
    const scimToken = await newScimToken(service, company, connection.id);
    const other = { ...company, connection, scimToken };
    const theirs = directoryOf(service, other);
    expect(
      (await theirs('POST /Users', inDirectory(company, { userName: body.userName, emails: [] }))).status,
    ).toBe(201);
    const [high, low] = [await newGroup(scim, ada), await newGroup(theirs)];
    await groups.change(high, 'admin');
    await groupsOf(service, other).change(low, 'member');
    await theirs(`PATCH /Groups/${low}`, add(ada));
    expect(await roleOf(ada)).toBe('admin');
    await groupsOf(service, other).change(low, 'admin');
    await scim(`PATCH /Groups/${high}`, drop(ada));
    expect(await roleOf(ada)).toBe('admin');
    await theirs(`DELETE /Groups/${low}`);
    expect(await roleOf(ada)).toBe('member');
  });

  test('with which somebody comes in is in the trail [S-311]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company, { active: false }));
    const id = await newGroup(scim, body.id);
    await groups.change(id, 'admin');
    expect(await roleOf(body.id)).toBeUndefined();
    const patched = await scim(
      `PATCH /Users/${body.id}`,
      patch({ op: 'replace', path: 'active', value: true }),
    );
    expect([patched.status, await roleOf(body.id)]).toEqual([200, 'admin']);
    const [entry] = await sql(
      `SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'member.added' AND target_id = $2`,
      [company.id, body.id],
    );
    expect(entry?.['details']).toEqual({ connection: company.connection.id, role: 'admin' });
  });
});

describe('at the same time', () => {
  test('groups end, people come and roles change, and the roles are those of the groups [S-311]', async () => {
    const people = await manyInDirectory(service, company, 6);
    const [ada, bob, eve] = people as [string, string, string];
    const [kept, ended] = [await newGroup(scim, ada, bob), await newGroup(scim, eve)];
    await groups.change(ended, 'admin');
    const answers = await Promise.all([
      scim(`PATCH /Groups/${kept}`, drop(ada)),
      groups.change(kept, 'admin'),
      scim(`PATCH /Groups/${kept}`, add(eve)),
      scim(`DELETE /Groups/${ended}`),
      scim(`PATCH /Groups/${ended}`, add(ada)),
      scim(`PUT /Groups/${ended}`, { displayName: 'Ended', members: values(bob, eve) }),
      scim(`DELETE /Users/${bob}`),
    ]);
    // 400 names somebody who is gone by then.
    for (const { status } of answers) expect([200, 204, 400, 404, 429]).toContain(status);
    const said = await sql(
      `SELECT m.user_id, m.role, coalesce((
         SELECT min(g.role) FROM directory_group_members i JOIN directory_groups g ON g.id = i.group_id
         WHERE i.user_id = m.user_id), 'member') AS given
       FROM members m WHERE m.organization_id = $1 AND m.user_id = ANY ($2)`,
      [company.id, people],
    );
    for (const { role, given } of said) expect(role).toBe(given);
  });
});
