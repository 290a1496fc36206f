import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  coreGroup,
  coreUser,
  directoryCompany,
  directoryOf,
  enterpriseUser,
  patchOp,
  type DirectoryCompany,
} from './support/scim.ts';
import { startService } from './support/service.ts';

/**
 * What the provisioning services of Microsoft Entra ID and Okta send, in the order and spelling of their documentation and of what
 * others have recorded of them.
 */
const service = await startService();
const { sql } = service;
let company: DirectoryCompany;
let scim: ReturnType<typeof directoryOf>;

beforeAll(async () => {
  company = await directoryCompany(service);
  scim = directoryOf(service, company);
});

const roleOf = async (userId: string) => {
  const found = await sql('SELECT role FROM members WHERE organization_id = $1 AND user_id = $2', [
    company.id,
    userId,
  ]);
  return found[0]?.['role'];
};
const patch = (...operations: readonly object[]) => ({ schemas: [patchOp], Operations: operations });

describe('Microsoft Entra ID', () => {
  const entra = (request: string, body?: object) =>
    scim(request, body, body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' });

  test('tests the connection, provisions, changes, disables and deletes somebody [S-267]', async () => {
    const tested = await entra(`GET /Users?filter=userName eq "${randomUUID()}"`);
    expect(tested.body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1 });

    const local = `bob.${randomUUID().slice(0, 8)}`;
    const upn = `${local}@${company.domain}`;
    expect((await entra(`GET /Users?filter=userName eq "${upn}"`)).body.totalResults).toBe(0);
    const created = await entra('POST /Users', {
      schemas: [coreUser, enterpriseUser],
      externalId: local,
      userName: upn,
      active: true,
      addresses: [
        { primary: false, type: 'work', country: 'Sweden', locality: 'Uppsala', formatted: '18/2111' },
      ],
      displayName: 'Bob Smith',
      emails: [{ primary: true, type: 'work', value: upn }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Bob Smith', familyName: 'Smith', givenName: 'Bob' },
      phoneNumbers: [{ primary: null, type: 'mobile', value: '+46 70 000 00 00' }],
      preferredLanguage: 'sv-SE',
      roles: [],
      title: null,
      [enterpriseUser]: { department: 'Retail', employeeNumber: '4711', manager: randomUUID() },
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.body).toMatchObject({
      userName: upn,
      externalId: local,
      active: true,
      [enterpriseUser]: { department: 'Retail', employeeNumber: '4711' },
      schemas: [coreUser, enterpriseUser],
    });

    expect((await entra(`GET /Users/${id}`)).body).toEqual(created.body);
    expect((await entra(`GET /Users?filter=externalId eq "${local}"`)).body.Resources[0]?.id).toBe(id);

    const changed = await entra(
      `PATCH /Users/${id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `robert@${company.domain}` },
        { op: 'Replace', path: 'name.familyName', value: 'Smithers' },
        { op: 'Add', path: 'title', value: 'Buyer' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+46 18 00 00 00' },
        { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: '19/2222' },
        { op: 'Add', path: `${enterpriseUser}:department`, value: 'Wholesale' },
        { op: 'Add', path: `${enterpriseUser}:manager`, value: 'a-manager' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'buyer' },
        { op: 'Remove', path: 'preferredLanguage' },
      ),
    );
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'Buyer',
      name: { familyName: 'Smithers', givenName: 'Bob' },
      emails: [{ primary: true, type: 'work', value: `robert@${company.domain}` }],
      phoneNumbers: [
        { type: 'mobile', value: '+46 70 000 00 00' },
        { type: 'work', value: '+46 18 00 00 00' },
      ],
      addresses: [{ type: 'work', formatted: '19/2222' }],
      roles: [{ primary: true, value: 'buyer' }],
      [enterpriseUser]: { department: 'Wholesale', employeeNumber: '4711', manager: { value: 'a-manager' } },
    });
    expect(changed.body).not.toHaveProperty('preferredLanguage');

    // With the flag aadOptscim062020, and without a path: the names are paths.
    const flat = await entra(
      `PATCH /Users/${id}?aadOptscim062020`,
      patch({
        op: 'replace',
        value: { displayName: 'Rob', 'name.givenName': 'Rob', [`${enterpriseUser}:employeeNumber`]: '4712' },
      }),
    );
    expect(flat.body).toMatchObject({
      displayName: 'Rob',
      name: { givenName: 'Rob' },
      [enterpriseUser]: { employeeNumber: '4712' },
    });

    // As its validator does.
    const shuffled = await entra(
      `PATCH /Users/${id}`,
      patch(
        { op: 'add', path: 'emails[type eq "home"].value', value: 'rob@example.net' },
        { op: 'replace', path: 'emails[type eq "home"].display', value: 'Rob' },
        { op: 'add', path: 'emails[type eq "work"].primary', value: false },
        { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
      ),
    );
    expect(shuffled.body.emails).toEqual([
      { primary: false, type: 'work', value: `robert@${company.domain}` },
      { primary: true, type: 'home', value: 'rob@example.net', display: 'Rob' },
    ]);

    const renamed = await entra(
      `PATCH /Users/${id}`,
      patch({ op: 'Replace', path: 'userName', value: `robert@${company.domain}` }),
    );
    expect(renamed.body.userName).toBe(`robert@${company.domain}`);

    const disabled = await entra(
      `PATCH /Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'False' }),
    );
    expect([disabled.status, disabled.body.active]).toEqual([200, false]);
    // It reads a disabled user again, and brings them back later.
    expect((await entra(`GET /Users/${id}`)).body.active).toBe(false);
    const enabled = await entra(
      `PATCH /Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    );
    expect([enabled.body.active, await roleOf(id)]).toEqual([true, 'member']);

    await entra(`PATCH /Users/${id}`, patch({ op: 'Add', path: 'active', value: 'False' }));
    expect((await entra(`DELETE /Users/${id}`)).status).toBe(204);
    expect((await entra(`GET /Users/${id}`)).status).toBe(404);
    expect(await roleOf(id)).toBeUndefined();
  });
});

describe('Okta', () => {
  test('tests the connection, provisions, pushes a profile, deactivates and reactivates somebody [S-267]', async () => {
    const tested = await scim('GET /Users?startIndex=1&count=2');
    expect([tested.status, typeof tested.body.totalResults, tested.body.itemsPerPage <= 2]).toEqual([
      200,
      'number',
      true,
    ]);

    const userName = `test.${randomUUID().slice(0, 8)}@${company.domain}`;
    const query = `GET /Users?filter=userName eq "${userName}"&startIndex=1&count=100`;
    expect((await scim(query)).body).toMatchObject({ totalResults: 0, itemsPerPage: 0, Resources: [] });
    const profile = {
      schemas: [coreUser],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      active: true,
    };
    // It makes up a password for each account that it creates.
    const created = await scim('POST /Users', { ...profile, password: '1mz050nq' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      userName,
      active: true,
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
    });
    const { id } = created.body;
    expect((await sql('SELECT FROM credentials WHERE user_id = $1', [id])).length).toBe(0);

    expect((await scim(`GET /Users/${id}`)).body).toEqual(created.body);
    const put = await scim(`PUT /Users/${id}`, {
      ...profile,
      id,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work', display: userName }],
      meta: { resourceType: 'User' },
    });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({
      id,
      name: { givenName: 'Another', middleName: 'Excited' },
      active: true,
    });

    const off = await scim(`PATCH /Users/${id}`, patch({ op: 'replace', value: { active: false } }));
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await scim(query)).body).toMatchObject({ totalResults: 1, Resources: [{ id, active: false }] });
    const on = await scim(`PUT /Users/${id}`, { ...profile, id });
    expect([on.status, on.body.active, await roleOf(id)]).toEqual([200, true, 'member']);
    const byPut = await scim(`PUT /Users/${id}`, { ...profile, id, active: false });
    expect(byPut.body.active).toBe(false);
    expect(
      (await scim(`PATCH /Users/${id}`, patch({ op: 'replace', value: { active: true } }))).body.active,
    ).toBe(true);
    const twice = await scim('POST /Users', profile);
    expect([twice.status, twice.body.scimType]).toEqual([409, 'uniqueness']);
  });
});

/** Who is in a group. */
const membersOf = async (groupId: string) =>
  (await scim(`GET /Groups/${groupId}`)).body.members.map(({ value }) => value);
const somebody = async () => {
  const userName = `test.${randomUUID().slice(0, 8)}@${company.domain}`;
  return (await scim('POST /Users', { schemas: [coreUser], userName })).body.id;
};

describe('groups', () => {
  test('of Microsoft Entra ID are added, found, renamed, filled, emptied and deleted [S-267] [S-312]', async () => {
    const [bob, eve] = [await somebody(), await somebody()];
    const displayName = `Sales ${randomUUID().slice(0, 8)}`;
    const query = `GET /Groups?excludedAttributes=members&filter=displayName eq "${displayName}"`;
    expect((await scim(query)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await scim('POST /Groups', {
      schemas: [coreGroup, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName,
      meta: { resourceType: 'Group' },
    });
    expect([created.status, created.body.externalId]).toEqual([201, '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159']);
    const { id } = created.body;
    expect((await scim(query)).body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName }] });
    expect((await scim(`GET /Groups/${id}?excludedAttributes=members`)).body.id).toBe(id);
    const change = async (...operations: readonly object[]) =>
      (await scim(`PATCH /Groups/${id}`, patch(...operations))).status;
    expect(await change({ op: 'Replace', path: 'displayName', value: `${displayName} EMEA` })).toBe(204);
    const both = [bob, eve].map((value) => ({ $ref: null, value }));
    expect(await change({ op: 'Add', path: 'members', value: both })).toBe(204);
    expect(await membersOf(id)).toEqual([bob, eve].toSorted());
    expect(await change({ op: 'Remove', path: 'members', value: [{ $ref: null, value: eve }] })).toBe(204);
    // With the flag aadOptscim062020.
    expect(await change({ op: 'remove', path: `members[value eq "${bob}"]` })).toBe(204);
    expect(await membersOf(id)).toEqual([]);
    expect((await scim(`DELETE /Groups/${id}`)).status).toBe(204);
  });

  test('of Okta are pushed, changed by PATCH and by PUT, and deleted [S-267] [S-312]', async () => {
    const [bob, eve] = [await somebody(), await somebody()];
    expect((await scim('GET /Groups?startIndex=1&count=100')).status).toBe(200);
    const displayName = `Test SCIMv2 ${randomUUID().slice(0, 8)}`;
    const created = await scim('POST /Groups', { schemas: [coreGroup], displayName, members: [] });
    expect(created.status).toBe(201);
    const { id } = created.body;
    const change = async (...operations: readonly object[]) =>
      (await scim(`PATCH /Groups/${id}`, patch(...operations))).status;
    expect(await change({ op: 'replace', value: { id, displayName: `${displayName}0` } })).toBe(204);
    expect((await scim(`GET /Groups/${id}`)).body.displayName).toBe(`${displayName}0`);
    expect(
      await change({ op: 'replace', path: 'members', value: [{ value: bob, display: 'bob@okta.local' }] }),
    ).toBe(204);
    expect(
      await change(
        { op: 'remove', path: `members[value eq "${bob}"]` },
        { op: 'add', path: 'members', value: [{ value: eve, display: 'eve@okta.local' }] },
      ),
    ).toBe(204);
    expect(await membersOf(id)).toEqual([eve]);
    const put = await scim(`PUT /Groups/${id}`, {
      schemas: [coreGroup],
      id,
      displayName,
      members: [
        { value: bob, display: 'bob@okta.local' },
        { value: eve, display: 'eve@okta.local' },
      ],
    });
    expect([put.status, put.body.displayName]).toEqual([200, displayName]);
    expect(await membersOf(id)).toEqual([bob, eve].toSorted());
    expect((await scim(`DELETE /Groups/${id}`)).status).toBe(204);
  });
});
