import { randomUUID } from 'node:crypto';
import { patience } from '@tenantry/test-kit';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { connectionsOf as connections } from './support/connections.ts';
import { connectionsOf } from './support/confined.ts';
import { signUp } from './support/client.ts';
import { prove, switchTo } from './support/organizations.ts';
import {
  directoryCompany,
  directoryOf,
  inDirectory,
  patchOp,
  type DirectoryCompany,
} from './support/scim.ts';
import { startService } from './support/service.ts';

let limitsNow = 0;
const service = await startService({
  settings: {
    RATE_LIMIT_SCIM_PER_MINUTE: '60',
    MAX_PEOPLE_PER_ORGANIZATION: '100',
    MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED: '6',
  },
  limitsNow: () => limitsNow,
});
const { app, sql } = service;
const sso = connectionsOf(service);
let company: DirectoryCompany;
let scim: ReturnType<typeof directoryOf>;

beforeAll(async () => {
  company = await directoryCompany(service);
  scim = directoryOf(service, company);
});
afterEach(() => {
  limitsNow += 60_000;
});

const patch = (...operations: readonly unknown[]) => ({ schemas: [patchOp], Operations: operations });
const added = async () => (await scim('POST /Users', inDirectory(company))).body;

describe('what a directory writes', () => {
  test.each([
    '__proto__',
    '__proto__.polluted',
    'constructor',
    'constructor.prototype',
    'constructor.prototype.polluted',
    'name.__proto__',
    'name.constructor',
    'name.__proto__.polluted',
    'emails[type eq "work"].__proto__',
    'emails[__proto__ eq "x"].value',
    'emails[constructor eq "x"].value',
    `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:__proto__`,
    'toString',
    'hasOwnProperty',
  ])('changes no prototype at %s [S-264]', async (path) => {
    const { id } = await added();
    for (const value of [{ polluted: true }, 'x', true]) {
      for (const op of ['add', 'replace', 'remove']) {
        const refused = await scim(`PATCH /Users/${id}`, patch({ op, path, value }));
        expect([op, refused.status, refused.body.scimType]).toEqual([op, 400, 'invalidPath']);
      }
    }
    const pathless = await scim(
      `PATCH /Users/${id}`,
      `{"Operations":[{"op":"add","value":{"${path.replaceAll('"', '\\"')}":{"polluted":true}}}]}`,
    );
    expect(pathless.status).toBe(400);
    expect('polluted' in {}).toBe(false);
  });

  test('is JSON of bounded size and known attributes, in whichever of two media types [S-269]', async () => {
    const { id, ...person } = await added();
    const tooLong = 'x'.repeat(1_001);
    const bad: readonly (readonly [unknown, string])[] = [
      ['{', 'invalidSyntax'],
      ['[]', 'invalidSyntax'],
      ['"x"', 'invalidSyntax'],
      ['null', 'invalidSyntax'],
      ['{"userName":"a","__proto__":{"polluted":true}}', 'invalidSyntax'],
      [{ ...inDirectory(company), nonsense: 'x' }, 'invalidValue'],
      [{ ...inDirectory(company), displayName: 1 }, 'invalidValue'],
      [{ ...inDirectory(company), displayName: tooLong }, 'invalidValue'],
      [{ ...inDirectory(company), displayName: '\u0000' }, 'invalidValue'],
      [{ ...inDirectory(company), active: 'maybe' }, 'invalidValue'],
      [{ ...inDirectory(company), active: 0 }, 'invalidValue'],
      [{ ...inDirectory(company), emails: 'x'.repeat(1_001) }, 'invalidValue'],
      [
        { ...inDirectory(company), emails: Array.from({ length: 21 }, () => ({ value: 'a' })) },
        'invalidValue',
      ],
      [{ ...inDirectory(company), name: [] }, 'invalidValue'],
      [{ ...inDirectory(company), userName: '' }, 'invalidValue'],
      [{ ...inDirectory(company), userName: 'x'.repeat(256) }, 'invalidValue'],
      [
        {
          ...inDirectory(company),
          addresses: Array.from({ length: 20 }, () => ({ formatted: 'x'.repeat(900) })),
        },
        'invalidValue',
      ],
      [{ ...person, password: 'new' }, 'mutability'],
    ];
    for (const [body, scimType] of bad) {
      const refused = await scim(`PUT /Users/${id}`, body);
      expect([JSON.stringify(body).slice(0, 60), refused.status, refused.body.scimType]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
        scimType,
      ]);
    }
    expect((await scim(`PUT /Users/${id}`)).body.scimType).toBe('invalidSyntax');
    const large = await scim(`PUT /Users/${id}`, JSON.stringify({ displayName: 'x'.repeat(70_000) }));
    expect([large.status, large.body.status]).toEqual([413, '413']);
    const xml = await scim(`PUT /Users/${id}`, '<user/>', { 'content-type': 'application/xml' });
    expect([xml.status, xml.body.status, xml.headers['content-type']]).toEqual([
      415,
      '415',
      'application/scim+json',
    ]);
    const json = await scim(`PUT /Users/${id}`, inDirectory(company), { 'content-type': 'application/json' });
    expect(json.status).toBe(200);
  });

  test('is done as a whole or refused: nothing answers 2xx undone [S-264]', async () => {
    const { id } = await added();
    const before = (await scim(`GET /Users/${id}`)).body;
    const title = { op: 'replace', path: 'title', value: 'Lost' };
    const bad: readonly (readonly [unknown, string])[] = [
      [{ op: 'replace', path: 'id', value: randomUUID() }, 'mutability'],
      [{ op: 'replace', path: 'meta.created', value: 'x' }, 'mutability'],
      [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
      [{ op: 'replace', path: 'password', value: 'x' }, 'mutability'],
      [{ op: 'remove', path: 'active' }, 'mutability'],
      [{ op: 'remove', path: 'userName' }, 'mutability'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'replace', path: 'active', value: null }, 'invalidValue'],
      [{ op: 'replace', path: 'active', value: 'no' }, 'invalidValue'],
      [{ op: 'replace', path: 'active' }, 'invalidValue'],
      [{ op: 'replace', path: 'userName', value: null }, 'invalidValue'],
      [{ op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }, 'noTarget'],
      [{ op: 'remove', path: 'emails', value: [{ value: 'x' }] }, 'invalidValue'],
      [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
      [{ path: 'title', value: 'x' }, 'invalidSyntax'],
      [{ op: 'replace', path: 7, value: 'x' }, 'invalidSyntax'],
      [{ op: 'replace', value: 'x' }, 'invalidSyntax'],
      ['replace', 'invalidSyntax'],
      [{ op: 'replace', path: 'emails[type sw "w"].value', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'emails.value', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'title.x', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'urn:example:User:team', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'x'.repeat(400), value: 'x' }, 'invalidPath'],
    ];
    for (const [operation, scimType] of bad) {
      const refused = await scim(`PATCH /Users/${id}`, patch(title, operation));
      expect([JSON.stringify(operation).slice(0, 80), refused.status, refused.body.scimType]).toEqual([
        JSON.stringify(operation).slice(0, 80),
        400,
        scimType,
      ]);
    }
    for (const body of [
      {},
      { Operations: [] },
      { Operations: {} },
      patch(...Array.from({ length: 101 }, () => title)),
    ]) {
      expect((await scim(`PATCH /Users/${id}`, body)).body.scimType).toBe('invalidSyntax');
    }
    expect((await scim(`GET /Users/${id}`)).body).toEqual(before);
    // What this service says itself is ignored in a whole user: RFC 7644, 3.5.1.
    const put = await scim(`PUT /Users/${id}`, {
      ...before,
      id: randomUUID(),
      meta: {},
      groups: [{ value: 'admins' }],
    });
    expect([put.status, put.body.id, put.body.meta.created]).toEqual([200, id, before.meta.created]);
  });
});

