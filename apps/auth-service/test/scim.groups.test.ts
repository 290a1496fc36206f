import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from './support/organizations.ts';
import { password, signUp } from './support/client.ts';
import { enter, prove, switchTo } from './support/organizations.ts';
import {
  coreGroup,
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
const service = await startService({ limitsNow: () => limitsNow });
const { sql, app } = service;
let company: DirectoryCompany;
let scim: ReturnType<typeof directoryOf>;
let groups: ReturnType<typeof groupsOf>;

beforeAll(async () => {
  company = await directoryCompany(service);
  scim = directoryOf(service, company);
  groups = groupsOf(service, company);
});

const roleOf = async (userId: string) => {
  const where = 'WHERE organization_id = $1 AND user_id = $2';
  return (await sql(`SELECT role FROM members ${where}`, [company.id, userId]))[0]?.['role'];
};
const patch = (...operations: readonly unknown[]) => ({ schemas: [patchOp], Operations: operations });
const values = (...ids: readonly string[]) => ids.map((value) => ({ value }));
const person = async () => (await scim('POST /Users', inDirectory(company))).body.id;
const newGroup = async (...ids: readonly string[]) => {
  const displayName = `Sales ${randomUUID().slice(0, 8)}`;
  const { status, body } = await scim('POST /Groups', {
    schemas: [coreGroup],
    displayName,
    members: values(...ids),
  });
  expect(status).toBe(201);
  return body;
};
const membersOf = async (id: string) =>
  (await scim(`GET /Groups/${id}`)).body.members.map(({ value }) => value);
const add = (id: string, ...ids: readonly string[]) =>
  scim(`PATCH /Groups/${id}`, patch({ op: 'Add', path: 'members', value: values(...ids) }));
const drop = (id: string, userId: string) =>
  scim(`PATCH /Groups/${id}`, patch({ op: 'Remove', path: `members[value eq "${userId}"]` }));

describe('a group', () => {
  test('is added, read, found, changed and removed [S-312]', async () => {
    const [ada, bob] = [await person(), await person()];
    const created = await newGroup(ada);
    expect(created).toMatchObject({ schemas: [coreGroup], members: [{ value: ada, type: 'User' }] });
    const { id, displayName } = created;
    expect(created.meta).toMatchObject({
      resourceType: 'Group',
      location: expect.stringMatching(`/Groups/${id}$`) as string,
    });
    const found = await scim(`GET /Groups?filter=displayName eq "${displayName.toUpperCase()}"`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, members: [{ value: ada }] }] });
    const bare = await scim(`GET /Groups/${id}?excludedAttributes=members`);
    expect(bare.body).not.toHaveProperty('members');
    const listed = await scim('GET /Groups?count=200');
    expect(listed.body.Resources.find((one) => one.id === id)).not.toHaveProperty('members');
    expect((await add(id, bob)).status).toBe(204);
    expect((await membersOf(id)).toSorted()).toEqual([ada, bob].toSorted());
    const renamed = await scim(`PUT /Groups/${id}`, {
      schemas: [coreGroup],
      displayName: 'Buyers',
      members: values(bob),
    });
    expect([
      renamed.status,
      renamed.body.displayName,
      renamed.body.members.map(({ value }) => value),
    ]).toEqual([200, 'Buyers', [bob]]);
    expect((await scim(`DELETE /Groups/${id}`)).status).toBe(204);
    expect((await scim(`GET /Groups/${id}`)).status).toBe(404);
    const entries = await sql(
      `SELECT action, actor_kind, target_name FROM audit_events WHERE organization_id = $1 AND target_id = $2 ORDER BY created_at, id`,
      [company.id, id],
    );
    expect(entries.map((one) => [one['action'], one['actor_kind']])).toEqual([
      ['directory.group-added', 'directory'],
      ['directory.group-changed', 'directory'],
      ['directory.group-changed', 'directory'],
      ['directory.group-removed', 'directory'],
    ]);
  });

  test('has people of its own directory alone, and is known in it alone [S-312]', async () => {
    const other = await directoryCompany(service);
    const theirs = directoryOf(service, other);
    const stranger = (await theirs('POST /Users', inDirectory(other))).body.id;
    const ada = await person();
    const { id } = await newGroup(ada);
    for (const foreign of [stranger, company.member.id, randomUUID(), id]) {
      const refused = await add(id, ada, foreign);
      expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue']);
    }
    expect(await membersOf(id)).toEqual([ada]);
    for (const request of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = { PUT: { displayName: 'Mine' }, PATCH: patch({ op: 'remove', path: 'members' }) }[request];
      expect((await theirs(`${request} /Groups/${id}`, body)).status).toBe(404);
    }
    expect((await theirs('GET /Groups')).body.totalResults).toBe(0);
    expect((await groupsOf(service, other).change(id, 'admin')).status).toBe(404);
    await scim(`DELETE /Users/${ada}`);
    expect(await membersOf(id)).toEqual([]);
  });

  test('is done as a whole or refused: nothing answers 2xx undone [S-264] [S-312]', async () => {
    const ada = await person();
    const { id, displayName } = await newGroup(ada);
    const refused: readonly (readonly [object, string])[] = [
      [{ op: 'replace', path: 'owners', value: 'x' }, 'invalidValue'],
      [{ op: 'remove', path: 'displayName' }, 'invalidPath'],
      [{ op: 'add', path: `members[value eq "${ada}"]`, value: [] }, 'invalidPath'],
      [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath'],
      [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: ' ' }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'Admins\u200b' }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: '\u202esnimdA' }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'Admins\nSales' }, 'invalidValue'],
      [{ op: 'replace', path: '__proto__', value: { polluted: true } }, 'invalidValue'],
      [{ op: 'replace', path: 'id', value: randomUUID() }, 'invalidValue'],
      [{ op: 'replace', value: { members: [{ value: 'nobody' }] } }, 'invalidValue'],
      [{ op: 'move', path: 'members' }, 'invalidSyntax'],
    ];
    for (const [operation, scimType] of refused) {
      const emptied = { op: 'remove', path: 'members' };
      const answer = await scim(`PATCH /Groups/${id}`, patch(emptied, operation));
      expect([operation, answer.status, answer.body.scimType]).toEqual([operation, 400, scimType]);
    }
    expect({}).not.toHaveProperty('polluted');
    expect(await membersOf(id)).toEqual([ada]);
    const taken = await scim('POST /Groups', { displayName: displayName.toUpperCase() });
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    for (const filter of ['members eq "x"', 'displayName co "x"', 'displayName eq x']) {
      const answer = await scim(`GET /Groups?filter=${filter}`);
      expect([filter, answer.status, answer.body.scimType]).toEqual([filter, 400, 'invalidFilter']);
    }
  });
});

