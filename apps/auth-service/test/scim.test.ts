import { randomUUID } from 'node:crypto';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEmail, send, signUp } from './support/client.ts';
import { connectionsOf } from './support/connections.ts';
import { ask, enter, found, mailedInvitation, prove, switchTo } from './support/organizations.ts';
import {
  askForScimToken,
  coreGroup,
  coreUser,
  directoryCompany,
  directoryOf,
  inDirectory,
  newScimToken,
  patchOp,
  type DirectoryCompany,
  type ScimTokenBody,
} from './support/scim.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql, config } = service;
let company: DirectoryCompany;
let scim: ReturnType<typeof directoryOf>;
let verifier: Verifier;

beforeAll(async () => {
  company = await directoryCompany(service);
  scim = directoryOf(service, company);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  verifier = createVerifier({
    issuer: config.AUTH_URL,
    jwks: `${address}/api/auth/jwks`,
    revocations: `${address}/internal/revocations`,
  });
  await verifier.ready({ timeoutMs: patience() });
});
afterAll(() => verifier.close());

const verdict = (token: string) =>
  verifier.verify(token).then(
    () => 'accepted',
    (error: unknown) => (error as { readonly code: string }).code,
  );
const roleOf = async (userId: string, organizationId = company.id) => {
  const found = await sql('SELECT role FROM members WHERE organization_id = $1 AND user_id = $2', [
    organizationId,
    userId,
  ]);
  return found[0]?.['role'];
};
const userOf = async (id: string) => (await sql('SELECT * FROM users WHERE id = $1', [id]))[0];
const trail = async (userId: string) =>
  sql(
    `SELECT action, actor_kind, actor_name, details FROM audit_events
     WHERE organization_id = $1 AND target_id = $2 ORDER BY created_at, id`,
    [company.id, userId],
  );

/** Somebody with an account and organizations of their own, whose address is in the company's domain and confirmed. */
async function employee() {
  const user = await signUp(app, 'Grace Hopper');
  const email = `grace.${randomUUID().slice(0, 8)}@${company.domain}`;
  await sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, email]);
  await prove(service, user);
  return { ...user, email };
}