describe('every refusal is in the form of SCIM [S-269]', () => {
  const wrong = () =>
    [
      ['GET', '/Nothing', 404],
      ['GET', '/Bulk', 404],
      ['GET', `/Users/${randomUUID()}`, 404],
      ['GET', '/Users/not-an-id', 400],
      ['PUT', `/Users/${randomUUID()}`, 404],
      ['PATCH', `/Users/${randomUUID()}`, 404],
      ['DELETE', `/Users/${randomUUID()}`, 404],
      ['DELETE', '/Users', 405],
      ['POST', '/Schemas', 405],
    ] as const;

  test('of paths and methods', async () => {
    for (const [method, path, status] of wrong()) {
      const body =
        method === 'PUT'
          ? inDirectory(company)
          : method === 'PATCH'
            ? patch({ op: 'add', path: 'title', value: 'x' })
            : undefined;
      const refused = await scim(`${method} ${path}`, body);
      expect([method, path, refused.status, refused.body.status]).toEqual([
        method,
        path,
        status,
        String(status),
      ]);
      expect(refused.headers['content-type']).toBe('application/scim+json');
      expect(refused.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
      expect(
        Object.keys(refused.body).every((key) => ['schemas', 'status', 'scimType', 'detail'].includes(key)),
      ).toBe(true);
    }
  });

  test('of a limit, which each token has for itself', async () => {
    const own = await directoryCompany(service);
    const other = await directoryCompany(service);
    const answers = [];
    for (let n = 0; n < 61; n++) answers.push(await directoryOf(service, own)('GET /ServiceProviderConfig'));
    const last = answers.at(-1)!;
    expect(answers.slice(0, 60).every(({ status }) => status === 200)).toBe(true);
    expect([last.status, last.body.status, Number(last.headers['retry-after']) > 0]).toEqual([
      429,
      '429',
      true,
    ]);
    expect((await directoryOf(service, other)('GET /ServiceProviderConfig')).status).toBe(200);
    // Whoever makes up tokens with its id fills nothing.
    limitsNow += 60_000;
    const forged = own.scimToken.slice(0, -6) + 'AAAAAA';
    for (let n = 0; n < 61; n++) await directoryOf(service, { ...own, scimToken: forged })('GET /Users');
    expect((await directoryOf(service, own)('GET /ServiceProviderConfig')).status).toBe(200);
  });

  test('of the quota of people', async () => {
    const own = await directoryCompany(service);
    await sql('UPDATE users SET email_verified_at = NULL WHERE id = $1', [own.owner.id]);
    const directory = directoryOf(service, own);
    let refused;
    for (let n = 0; n < 60 && !refused; n++) {
      const answer = await directory('POST /Users', inDirectory(own));
      if (answer.status !== 201) refused = answer;
    }
    expect([refused?.status, refused?.body.status]).toEqual([409, '409']);
  });

  test('of the quota of accounts, which people who were removed still count in [S-310]', async () => {
    const own = await directoryCompany(service);
    const directory = directoryOf(service, own);
    const made = `INSERT INTO users (id, email, name, email_verified_at, created_by_organization_id, created_at, updated_at)
      SELECT id, id || '@example.com', 'Somebody', now(), $1, now(), now() FROM (SELECT uuidv7() AS id FROM generate_series(1, $2)) AS people`;
    await sql(made, [own.id, 10 * 100 - 1]);
    const last = await directory('POST /Users', inDirectory(own));
    expect(last.status).toBe(201);
    expect((await directory(`DELETE /Users/${last.body.id}`)).status).toBe(204);
    const person = inDirectory(own);
    const refused = await directory('POST /Users', person);
    expect([refused.status, refused.body.status]).toEqual([409, '409']);
    expect(await sql('SELECT FROM users WHERE email = $1', [person.userName])).toEqual([]);
    const adopted = inDirectory(own, { userName: last.body.userName, emails: [] });
    expect((await directory('POST /Users', adopted)).status).toBe(201);
  });
});

describe('a directory and single sign-on', () => {
  test('know the same account, by its address [S-268]', async () => {
    const { id } = await added();
    const session = await sso.start({
      userId: id,
      organizationId: company.id,
      connectionId: company.connection.id,
    });
    const browser = new Browser(app);
    expect(browser).toBeDefined();
    const list = await app.inject({
      url: `/api/auth/organization/${company.id}`,
      headers: { authorization: `Bearer ${session.token}` },
    });
    expect(list.statusCode).toBe(200);
    await scim(`PATCH /Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
    const after = await app.inject({
      url: `/api/auth/organization/${company.id}`,
      headers: { authorization: `Bearer ${session.token}` },
    });
    expect(after.statusCode).toBe(401);
  });

  test('that end and begin at once leave no session [S-264]', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await added();
      const begun = sso
        .start({ userId: id, organizationId: company.id, connectionId: company.connection.id })
        .catch(() => undefined);
      const [session] = await Promise.all([
        begun,
        scim(`PATCH /Users/${id}`, patch({ op: 'Replace', path: 'active', value: false })),
      ]);
      const live = await sql('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id]);
      expect([session === undefined, live]).toEqual([expect.any(Boolean), []]);
    }
  });

  test('of a connection that is turned off: the directory goes on, since people also leave then [S-261]', async () => {
    const off = await connections(service, company).get(company.connection.id);
    expect(off.body.connection.enabled).toBe(false);
    expect((await scim('GET /Users')).status).toBe(200);
  });
});

test('no directory reaches the people of another, nor the members of its own organization whom it does not provision [S-263]', async () => {
  const other = await directoryCompany(service);
  const { id } = await added();
  const outsider = directoryOf(service, other);
  const leave = patch({ op: 'Replace', path: 'active', value: 'False' });
  for (const userId of [id, company.owner.id, company.member.id, other.member.id, other.owner.id]) {
    expect((await outsider(`PATCH /Users/${userId}`, leave)).status).toBe(404);
    expect((await outsider(`DELETE /Users/${userId}`)).status).toBe(404);
    expect((await outsider(`PUT /Users/${userId}`, inDirectory(other, { active: false }))).status).toBe(404);
  }
});

test('an address that moved out of the domain is not let in again [S-262]', async () => {
  const user = await signUp(app, 'Grace Hopper');
  const email = `grace.${randomUUID().slice(0, 8)}@${company.domain}`;
  await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
  await prove(service, user);
  await scim('POST /Users', inDirectory(company, { userName: email, emails: [] }));
  expect(await switchTo(service, user.token, company.id)).toEqual(expect.any(String));
  await scim(`PATCH /Users/${user.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
  await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, user.email]);
  const back = await scim(`PATCH /Users/${user.id}`, patch({ op: 'Replace', path: 'active', value: 'True' }));
  expect([back.status, back.body.scimType]).toEqual([400, 'invalidValue']);
});

test('many changes at once of one person end as one of them says [S-264]', async () => {
  const { id } = await added();
  const values = ['True', 'False', 'True', 'False', 'True', 'False'];
  const answers = await Promise.all(
    values.map((value) => scim(`PATCH /Users/${id}`, patch({ op: 'Replace', path: 'active', value }))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers.map(({ body }) => body.active)).toEqual(values.map((value) => value === 'True'));
  await scim(`PATCH /Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
  await expect
    .poll(async () => (await scim(`GET /Users/${id}`)).body.active, { timeout: patience() })
    .toBe(false);
});