describe('the role of a group', () => {
  test('is what its people are, until they leave it or it ends [S-311]', async () => {
    const [ada, bob] = [await person(), await person()];
    const { id } = await newGroup(ada);
    expect((await groups.change(id, 'admin')).body.group).toMatchObject({ id, role: 'admin', people: 1 });
    expect(await roleOf(ada)).toBe('admin');
    await add(id, bob);
    expect(await roleOf(bob)).toBe('admin');
    await drop(id, ada);
    expect(await roleOf(ada)).toBe('member');
    await scim(`DELETE /Groups/${id}`);
    expect(await roleOf(bob)).toBe('member');
    const entries = await sql(
      `SELECT actor_kind, details FROM audit_events WHERE organization_id = $1 AND action = 'member.role-changed' AND target_id = $2
       ORDER BY created_at, id`,
      [company.id, ada],
    );
    expect(entries).toEqual([
      { actor_kind: 'user', details: { from: 'member', to: 'admin' } },
      { actor_kind: 'directory', details: { from: 'admin', to: 'member' } },
    ]);
  });

  test('is the highest of several, and nothing where no group says one [S-311]', async () => {
    const [ada, byHand] = [await person(), await person()];
    await sql(`UPDATE members SET role = 'admin' WHERE user_id = $1`, [byHand]);
    const [low, high] = [await newGroup(ada), await newGroup(ada)];
    await groups.change(low.id, 'member');
    await groups.change(high.id, 'admin');
    expect(await roleOf(ada)).toBe('admin');
    await groups.change(high.id, null);
    expect(await roleOf(ada)).toBe('member');
    const plain = await newGroup(byHand);
    await drop(plain.id, byHand);
    expect(await roleOf(byHand)).toBe('admin');
    await add(low.id, byHand);
    expect(await roleOf(byHand)).toBe('member');
  });

  test('is that with which somebody comes back [S-311]', async () => {
    const user = await signUp(app, 'Grace Hopper');
    const email = `grace.${randomUUID().slice(0, 8)}@${company.domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
    await prove(service, user);
    await scim('POST /Users', inDirectory(company, { userName: email, emails: [] }));
    const { id } = await newGroup(user.id);
    await groups.change(id, 'admin');
    const active = (value: boolean) =>
      scim(`PATCH /Users/${user.id}`, patch({ op: 'replace', path: 'active', value }));
    await active(false);
    expect(await roleOf(user.id)).toBeUndefined();
    await active(true);
    expect(await roleOf(user.id)).toBe('admin');
  });

  test('makes no owner, and concerns none [S-311]', async () => {
    const grace = await signUp(app, 'Grace Hopper');
    const email = `grace.${randomUUID().slice(0, 8)}@${company.domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [grace.id, email]);
    await prove(service, grace);
    await enter(service, company.id, grace, 'owner');
    await scim('POST /Users', inDirectory(company, { userName: email, emails: [] }));
    const { id } = await newGroup(grace.id);
    const path = `/organization/${company.id}/connections/${company.connection.id}/groups/${id}`;
    const owner = await ask(service, `PATCH ${path}`, {
      token: company.token,
      body: { role: 'owner', password },
    });
    expect(owner.status).toBe(400);
    for (const role of ['member', 'admin', null] as const) {
      expect((await groups.change(id, role)).status).toBe(200);
      expect(await roleOf(grace.id)).toBe('owner');
    }
  });

  test('is given by owners alone, in sessions of their own [S-311]', async () => {
    const { id } = await newGroup();
    for (const user of [company.admin, company.member]) {
      const token = await switchTo(service, user.token, company.id);
      const others = groupsOf(service, { ...company, token });
      expect([(await others.list()).status, (await others.change(id, 'admin')).status]).toEqual([403, 403]);
    }
    const [listed] = (await groups.list()).body.groups.filter((one) => one.id === id);
    expect(listed).toMatchObject({ role: null, people: 0 });
  });

  test('revokes the tokens with the former one [S-311]', async () => {
    const ada = await person();
    const { id } = await newGroup();
    await groups.change(id, 'admin');
    await add(id, ada);
    const found = await sql(`SELECT kind FROM revocations WHERE organization = $1 AND sub = $2`, [
      company.id,
      ada,
    ]);
    expect(found).not.toEqual([]);
  });

  test('changes for 200 people at once at most, each of whom counts as a request [S-313]', async () => {
    const own = await directoryCompany(service);
    const directory = directoryOf(service, own);
    const ids = await manyInDirectory(service, own, 201);
    const { body } = await directory('POST /Groups', { displayName: 'Everybody', members: values(...ids) });
    const theirs = groupsOf(service, own);
    const tooMany = await theirs.change(body.id, 'admin');
    expect([tooMany.status, tooMany.body.reason]).toEqual([409, 'TOO_MANY_ROLES']);
    await directory(`PUT /Groups/${body.id}`, { displayName: 'Everybody' });
    expect((await theirs.change(body.id, 'admin')).status).toBe(200);
    const all = (members: readonly string[]) =>
      directory(`PUT /Groups/${body.id}`, { displayName: 'Everybody', members: values(...members) });
    const refused = await all(ids);
    expect([refused.status, refused.body.scimType]).toEqual([409, 'mutability']);
    const admins = () =>
      sql(`SELECT FROM members WHERE organization_id = $1 AND role = 'admin' AND user_id = ANY ($2)`, [
        own.id,
        ids,
      ]);
    expect(await admins()).toHaveLength(0);
    limitsNow += 60_000;
    const answers = [];
    for (const members of [ids.slice(1), [], ids.slice(1), []]) answers.push((await all(members)).status);
    expect(answers).toEqual([200, 200, 200, 429]);
    const other = { ...own, scimToken: await newScimToken(service, own, own.connection.id) };
    expect((await directoryOf(service, other)('GET /Groups')).status).toBe(200);
  });
});

test('owners read what came of groups', async () => {
  const own = await directoryCompany(service);
  const directory = directoryOf(service, own);
  const { body } = await directory('POST /Groups', { displayName: 'Sales' });
  await directory(`PATCH /Groups/${body.id}`, patch({ op: 'replace', path: 'displayName', value: 'Buyers' }));
  await directory(`DELETE /Groups/${body.id}`);
  const path = `/organization/${own.id}/connections/${own.connection.id}/arrivals`;
  const read = await ask<{ arrivals: { code: string; address: string }[] }>(service, `GET ${path}`, {
    token: own.token,
  });
  expect(read.body.arrivals.toReversed().map(({ code, address }) => [code, address])).toEqual([
    ['GROUP_CREATED', 'Sales'],
    ['GROUP_CHANGED', 'Buyers'],
    ['GROUP_REMOVED', 'Buyers'],
  ]);
});