/** Until a request waits for a lock. */
const waits = () =>
  expect
    .poll(
      () =>
        sql(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`),
      {
        timeout: patience(),
        interval: 20,
      },
    )
    .not.toEqual([]);

/** A token of theirs for the company, which verifiers accept. */
const tokenIn = (user: { readonly token: string }) => switchTo(service, user.token, company.id);

describe('a token of a directory', () => {
  test('is made by an owner alone, in a session of their own, and shown once [S-260]', async () => {
    const { owner, admin, member, connection } = company;
    for (const user of [admin, member]) {
      const token = await switchTo(service, user.token, company.id);
      const refused = await askForScimToken(service, { id: company.id, token }, connection.id);
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    const path = `/organization/${company.id}/connections/${connection.id}/scim-tokens`;
    const listed = await ask<ScimTokenBody>(service, `GET ${path}`, { token: company.token });
    expect(listed.body.scimTokens).toHaveLength(1);
    expect(JSON.stringify(listed.body)).not.toContain(company.scimToken);
    const stored = JSON.stringify(
      await sql('SELECT * FROM scim_tokens WHERE organization_id = $1', [company.id]),
    );
    expect(stored).not.toContain(company.scimToken.slice(4));
    const [entry] = await sql(
      `SELECT actor_user_id AS id FROM audit_events WHERE organization_id = $1 AND action = 'directory-token.created'`,
      [company.id],
    );
    expect(entry?.['id']).toBe(owner.id);
  });

  test('is one of two: a third is refused, until one is deleted [S-260]', async () => {
    const own = await directoryCompany(service);
    const second = await newScimToken(service, own, own.connection.id);
    const third = await askForScimToken(service, own, own.connection.id);
    expect([third.status, third.body.code, third.body.reason]).toEqual([
      409,
      'QUOTA_EXCEEDED',
      'DIRECTORY_TOKENS',
    ]);
    for (const scimToken of [own.scimToken, second]) {
      expect((await directoryOf(service, { ...own, scimToken })('GET /Users')).status).toBe(200);
    }
    const path = `/organization/${own.id}/connections/${own.connection.id}/scim-tokens`;
    const { body } = await ask<ScimTokenBody>(service, `GET ${path}`, { token: own.token });
    expect(body.scimTokens.map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    const { id } = body.scimTokens[0]!;
    expect((await send(app, `DELETE ${path}/${id}`, { token: own.token })).status).toBe(204);
    expect((await directoryOf(service, own)('GET /Users')).status).toBe(401);
    expect((await directoryOf(service, { ...own, scimToken: second })('GET /Users')).status).toBe(200);
    expect((await send(app, `DELETE ${path}/${id}`, { token: own.token })).status).toBe(404);
  });

  test('ends with its connection [S-261]', async () => {
    const own = await directoryCompany(service);
    expect((await connectionsOf(service, own).remove(own.connection.id)).status).toBe(204);
    expect((await directoryOf(service, own)('GET /Users')).status).toBe(401);
  });

  test('is refused where it is missing, empty, unknown, of another connection or organization [S-261]', async () => {
    const other = await directoryCompany(service);
    const second = await connectionsOf(service, company).create('okta');
    const authorizations = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer  ',
      'Basic eDp5',
      `Bearer ${other.scimToken}`,
    ];
    authorizations.push(
      `Bearer ${company.scimToken.slice(0, -1)}`,
      `Bearer ${company.token}`,
      'Bearer undefined',
      'Bearer null',
    );
    for (const authorization of authorizations) {
      const { statusCode, headers, body } = await app.inject({
        url: `/api/auth/scim/v2/${company.id}/${company.connection.id}/Users`,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([authorization, statusCode]).toEqual([authorization, 401]);
      expect(headers['www-authenticate']).toMatch(/^Bearer/);
      expect(headers['content-type']).toBe('application/scim+json');
      expect(JSON.parse(body)).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
      });
    }
    expect((await directoryOf(service, { ...company, connection: second })('GET /Users')).status).toBe(401);
    expect((await directoryOf(service, { ...company, id: other.id })('GET /Users')).status).toBe(401);
  });

  test('does nothing but provision [S-261]', async () => {
    for (const request of ['GET /session', 'GET /organization/list', 'POST /sign-in/sso', 'GET /jwks']) {
      const refused = await send(app, request, {
        token: company.scimToken,
        ...(request.startsWith('POST') && { body: {} }),
      });
      expect([request, refused.status, refused.body.code]).toEqual([request, 403, 'USER_REQUIRED']);
    }
  });

  test('deleted while its request waits, finishes nothing [S-261]', async () => {
    const own = await directoryCompany(service);
    const client = new pg.Client({ connectionString: service.database.adminUrl });
    await client.connect();
    const person = inDirectory(own);
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [own.id]);
      const waiting = directoryOf(service, own)('POST /Users', person);
      await waits();
      await client.query('DELETE FROM scim_tokens WHERE organization_id = $1', [own.id]);
      await client.query('COMMIT');
      expect((await waiting).status).toBe(401);
    } finally {
      await client.end();
    }
    expect(await sql('SELECT FROM users WHERE email = $1', [person.userName])).toEqual([]);
  });
});

describe('a person who is added', () => {
  test('without an account gets one, as a member, with the name that the directory says', async () => {
    const person = inDirectory(company, { displayName: 'Grace Hopper' });
    const { status, body, headers } = await scim('POST /Users', person);
    expect([status, headers['content-type']]).toEqual([201, 'application/scim+json']);
    expect(body).toMatchObject({ ...person, id: expect.any(String) as string });
    expect(headers['location']).toBe(body.meta.location);
    expect(body.meta.location).toBe(
      `${config.AUTH_URL}/scim/v2/${company.id}/${company.connection.id}/Users/${body.id}`,
    );
    const user = await userOf(body.id);
    expect(user).toMatchObject({
      email: person.userName,
      name: 'Grace Hopper',
      created_by_organization_id: company.id,
    });
    expect(user?.['email_verified_at']).not.toBeNull();
    expect(await roleOf(body.id)).toBe('member');
    expect(
      (await trail(body.id)).map(({ action, actor_kind, actor_name }) => [action, actor_kind, actor_name]),
    ).toEqual([
      ['user.created', 'directory', 'Company IdP'],
      ['directory.person-added', 'directory', 'Company IdP'],
      ['member.added', 'directory', 'Company IdP'],
    ]);
    const events = await sql('SELECT type FROM events WHERE user_id = $1 AND organization = $2', [
      body.id,
      company.id,
    ]);
    expect(events.map(({ type }) => type)).toContain('member.added');
    expect((await scim(`GET /Users/${body.id}`)).body).toEqual(body);
  });

  test('with an account becomes a member, and keeps address and name [S-262]', async () => {
    const grace = await employee();
    const person = inDirectory(company, {
      userName: grace.email.toUpperCase(),
      displayName: 'Somebody Else',
      emails: [{ value: grace.email.toUpperCase(), type: 'work' }],
    });
    const before = await userOf(grace.id);
    const { status, body } = await scim('POST /Users', person);
    expect([status, body.id, await roleOf(grace.id)]).toEqual([201, grace.id, 'member']);
    const renamed = await scim(`PATCH /Users/${grace.id}`, {
      schemas: [patchOp],
      Operations: [
        { op: 'replace', path: 'displayName', value: 'Eve' },
        { op: 'replace', path: 'userName', value: `eve@${company.domain}` },
        { op: 'replace', path: 'emails[type eq "work"].value', value: `eve@${company.domain}` },
      ],
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({ displayName: 'Eve', userName: `eve@${company.domain}` });
    const put = await scim(`PUT /Users/${grace.id}`, inDirectory(company));
    expect(put.status).toBe(200);
    const after = await userOf(grace.id);
    for (const column of [
      'email',
      'name',
      'family_name',
      'updated_at',
      'created_by_organization_id',
      'email_verified_at',
    ]) {
      expect([column, after?.[column]]).toEqual([column, before?.[column]]);
    }
  });

  test('has an address in a domain that the organization has verified [S-262]', async () => {
    const outside = newEmail();
    for (const email of [outside, `ada@sub.${company.domain}`, `ada@${company.domain}.example.net`]) {
      const { status, body } = await scim(
        'POST /Users',
        inDirectory(company, { userName: email, emails: [{ value: email }] }),
      );
      expect([email, status, body.scimType]).toEqual([email, 400, 'invalidValue']);
    }
    // The address decides, not the user name.
    const person = inDirectory(company, { emails: [{ value: outside, type: 'work' }] });
    expect((await scim('POST /Users', person)).status).toBe(400);
    const nameless = await scim('POST /Users', inDirectory(company, { userName: 'ada', emails: [] }));
    expect([nameless.status, nameless.body.scimType]).toEqual([400, 'invalidValue']);
  });

  test('is not a stranger who signed up with the address and never confirmed it [S-262]', async () => {
    const eve = await signUp(app, 'Eve');
    const email = `eve.${randomUUID().slice(0, 8)}@${company.domain}`;
    await sql('UPDATE users SET email = $2, email_verified_at = NULL WHERE id = $1', [eve.id, email]);
    const { status, body } = await scim('POST /Users', inDirectory(company, { userName: email, emails: [] }));
    expect([status, body.scimType, await roleOf(eve.id)]).toEqual([409, 'uniqueness', undefined]);
  });

  test('is there once, however often and at once they are added [S-263]', async () => {
    const person = inDirectory(company);
    const answers = await Promise.all(Array.from({ length: 5 }, () => scim('POST /Users', person)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.scimType))).toEqual(
      new Set(['uniqueness']),
    );
    const again = await scim('POST /Users', { ...person, userName: `other.${person.userName}` });
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
    const capital = await scim(
      'POST /Users',
      inDirectory(company, { userName: person.userName.toUpperCase() }),
    );
    expect(capital.status).toBe(409);
  });

  test('comes back by their own directory after somebody here removed them', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    expect(
      (await send(app, `DELETE /organization/${company.id}/members/${body.id}`, { token: company.token }))
        .status,
    ).toBe(204);
    expect((await scim(`GET /Users/${body.id}`)).body.active).toBe(false);
    const op = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: true }] };
    expect((await scim(`PATCH /Users/${body.id}`, op)).body.active).toBe(true);
    expect(await sql('SELECT FROM removed_members WHERE user_id = $1', [body.id])).toEqual([]);
  });

  test('and is not active, has no access', async () => {
    const { status, body } = await scim('POST /Users', inDirectory(company, { active: 'False' }));
    expect([status, body.active, await roleOf(body.id)]).toEqual([201, false, undefined]);
    const grace = await employee();
    await enter(service, company.id, grace, 'member');
    const person = inDirectory(company, { userName: grace.email, emails: [], active: false });
    expect((await scim('POST /Users', person)).body.active).toBe(false);
    expect(await roleOf(grace.id)).toBeUndefined();
  });
});

/** Each way in which directories say that somebody has left. */
const endings: readonly (readonly [string, (person: object) => readonly [string, object]])[] = [
  ...[false, 'False', 'false'].flatMap((value) => {
    const ops: readonly (readonly [string, object])[] = [
      [`replace ${JSON.stringify(value)} at a path`, { op: 'replace', path: 'active', value }],
      [`Replace ${JSON.stringify(value)} at a path`, { op: 'Replace', path: 'active', value }],
      [`Add ${JSON.stringify(value)} at a path`, { op: 'Add', path: 'active', value }],
      [`replace ${JSON.stringify(value)} without a path`, { op: 'replace', value: { active: value } }],
      [`replace ${JSON.stringify(value)} at Active`, { op: 'replace', path: 'Active', value }],
      [
        `replace ${JSON.stringify(value)} at the whole name`,
        { op: 'replace', path: `${coreUser}:active`, value },
      ],
    ];
    return ops.map(
      ([name, op]) => [name, () => ['PATCH', { schemas: [patchOp], Operations: [op] }] as const] as const,
    );
  }),
  ...[false, 'False'].map(
    (active) =>
      [
        `PUT with ${JSON.stringify(active)}`,
        (person: object) => ['PUT', { ...person, active }] as const,
      ] as const,
  ),
  [
    'a list of one',
    () => [
      'PATCH',
      { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: [{ value: 'False' }] }] },
    ],
  ],
  [
    'the last of several operations',
    () => [
      'PATCH',
      {
        schemas: [patchOp],
        operations: [
          { op: 'Replace', path: 'title', value: 'x' },
          { op: 'Replace', path: 'active', value: 'False' },
        ],
      },
    ],
  ],
];

describe('a person who has left', () => {
  test.each(endings)('loses access by %s [S-264]', async (_, ending) => {
    const person = inDirectory(company);
    const { body } = await scim('POST /Users', person);
    const [method, change] = ending(person);
    const left = await scim(`${method} /Users/${body.id}`, change);
    expect([left.status, left.body.active]).toEqual([200, false]);
    // An account of this organization alone is disabled.
    expect((await userOf(body.id))?.['disabled_by_organization_id']).toBe(company.id);
    expect((await scim(`GET /Users/${body.id}`)).body.active).toBe(false);
    const back = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'True' }] };
    expect((await scim(`PATCH /Users/${body.id}`, back)).body.active).toBe(true);
    expect([(await userOf(body.id))?.['disabled_at'], await roleOf(body.id)]).toEqual([null, 'member']);
  });

  test('loses it at every verifier, and keeps an account that they have elsewhere [S-264]', async () => {
    const grace = await employee();
    await scim('POST /Users', inDirectory(company, { userName: grace.email, emails: [] }));
    const token = await tokenIn(grace);
    expect(await verdict(token)).toBe('accepted');
    const op = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim(`PATCH /Users/${grace.id}`, op)).body.active).toBe(false);
    await expect.poll(() => verdict(token), { timeout: patience(), interval: 20 }).not.toBe('accepted');
    expect([await roleOf(grace.id), (await userOf(grace.id))?.['disabled_at']]).toEqual([undefined, null]);
    expect((await send(app, 'GET /organization/list', { token: grace.token })).status).toBe(200);
    // Not by their address either.
    expect(await sql('SELECT FROM removed_members WHERE user_id = $1', [grace.id])).toHaveLength(1);
    const back = await scim(`PATCH /Users/${grace.id}`, {
      Operations: [{ op: 'add', value: { active: true } }],
    });
    expect([back.body.active, await roleOf(grace.id)]).toEqual([true, 'member']);
  });

  test('is forgotten by DELETE, and can be added again', async () => {
    const person = inDirectory(company);
    const { body } = await scim('POST /Users', person);
    expect((await scim(`DELETE /Users/${body.id}`)).status).toBe(204);
    expect([await roleOf(body.id), (await userOf(body.id))?.['id']]).toEqual([undefined, body.id]);
    for (const request of ['GET', 'DELETE'])
      expect((await scim(`${request} /Users/${body.id}`)).status).toBe(404);
    expect((await scim(`GET /Users?filter=userName eq "${person.userName}"`)).body.totalResults).toBe(0);
    const again = await scim('POST /Users', person);
    expect([again.status, again.body.id]).toEqual([201, body.id]);
  });

  test('stays out where somebody else has disabled the account [S-264]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [body.id]);
    const op = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'True' }] };
    const refused = await scim(`PATCH /Users/${body.id}`, op);
    expect([refused.status, refused.body.scimType]).toEqual([409, 'mutability']);
    // What the operator decides is not undone by the directory, nor is what the directory decides by the operator.
    const out = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    await sql('UPDATE users SET disabled_at = NULL WHERE id = $1', [body.id]);
    expect((await scim(`PATCH /Users/${body.id}`, out)).body.active).toBe(false);
  });

  test('has left also where the account was disabled by somebody else, who may enable it again [S-264]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [body.id]);
    // Nothing of it is said of whether they have left.
    const title = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'title', value: 'Engineer' }] };
    expect((await scim(`PATCH /Users/${body.id}`, title)).body.active).toBe(false);
    expect(await roleOf(body.id)).toBe('member');
    const out = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim(`PATCH /Users/${body.id}`, out)).body.active).toBe(false);
    await sql('UPDATE users SET disabled_at = NULL WHERE id = $1', [body.id]);
    expect([await roleOf(body.id), (await scim(`GET /Users/${body.id}`)).body.active]).toEqual([
      undefined,
      false,
    ]);
  });

  test.each([
    ['are added so', (person: object) => scim('POST /Users', { ...person, active: false })],
    [
      'are changed so',
      async (person: object, userId: string, leave: () => Promise<void>) => {
        await scim('POST /Users', person);
        await leave();
        const op = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
        return scim(`PATCH /Users/${userId}`, op);
      },
    ],
    [
      'are deleted',
      async (person: object, userId: string, leave: () => Promise<void>) => {
        await scim('POST /Users', person);
        await leave();
        return scim(`DELETE /Users/${userId}`);
      },
    ],
  ])('does not come back by their address where they %s while they are no member [S-264]', async (_, end) => {
    await sql(`UPDATE domains SET joins = 'member' WHERE organization_id = $1`, [company.id]);
    const grace = await employee();
    const leave = async () => {
      const left = await send(app, `POST /organization/${company.id}/leave`, { token: await tokenIn(grace) });
      expect(left.status).toBe(204);
    };
    const person = inDirectory(company, { userName: grace.email, emails: [] });
    expect((await end(person, grace.id, leave)).status).toBeLessThan(300);
    const joined = await send(app, 'POST /organization/join', {
      token: grace.token,
      body: { organizationId: company.id },
    });
    expect([joined.status, await roleOf(grace.id)]).toEqual([404, undefined]);
  });

  test('does not come back by an invitation from before [S-264]', async () => {
    const grace = await employee();
    const offer = (email: string, token = company.token) =>
      send(app, `POST /organization/${company.id}/invitations`, { token, body: { email, role: 'admin' } });
    expect((await offer(grace.email)).status).toBe(201);
    const own = await mailedInvitation(service, grace.email);
    const accept = (user: { readonly token: string }, token: string) =>
      send(app, 'POST /invitations/accept', { token: user.token, body: { token } });
    await scim('POST /Users', inDirectory(company, { userName: grace.email, emails: [] }));
    const op = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };
    expect((await scim(`PATCH /Users/${grace.id}`, op)).body.active).toBe(false);
    expect((await accept(grace, own)).body).toMatchObject({ reason: 'INVITATION_WITHDRAWN' });
    expect(await roleOf(grace.id)).toBeUndefined();
  });

  test('erased with their account, is in no directory [S-268]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    await sql('DELETE FROM users WHERE id = $1', [body.id]);
    expect((await scim(`GET /Users/${body.id}`)).status).toBe(404);
    expect(await sql('SELECT FROM directory_people WHERE user_id = $1', [body.id])).toEqual([]);
  });
});

describe('an owner', () => {
  test('is out of reach of the directory, unless they have linked its connection [S-265]', async () => {
    const grace = await employee();
    await enter(service, company.id, grace, 'owner');
    const { status, body } = await scim(
      'POST /Users',
      inDirectory(company, { userName: grace.email, emails: [] }),
    );
    expect([status, body.id, body.active]).toEqual([201, grace.id, true]);
    const leave = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: false }] };
    for (const refused of [
      await scim(`PATCH /Users/${grace.id}`, leave),
      await scim(`PUT /Users/${grace.id}`, inDirectory(company, { active: false })),
      await scim(`DELETE /Users/${grace.id}`),
    ]) {
      expect([refused.status, refused.body.scimType]).toEqual([409, 'mutability']);
    }
    expect([await roleOf(grace.id), (await userOf(grace.id))?.['disabled_at']]).toEqual(['owner', null]);
    expect((await scim(`GET /Users/${grace.id}`)).body.userName).toBe(grace.email);
    await sql(
      `INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at)
       VALUES ($1, $2, 'grace', $3, true, now())`,
      [company.id, company.connection.id, grace.id],
    );
    expect((await scim(`PATCH /Users/${grace.id}`, leave)).body.active).toBe(false);
    expect(await roleOf(grace.id)).toBeUndefined();
  });

  test('whom another owner has disabled is not brought back by the directory [S-265]', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    await sql(`UPDATE members SET role = 'owner' WHERE user_id = $1`, [body.id]);
    await sql(
      `INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at)
       VALUES ($1, $2, 'mallory', $3, true, now())`,
      [company.id, company.connection.id, body.id],
    );
    const disabled = 'UPDATE users SET disabled_at = now(), disabled_by_organization_id = $2 WHERE id = $1';
    await sql(disabled, [body.id, company.id]);
    const back = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: 'True' }] };
    for (const refused of [
      await scim(`PATCH /Users/${body.id}`, back),
      await scim(`PUT /Users/${body.id}`, inDirectory(company)),
    ]) {
      expect([refused.status, refused.body.scimType]).toEqual([409, 'mutability']);
    }
    expect((await userOf(body.id))?.['disabled_by_organization_id']).toBe(company.id);
    const path = `/organization/${company.id}/connections/${company.connection.id}/arrivals`;
    const { body: read } = await ask<{ arrivals: { code: string }[] }>(service, `GET ${path}`, {
      token: company.token,
    });
    expect(read.arrivals[0]?.code).toBe('OWNER_DISABLED');
  });

  test('stays where there is no other, linked or not [S-265]', async () => {
    const own = await directoryCompany(service);
    const directory = directoryOf(service, own);
    const { id } = own.owner;
    const email = `olga@${own.domain}`;
    await sql('UPDATE users SET email = $2 WHERE id = $1', [id, email]);
    await sql(
      `INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at)
       VALUES ($1, $2, 'olga', $3, true, now())`,
      [own.id, own.connection.id, id],
    );
    expect(
      (await directory('POST /Users', inDirectory(own, { userName: email, emails: [] }))).body.active,
    ).toBe(true);
    const leave = { schemas: [patchOp], Operations: [{ op: 'Replace', path: 'active', value: false }] };
    const refused = await directory(`PATCH /Users/${id}`, leave);
    expect([refused.status, refused.body.status, refused.body.scimType]).toEqual([409, '409', 'mutability']);
    expect((await directory(`DELETE /Users/${id}`)).status).toBe(409);
    expect(await roleOf(id, own.id)).toBe('owner');
  });
});

describe('finding people', () => {
  test('by userName and externalId, quotes escaped, of this directory alone [S-266]', async () => {
    const odd = 'o"brien\\x';
    const person = inDirectory(company, { externalId: odd });
    const { body } = await scim('POST /Users', person);
    const ids = async (filter: string) => {
      const answer = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`);
      expect([answer.status, answer.body.totalResults]).toEqual([200, answer.body.Resources.length]);
      return answer.body.Resources.map(({ id }) => id);
    };
    expect(await ids(`userName eq "${person.userName}"`)).toEqual([body.id]);
    expect(await ids(`USERNAME EQ "${person.userName.toUpperCase()}"`)).toEqual([body.id]);
    expect(await ids(`${coreUser}:userName eq "${person.userName}"`)).toEqual([body.id]);
    expect(await ids(`externalId eq ${JSON.stringify(odd)}`)).toEqual([body.id]);
    expect(await ids(`externalId eq ${JSON.stringify(odd.toUpperCase())}`)).toEqual([]);
    expect(await ids(`userName eq "' OR 1=1 --"`)).toEqual([]);
    const other = await directoryCompany(service);
    const elsewhere = await directoryOf(service, other)(`GET /Users?filter=userName eq "${person.userName}"`);
    expect(elsewhere.body.totalResults).toBe(0);
    expect((await directoryOf(service, other)(`GET /Users/${body.id}`)).status).toBe(404);
    expect((await directoryOf(service, other)(`DELETE /Users/${body.id}`)).status).toBe(404);
  });

  test.each([
    'userName',
    'userName eq',
    'userName eq ada',
    'userName co "ada"',
    'userName eq "ada" or userName eq "eve"',
    'emails.value eq "ada@example.com"',
    '__proto__ eq "x"',
    'userName eq "\\u00zz"',
    'userName eq "\\u0000"',
    'externalId eq "\\u0000"',
    'externalId eq "\\ud800"',
    '(userName eq "ada")',
    `userName eq "${'x'.repeat(1_100)}"`,
  ])('refuses the filter %s [S-266]', async (filter) => {
    const { status, body } = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
  });

  test('gives pages, with how many there are, and at most 200 [S-266]', async () => {
    const own = await directoryCompany(service);
    const directory = directoryOf(service, own);
    for (let n = 0; n < 5; n++) await directory('POST /Users', inDirectory(own));
    const pages = [];
    for (const startIndex of [1, 3, 5, 6]) {
      const { body } = await directory(`GET /Users?startIndex=${startIndex}&count=2`);
      expect([body.totalResults, body.startIndex]).toEqual([5, startIndex]);
      pages.push(body.Resources.map(({ id }) => id));
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flat()).size).toBe(5);
    const none = await directory('GET /Users?count=0');
    expect([none.body.totalResults, none.body.Resources]).toEqual([5, []]);
    expect((await directory('GET /Users?startIndex=-4&count=99999')).body.itemsPerPage).toBe(5);
    for (const query of ['count=x', 'startIndex=1e3', 'count=2&count=3']) {
      const refused = await directory(`GET /Users?${query}`);
      expect([query, refused.status, refused.body.scimType]).toEqual([query, 400, 'invalidValue']);
    }
    // Entra's own flag in the address of a directory.
    expect((await directory('GET /Users?aadOptscim062020')).status).toBe(200);
  });

  test('shows the attributes that are asked for', async () => {
    const { body } = await scim('POST /Users', inDirectory(company));
    const some = await scim(`GET /Users/${body.id}?attributes=userName,name.givenName,${coreUser}:active`);
    expect(Object.keys(some.body).sort()).toEqual(['active', 'id', 'name', 'schemas', 'userName']);
    const rest = await scim(`GET /Users/${body.id}?excludedAttributes=emails,members,id`);
    expect(Object.keys(rest.body)).not.toContain('emails');
    expect(rest.body.id).toBe(body.id);
  });

  test('uses indexes', async () => {
    const plans = await sql(
      `SELECT indexname FROM pg_indexes WHERE tablename = 'directory_people' AND indexdef LIKE '%organization_id, connection_id%'`,
    );
    expect(plans).toHaveLength(3);
  });
});

