import { randomUUID } from 'node:crypto';
import { canary } from '@tenantry/test-kit';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { departureFromDocument } from './matrix/description.ts';
import { readOperations, type Operation } from './matrix/operations.ts';
import { Api, bearer, newEmail, type Person, type Tenant } from './matrix/people.ts';
import { servicesAt } from './matrix/services.ts';
import { send } from './matrix/wire.ts';
import { eventually } from '../test/support/tenantry.ts';

// The users API as it is published, through the gateway; each answer is what its OpenAPI document says.

interface Body {
  readonly data: unknown;
  readonly error: { readonly code: string; readonly details: readonly { readonly field: string }[] } | null;
  readonly meta: object;
}
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
}
interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly createdAt: string;
}

const services = servicesAt(inject('whereabouts'));
let api: Api;
let operations: readonly Operation[];
let tenant: Tenant;
beforeAll(async () => {
  api = await Api.of(services);
  operations = (await readOperations(services)).filter(({ service }) => service === 'users-service');
  tenant = await api.newTenant();
});

/** Sends a request through the gateway. */
async function ask(
  name: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /api/users${string}`,
  by: Person | undefined,
  { body, headers = {} }: { body?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  const answer = await send(services.urlOf('gateway'), {
    method,
    path,
    headers: { ...(body && { 'content-type': 'application/json' }), ...(by && bearer(by)), ...headers },
    body: body && JSON.stringify(body),
  });
  const described = path.startsWith('/api/users/') ? '/api/users/{id}' : '/api/users';
  const operation = operations.find((known) => known.method === method && known.path === described);
  if (!operation) throw new Error(`${method} ${described} is not documented`);
  expect(departureFromDocument(operation, answer)).toBeUndefined();
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text || 'null') as Body };
}

const refusal = ({ status, body }: Answer) => ({
  status,
  code: body.error?.code,
  fields: body.error?.details.map(({ field }) => field),
});
const invalid = (...fields: string[]) => ({ status: 400, code: 'VALIDATION_ERROR', fields });
const requestMeta = {
  timestamp: expect.stringMatching(/Z$/) as string,
  requestId: expect.any(String) as string,
};
const newUser = (changes: object = {}) => ({
  email: newEmail(),
  password: `${canary}-${randomUUID()}`,
  firstName: 'Grace',
  lastName: 'Hopper',
  ...changes,
});

/** Creates a user; the admin of the tenant does. */
async function create(changes: object = {}, by: Person = tenant.admin) {
  const body = newUser(changes);
  const { status, body: answer } = await ask('POST /api/users', by, { body });
  if (status !== 201) throw new Error(`not created: ${JSON.stringify(answer)}`);
  return { ...body, ...(answer.data as { id: string; email: string }) };
}
/** Somebody who joined with an account of their own, once the directory shows them. */
async function joinListed(): Promise<Person> {
  const person = await tenant.join('member');
  await eventually(async () => {
    expect((await ask(`GET /api/users/${person.id}`, tenant.admin)).status).toBe(200);
  });
  return person;
}
const list = async (query = '', by: Person = tenant.owner) => {
  const { body } = await ask(`GET /api/users${query}`, by);
  return { users: body.data as ListedUser[], meta: body.meta as { total: number } };
};
const emailsIn = async (query: string, by?: Person) =>
  (await list(query, by)).users.map(({ email }) => email);

describe('the directory', () => {
  it('lists users who signed up, and users who joined by an invitation', async () => {
    const owner = await api.signUp();
    await eventually(async () => expect(await emailsIn('', owner)).toEqual([owner.email]));
    const { join } = tenant;
    const colleague = await join('member');
    const joined = `?search=${encodeURIComponent(colleague.email)}`;
    await eventually(async () => expect(await emailsIn(joined)).toEqual([colleague.email]));
    const { users } = await list(joined);
    expect(users).toEqual([
      {
        id: colleague.id,
        email: colleague.email,
        firstName: 'Robin',
        lastName: '',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
    ]);
  });

  it('shows that an account is disabled, and enabled again, where that is asked for', async () => {
    const user = await create();
    const one = `/api/users/${user.id}` as const;
    for (const [move, disabled] of [
      ['disable', true],
      ['enable', false],
    ] as const) {
      await api.call(
        `POST /api/auth/organization/${tenant.organizationId}/members/${user.id}/${move}`,
        undefined,
        tenant.owner,
      );
      await eventually(async () => {
        const { body } = await ask(`GET ${one}?include=disabled`, tenant.member);
        expect(body.data).toMatchObject({ id: user.id, disabled });
      });
      const { users } = await list(`?include=disabled&search=${encodeURIComponent(user.email)}`);
      expect(users).toEqual([expect.objectContaining({ id: user.id, disabled })]);
      expect(Object.keys((await ask(`GET ${one}`, tenant.member)).body.data as object)).not.toContain(
        'disabled',
      );
    }
  });

  it('shows a new name and a departure, however they came about', async () => {
    const user = await create();
    const self = await api.signIn(user);
    await api.call(
      `DELETE /api/auth/organization/${tenant.organizationId}/members/${user.id}`,
      undefined,
      tenant.owner,
    );
    await eventually(async () => {
      expect((await ask(`GET /api/users/${user.id}`, tenant.owner)).status).toBe(404);
    });
    await eventually(async () => expect((await ask('GET /api/users', self)).status).toBe(401));
  });
});

describe('GET /api/users', () => {
  it('answers ten a page, the exact total, and nothing beyond the last page', async () => {
    const { owner } = await api.newTenant();
    const names = ['Åsa', 'Łukasz', 'Bo', 'Ölof', 'Eva', 'Straße', 'Zoë', 'Æsop', 'Dan'];
    for (const firstName of names) await create({ firstName, lastName: 'Test' }, owner);
    const first = await list('', owner);
    expect([first.users.length, first.meta]).toEqual([10, { total: 12, page: 1, pageSize: 10 }]);
    const second = await list('?page=2', owner);
    expect([second.users.length, second.meta]).toEqual([2, { total: 12, page: 2, pageSize: 10 }]);
    expect(await list('?page=9&pageSize=100', owner)).toEqual({
      users: [],
      meta: { total: 12, page: 9, pageSize: 100 },
    });

    const found = async (term: string) =>
      (await list(`?search=${encodeURIComponent(term)}`, owner)).users.map(({ firstName }) => firstName);
    expect(await found('ASA')).toEqual(['Åsa']);
    expect(await found('  lukasz te ')).toEqual(['Łukasz']);
    expect(await found('strasse')).toEqual(['Straße']);
    expect(await found('AESOP')).toEqual(['Æsop']);
    for (const term of ['%', '_', '\\', 'test@']) expect(await found(term)).toEqual([]);
    expect((await list(`?search=${owner.email.slice(3, 20)}`, owner)).users.map(({ id }) => id)).toEqual([
      owner.id,
    ]);

    for (const [sort, key] of [
      ['name', 'firstName'],
      ['email', 'email'],
      ['createdAt', 'createdAt'],
    ] as const) {
      const up = (await list(`?sort=${sort}&pageSize=100`, owner)).users;
      const down = (await list(`?sort=-${sort}&pageSize=100`, owner)).users;
      expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed());
      if (key !== 'firstName')
        expect(up.map((user) => user[key])).toEqual(up.map((user) => user[key]).toSorted());
    }
    const byName = (await list('?sort=name&pageSize=100', owner)).users.map(({ firstName }) => firstName);
    expect(byName.slice(0, 4)).toEqual(['Æsop', 'Åsa', 'Bo', 'Dan']);
  });

  it.each([
    ['page=0', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['page=1e3', 'page'],
    ['sort=password', 'sort'],
    ['search=a%0Ab', 'search'],
    ['organizationId=00000000-0000-4000-8000-000000000000', 'organizationId'],
  ])('refuses %s by its name', async (query, field) => {
    expect(refusal(await ask(`GET /api/users?${query}`, tenant.owner))).toEqual(invalid(field));
  });

  it('is 401 without a token', async () => {
    expect(refusal(await ask('GET /api/users', undefined))).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
  });
});

describe('GET /api/users/{id}', () => {
  it('answers the user with an ETag', async () => {
    const { id, email } = await create({ firstName: 'Anna', lastName: 'von der Leyen' });
    const { status, headers, body } = await ask(`GET /api/users/${id}`, tenant.member);
    expect([status, headers['etag']]).toEqual([200, '"1"']);
    const createdAt = expect.stringMatching(/Z$/) as string;
    expect(body).toEqual({
      data: { id, email, firstName: 'Anna', lastName: 'von der Leyen', createdAt },
      error: null,
      meta: requestMeta,
    });
  });

  it('is 404 for an unknown id and for one of another organization, and 400 for no id [S-186]', async () => {
    const stranger = await api.signUp();
    for (const id of [randomUUID(), stranger.id]) {
      for (const name of [`GET /api/users/${id}`, `DELETE /api/users/${id}`] as const) {
        expect(refusal(await ask(name, tenant.owner))).toEqual({
          status: 404,
          code: 'NOT_FOUND',
          fields: [],
        });
      }
      const renamed = await ask(`PUT /api/users/${id}`, tenant.owner, { body: { firstName: 'Eve' } });
      expect(refusal(renamed)).toEqual({ status: 404, code: 'NOT_FOUND', fields: [] });
    }
    expect(refusal(await ask('GET /api/users/5', tenant.owner))).toEqual(invalid('id'));
  });
});

describe('POST /api/users', () => {
  it('makes a user who can sign in immediately, and is listed', async () => {
    const body = newUser({ firstName: ' Grace ', email: ` ${newEmail().toUpperCase()}` });
    const answer = await ask('POST /api/users', tenant.admin, { body });
    expect(answer.status).toBe(201);
    const { id } = answer.body.data as { id: string };
    const email = body.email.trim().toLowerCase();
    expect(answer.body).toEqual({ data: { id, email }, error: null, meta: requestMeta });
    expect(answer.headers['location']).toBe(`/api/users/${id}`);
    const self = await api.signIn({ id, email, password: body.password });
    expect(self.organizationId).toBe(tenant.organizationId);
    await eventually(async () => {
      const { users } = await list('?pageSize=100', self);
      expect(users).toContainEqual(expect.objectContaining({ id, firstName: 'Grace' }));
    });
    expect(
      (await api.call<{ user: { name: string } }>('GET /api/auth/session', undefined, self)).user.name,
    ).toBe('Grace Hopper');
  });

  it('makes one user of what is sent twice under one Idempotency-Key', async () => {
    const body = newUser();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask('POST /api/users', tenant.admin, { body, headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => (answer.body.data as { id: string }).id)).size).toBe(1);
    const other = await ask('POST /api/users', tenant.admin, { body: newUser(), headers });
    expect(refusal(other)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    // Of another user it is another key.
    expect((await ask('POST /api/users', tenant.owner, { body: newUser(), headers })).status).toBe(201);
  });

  it.each([
    ['nothing', {}, ['email', 'password', 'firstName', 'lastName']],
    ['an e-mail that is none', newUser({ email: 'grace' }), ['email']],
    ['a password of 7 characters', newUser({ password: 'a5!bcde' }), ['password']],
    ['a common password', newUser({ password: 'password1' }), ['password']],
    ['a password of 129 characters', newUser({ password: 'x5'.repeat(65) }), ['password']],
    ['a blank first name', newUser({ firstName: ' ' }), ['firstName']],
    ['a first name of 51 characters', newUser({ firstName: 'x'.repeat(51) }), ['firstName']],
    ['a last name of 51 characters', newUser({ lastName: 'x'.repeat(51) }), ['lastName']],
    ['an unknown field', newUser({ role: 'owner' }), ['role']],
  ])('refuses %s with the field', async (_, body, fields) => {
    const answer = refusal(await ask('POST /api/users', tenant.admin, { body }));
    expect({ ...answer, fields: answer.fields?.toSorted() }).toEqual(invalid(...fields.toSorted()));
  });

  it('takes names of 50 characters each', async () => {
    const [firstName, lastName] = ['å'.repeat(50), 'ö'.repeat(50)];
    const { id } = await create({ firstName, lastName });
    expect((await ask(`GET /api/users/${id}`, tenant.owner)).body.data).toMatchObject({
      firstName,
      lastName,
    });
  });

  it('refuses an e-mail address that is in use anywhere, with the field', async () => {
    const stranger = await api.signUp();
    const answer = await ask('POST /api/users', tenant.admin, { body: newUser({ email: stranger.email }) });
    expect(refusal(answer)).toEqual(invalid('email'));
  });

  it('is for admins', async () => {
    const answer = await ask('POST /api/users', tenant.member, { body: newUser() });
    expect(refusal(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

describe('PUT and PATCH /api/users/{id}', () => {
  it('change the name for an admin and for oneself, here and in the account', async () => {
    const user = await create();
    const self = await api.signIn(user);
    const renamed = await ask(`PUT /api/users/${user.id}`, tenant.admin, {
      body: { lastName: 'Murray Hopper' },
    });
    expect([renamed.status, renamed.headers['etag']]).toEqual([200, '"2"']);
    expect(renamed.body).toEqual({
      data: { id: user.id, email: user.email, firstName: 'Grace', lastName: 'Murray Hopper' },
      error: null,
      meta: requestMeta,
    });
    const again = await ask(`PATCH /api/users/${user.id}`, self, { body: { firstName: 'Amazing' } });
    expect(again.body.data).toMatchObject({ firstName: 'Amazing', lastName: 'Murray Hopper' });
    const { user: account } = await api.call<{ user: { name: string } }>(
      'GET /api/auth/session',
      undefined,
      self,
    );
    expect(account.name).toBe('Amazing Murray Hopper');
  });

  it('are 403 for another member, and for an admin where the user belongs to another organization as well [S-186]', async () => {
    const user = await create();
    const body = { firstName: 'Eve' };
    expect(refusal(await ask(`PUT /api/users/${user.id}`, tenant.member, { body }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    const founder = await joinListed();
    await ask(`PUT /api/users/${founder.id}`, tenant.admin, { body: { firstName: 'Robyn' } });
    await api.call(
      'POST /api/auth/organization/create',
      { name: 'Own', slug: `own-${randomUUID().slice(0, 8)}` },
      founder,
    );
    expect(refusal(await ask(`PUT /api/users/${founder.id}`, tenant.admin, { body }))).toMatchObject({
      status: 403,
    });
    expect((await ask(`PUT /api/users/${founder.id}`, founder, { body })).status).toBe(200);
  });

  it('keep both of two concurrent changes, and with If-Match one of them', async () => {
    const { id } = await create();
    const put = (body: object, headers = {}) => ask(`PUT /api/users/${id}`, tenant.admin, { body, headers });
    const both = await Promise.all([put({ firstName: 'Ada' }), put({ lastName: 'King' })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await ask(`GET /api/users/${id}`, tenant.admin);
    expect(body.data).toMatchObject({ firstName: 'Ada', lastName: 'King' });

    const many = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(n % 2 === 0 ? { firstName: `A${n}` } : { lastName: `K${n}` })),
    );
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    await put({ firstName: 'Ada', lastName: 'King' });

    const { headers } = await ask(`GET /api/users/${id}`, tenant.admin);
    const condition = { 'if-match': String(headers['etag']) };
    const raced = await Promise.all(['A', 'B', 'C'].map((firstName) => put({ firstName }, condition)));
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    expect(refusal(await put({ firstName: 'D' }, { 'if-match': '2' }))).toEqual(invalid('if-match'));
  });

  it.each([
    ['nothing', {}],
    ['an e-mail', { email: 'other@example.com' }],
    ['a password', { password: 'correct horse battery' }],
    ['null', { firstName: null }],
    ['too long a name', { firstName: 'x'.repeat(51) }],
  ])('refuse %s', async (_, body) => {
    const answer = await ask(`PUT /api/users/${tenant.member.id}`, tenant.member, { body });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('DELETE /api/users/{id}', () => {
  it('ends a user that the organization made, everywhere [S-185]', async () => {
    const user = await create();
    const self = await api.signIn(user);
    expect((await ask('GET /api/users', self)).status).toBe(200);
    const answer = await ask(`DELETE /api/users/${user.id}`, tenant.admin);
    expect([answer.status, answer.body]).toEqual([204, null]);
    const refused = async (path: string) =>
      (await send(services.urlOf('gateway'), { method: 'GET', path, headers: bearer(self) })).status;
    await eventually(async () => {
      for (const path of ['/api/users', '/api/leads', '/api/auth/session'])
        expect(await refused(path)).toBe(401);
    });
    await expect(api.signIn(user)).rejects.toThrow('401');
    expect(await emailsIn(`?search=${user.email}`)).toEqual([]);
    expect((await ask(`DELETE /api/users/${user.id}`, tenant.admin)).status).toBe(404);
    // The address is free again.
    await create({ email: user.email });
  });

  it('leaves the account of a user who joined with one', async () => {
    const colleague = await joinListed();
    expect((await ask(`DELETE /api/users/${colleague.id}`, tenant.admin)).status).toBe(204);
    expect((await api.signIn(colleague)).organizationId).not.toBe(tenant.organizationId);
  });

  it('is refused for oneself, for an owner to an admin, for the last owner, and to members', async () => {
    const { owner, admin, member } = tenant;
    const forbidden = { status: 403, code: 'FORBIDDEN' };
    expect(refusal(await ask(`DELETE /api/users/${admin.id}`, admin))).toMatchObject(forbidden);
    expect(refusal(await ask(`DELETE /api/users/${owner.id}`, owner))).toMatchObject(forbidden);
    expect(refusal(await ask(`DELETE /api/users/${owner.id}`, admin))).toMatchObject(forbidden);
    expect(refusal(await ask(`DELETE /api/users/${admin.id}`, member))).toMatchObject(forbidden);
    expect((await ask(`GET /api/users/${owner.id}`, member)).status).toBe(200);
  });

  it('is made on a condition by If-Match', async () => {
    const { id } = await create();
    const headers = { 'if-match': '"7"' };
    expect(refusal(await ask(`DELETE /api/users/${id}`, tenant.admin, { headers }))).toMatchObject({
      status: 412,
    });
    expect(
      (await ask(`DELETE /api/users/${id}`, tenant.admin, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(204);
  });
});

it('every change is in the audit trail of the organization, with who made it and what became of the account', async () => {
  const { id } = await create();
  await ask(`PUT /api/users/${id}`, tenant.admin, { body: { firstName: 'Ada' } });
  await ask(`DELETE /api/users/${id}`, tenant.owner);
  const colleague = await joinListed();
  await ask(`DELETE /api/users/${colleague.id}`, tenant.owner);
  const { events } = await api.call<{
    events: { action: string; actor: { kind: string; userId: string }; target: { id: string } | null }[];
  }>(`GET /api/auth/organization/${tenant.organizationId}/audit?pageSize=100`, undefined, tenant.owner);
  const about = (subject: string) =>
    events
      .filter(({ target }) => target?.id === subject)
      .map(({ action, actor }) => [action, actor.kind, actor.userId]);
  expect(about(id)).toEqual([
    ['user.erased', 'user', tenant.owner.id],
    ['user.updated', 'user', tenant.admin.id],
    ['user.created', 'user', tenant.admin.id],
  ]);
  expect(about(colleague.id)).toEqual([['member.removed', 'user', tenant.owner.id]]);
});