test('a directory says what it can do', async () => {
  const { body } = await scim('GET /ServiceProviderConfig');
  expect(body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
  });
  const types = await scim('GET /ResourceTypes');
  expect(types.body.Resources).toMatchObject([
    { id: 'User', endpoint: '/Users', schema: coreUser },
    { id: 'Group', endpoint: '/Groups', schema: coreGroup },
  ]);
  const schemas = await scim('GET /Schemas');
  const ids = schemas.body.Resources.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([coreUser, coreGroup]));
});

test('other organizations of a person are not concerned', async () => {
  const grace = await employee();
  const { id } = await found(service, grace.token, 'Own');
  await scim('POST /Users', inDirectory(company, { userName: grace.email, emails: [] }));
  await scim(`DELETE /Users/${grace.id}`);
  expect(await roleOf(grace.id, id)).toBe('owner');
});

test('owners read what came of the requests of their directory, and what they were refused for', async () => {
  const own = await directoryCompany(service);
  const directory = directoryOf(service, own);
  const person = inDirectory(own);
  const { body } = await directory('POST /Users', person);
  const outside = inDirectory(own, { userName: 'ada@example.com', emails: [] });
  const patch = (op: object) => ({ schemas: [patchOp], Operations: [op] });
  const one = `/Users/${body.id}`;
  await directory('POST /Users', person);
  await directory('POST /Users', outside);
  await directory(`PATCH ${one}`, patch({ op: 'replace', path: 'title', value: 'Buyer' }));
  await directory(`PATCH ${one}`, patch({ op: 'replace', path: 'title', value: 'Buyer' }));
  await directory(`PATCH ${one}`, patch({ op: 'replace', path: 'active', value: 'False' }));
  await directory(`PATCH ${one}`, patch({ op: 'replace', path: 'active', value: 'True' }));
  await directory(`PATCH ${one}`, patch({ op: 'replace', path: 'nickname.x', value: '' }));
  await directory(`PUT ${one}`, '{');
  await directory(`DELETE ${one}`);
  // Neither reads that succeed nor strangers leave anything.
  await directory('GET /Users');
  await directoryOf(service, { ...own, scimToken: company.scimToken })('POST /Users', person);
  const path = `/organization/${own.id}/connections/${own.connection.id}/arrivals`;
  const { body: read } = await ask<{ arrivals: { kind: string; code: string; address: string | null }[] }>(
    service,
    `GET ${path}`,
    { token: own.token },
  );
  expect(read.arrivals.toReversed().map(({ kind, code, address }) => [kind, code, address])).toEqual([
    ['directory', 'USER_CREATED', person.userName],
    ['directory', 'USER_NAME_TAKEN', person.userName],
    ['directory', 'DOMAIN_NOT_VERIFIED', 'ada@example.com'],
    ['directory', 'USER_CHANGED', person.userName],
    ['directory', 'USER_DEACTIVATED', person.userName],
    ['directory', 'USER_REACTIVATED', person.userName],
    ['directory', 'REQUEST_INVALID', null],
    ['directory', 'REQUEST_INVALID', null],
    ['directory', 'USER_REMOVED', person.userName],
  ]);
});
