import { randomUUID } from 'node:crypto';
import {
  openTestFeed,
  readsOf,
  refusal,
  searchedNames,
  startTestService,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import { createFormerDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { service } from '../src/service.ts';

let feed: TestFeed;
let running: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  feed = await openTestFeed();
  running = await startTestService(service, { env: { ...feed.env, DATABASE_POOL_SIZE: '1' } });
  await running.app.ready();
  admin = new pg.Pool({ connectionString: running.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await running.close();
  await feed.close();
});

const person = (organizationId: string, name: string, userId = randomUUID()) => ({
  ...{ organizationId, userId, name, familyName: null, role: 'member' },
  ...{ email: `${userId}@example.com`, createdAt: '2026-11-21T10:00:00.000Z' },
});

describe('the directory', () => {
  it('holds every user that the events of auth-service name, each in the organization that they name', async () => {
    const [mine, theirs] = [await running.member(), await running.member()];
    const ada = person(mine.organizationId, 'Ada Lovelace');
    feed.tell(
      { type: 'member.added', ...ada },
      { type: 'member.added', ...ada, organizationId: theirs.organizationId },
      { type: 'member.added', ...person(theirs.organizationId, 'Eve') },
    );
    const names = async (caller: typeof mine) => {
      const { body } = await caller.send('GET', '/api/users');
      return (body.data as { firstName: string }[]).map(({ firstName }) => firstName);
    };
    const become = (caller: typeof mine, expected: readonly string[]) =>
      expect.poll(() => names(caller)).toEqual(expected);
    await become(mine, ['Ada']);
    await become(theirs, ['Ada', 'Eve']);
    const id = `/api/users/${ada.userId}`;
    expect((await mine.send('GET', id)).headers['etag']).toBe('"1"');

    // Told of the same again, the entity tag stays; told of something else, it does not.
    feed.tell({ type: 'user.updated', ...ada });
    feed.tell({ type: 'user.updated', ...ada, name: 'Ada King' });
    const user = async () => (await mine.send('GET', id)).body.data;
    await expect.poll(user).toMatchObject({ lastName: 'King' });
    expect((await mine.send('GET', id)).headers['etag']).toBe('"2"');

    feed.tell({ type: 'user.erased', organizationId: mine.organizationId, userId: ada.userId });
    await become(mine, []);
    expect(await names(theirs)).toEqual(['Ada', 'Eve']);
  });

  it('is read by keys, and changed by signed-in users alone [S-98]', async () => {
    const [mine, theirs] = [await running.member(), await running.member()];
    const { organizationId } = mine;
    const ada = person(organizationId, 'Ada Lovelace');
    const eve = person(theirs.organizationId, 'Eve');
    feed.tell({ type: 'member.added', ...ada }, { type: 'member.added', ...eve });
    const key = await running.serviceAccount({ organizationId, base: 'admin' });
    const reading = await running.serviceAccount({ organizationId, scope: 'users:read' });
    for (const caller of [key, reading]) {
      expect((await caller.send('GET', '/api/users')).body.meta.total).toBe(1);
      expect((await caller.send('GET', `/api/users/${ada.userId}`)).status).toBe(200);
      expect((await caller.send('GET', `/api/users/${eve.userId}`)).status).toBe(404);
    }
    const unscoped = await running.serviceAccount({ organizationId, base: 'admin', scope: 'leads:read' });
    expect(refusal(await unscoped.send('GET', '/api/users'))).toMatchObject({ code: 'FORBIDDEN' });

    const body = { firstName: 'Ada', lastName: 'King' };
    const account = { ...body, email: 'king@example.com', password: 'a long enough passphrase' };
    // Its own id is that of no user, and gives it no right to a name.
    const self = await running.serviceAccount({ organizationId, sub: ada.userId, scope: 'users:read' });
    for (const [caller, method, url, sent] of [
      [key, 'POST', '/api/users', { body: account }],
      [key, 'PATCH', `/api/users/${ada.userId}`, { body }],
      [self, 'PUT', `/api/users/${ada.userId}`, { body }],
      [key, 'DELETE', `/api/users/${ada.userId}`, {}],
    ] as const) {
      const refused = refusal(await caller.send(method, url, sent));
      expect(refused, `${method} ${url}`).toMatchObject({ status: 403, code: 'USER_REQUIRED' });
    }
    expect((await mine.send('GET', `/api/users/${ada.userId}`)).body.data).toMatchObject({
      lastName: 'Lovelace',
    });
  });

  it('shows a request whatever was changed before it [S-74]', async () => {
    const caller = await running.member();
    const { organizationId } = caller;
    const listed = async (path = '') => (await caller.send('GET', `/api/users${path}`)).body.data as object[];
    for (let n = 0; n < 5; n += 1) {
      const ada = person(organizationId, `Ada Byron ${n}`);
      feed.tell({ type: 'member.added', ...ada });
      expect((await caller.send('GET', `/api/users/${ada.userId}`)).status).toBe(200);
      feed.tell({ type: 'user.updated', ...ada, name: 'Ada Lovelace' });
      expect(await listed()).toEqual([expect.objectContaining({ id: ada.userId, lastName: 'Lovelace' })]);
      feed.tell({ type: 'user.updated', ...ada, name: 'Augusta King' });
      expect(await listed('/suggestions?prefix=augusta')).toHaveLength(1);
      feed.tell({ type: 'member.removed', organizationId, userId: ada.userId });
      expect((await caller.send('GET', `/api/users/${ada.userId}`)).status).toBe(404);
    }
  });

  it('stays readable while auth-service is away, and says of nobody that there is no such user', async () => {
    const caller = await running.member({ role: 'admin' });
    const ada = person(caller.organizationId, 'Ada');
    feed.tell({ type: 'member.added', ...ada });
    expect((await caller.send('GET', '/api/users')).body.meta.total).toBe(1);
    feed.isAway = true;
    expect((await caller.send('GET', '/api/users')).body.meta.total).toBe(1);
    expect((await caller.send('GET', `/api/users/${ada.userId}`)).status).toBe(200);
    for (const [method, id] of [
      ['GET', randomUUID()],
      ['PUT', ada.userId],
      ['DELETE', ada.userId],
    ] as const) {
      const body = method === 'PUT' && { body: { firstName: 'Eve' } };
      const { status, headers } = await caller.send(method, `/api/users/${id}`, body || {});
      expect([method, status, headers['retry-after']]).toEqual([method, 503, '1']);
    }
    feed.isAway = false;
    expect((await caller.send('GET', `/api/users/${randomUUID()}`)).status).toBe(404);
  });

  it('is searched as every service searches names', async () => {
    const caller = await running.member();
    const people = searchedNames.map(([name]) => person(caller.organizationId, name));
    feed.tell(...people.map((member) => ({ type: 'member.added', ...member })));
    const found = async (search: string) => {
      const { body } = await caller.send(
        'GET',
        `/api/users?pageSize=100&search=${encodeURIComponent(search)}`,
      );
      return (body.data as { id: string }[]).map(({ id }) => id);
    };
    await expect.poll(() => found('')).toHaveLength(people.length);
    for (const [place, [, ...searches]] of searchedNames.entries()) {
      for (const search of searches) expect(await found(search), search).toEqual([people[place]?.userId]);
    }
  });

  it('shows roles, as they are now, to those who ask for them', async () => {
    const mine = await running.member();
    const ada = person(mine.organizationId, 'Ada');
    feed.tell({ type: 'member.added', ...ada });
    const listed = async () => (await mine.send('GET', '/api/users?include=role')).body.data as object[];
    const become = (role: string) =>
      expect.poll(listed).toEqual([expect.objectContaining({ id: ada.userId, role })]);
    await become('member');
    feed.tell({ type: 'member.role-changed', ...ada, role: 'admin' });
    await become('admin');
    const one = await mine.send('GET', `/api/users/${ada.userId}?include=disabled,role`);
    expect(one.body.data).toMatchObject({ role: 'admin', disabled: false });
  });

  it('shows whether an account is disabled to those who ask for it', async () => {
    const mine = await running.member();
    const [ada, eve] = [person(mine.organizationId, 'Ada'), person(mine.organizationId, 'Eve')];
    // Events of earlier versions do not say.
    feed.tell({ type: 'member.added', ...ada }, { type: 'member.added', ...eve, disabled: false });
    feed.tell({ type: 'user.updated', ...ada, disabled: true });
    const listed = async (query = '') => (await mine.send('GET', `/api/users${query}`)).body.data as object[];
    const asShown = [
      expect.objectContaining({ firstName: 'Ada', disabled: true }),
      expect.objectContaining({ firstName: 'Eve', disabled: false }),
    ];
    await expect.poll(() => listed('?include=disabled')).toEqual(asShown);
    const one = `/api/users/${ada.userId}`;
    expect((await mine.send('GET', `${one}?include=disabled`)).body.data).toEqual(asShown[0]);

    for (const user of [...(await listed()), (await mine.send('GET', one)).body.data as object]) {
      expect(Object.keys(user)).toEqual(['id', 'email', 'firstName', 'lastName', 'createdAt']);
    }
    expect((await mine.send('GET', `${one}?include=password`)).status).toBe(400);

    feed.tell({ type: 'user.updated', ...ada, disabled: false });
    await expect
      .poll(() => listed('?include=disabled'))
      .toEqual([expect.objectContaining({ firstName: 'Ada', disabled: false }), asShown[1]]);
  });

  it('cannot be written by a request: what auth-service tells is the only writer', async () => {
    const owner = await running.member({ role: 'owner' });
    const body = {
      email: 'ada@example.com',
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'King',
    };
    // The feed of this test knows no accounts.
    const { status, headers } = await owner.send('POST', '/api/users', { body });
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect((await owner.send('GET', '/api/users')).body.meta.total).toBe(0);
  });
});

it('a user with a second factor needs it confirmed in the last five minutes to delete another; one without goes by role [S-32]', async () => {
  const now = Math.floor(Date.now() / 1_000);
  const remove = async (amr: readonly string[], ageSeconds: number) => {
    const owner = await running.member({ role: 'owner', amr, auth_time: now - ageSeconds });
    const { status, headers, body } = await owner.send('DELETE', `/api/users/${randomUUID()}`);
    return [status, body.error.code, headers['www-authenticate']];
  };
  expect(await remove(['pwd', 'otp'], 600)).toEqual([
    401,
    'INSUFFICIENT_USER_AUTHENTICATION',
    expect.stringContaining('max_age="300"'),
  ]);
  // Let in, and no user has this id.
  expect((await remove(['pwd', 'otp'], 60)).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
  expect((await remove(['pwd'], 600)).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
});

it('an upgrade counts the users that are there already', async () => {
  const former = await createFormerDatabase('users-service', { before: '20261122111000' });
  const client = new pg.Client({ connectionString: former.adminUrl });
  await client.connect();
  try {
    const organizationId = randomUUID();
    await client.query(
      `INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at)
       SELECT $1, gen_random_uuid(), 'user@example.com', 'User', 'User', '', now() FROM generate_series(1, 3)`,
      [organizationId],
    );
    await former.upgrade();
    const counts = async () => (await client.query('SELECT * FROM profile_counts')).rows as object[];
    expect(await counts()).toEqual([{ organization_id: organizationId, profiles: 3 }]);
    await client.query('DELETE FROM profiles');
    expect(await counts()).toEqual([]);
  } finally {
    await client.end();
    await former.drop();
  }
});

it('an upgrade folds the names that are there already as it folds new ones', async () => {
  const former = await createFormerDatabase('users-service', { before: '20261123120000' });
  const client = new pg.Client({ connectionString: former.adminUrl });
  await client.connect();
  try {
    for (const [name] of searchedNames) {
      await client.query(
        `INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'user@example.com', $1, $1, '', now())`,
        [name],
      );
    }
    await former.upgrade();
    const { rows } = await client.query(
      `SELECT name FROM profiles WHERE search_text <> app.fold_text(name) || E'\\n' || app.fold_text(email)`,
    );
    expect(rows).toEqual([]);
  } finally {
    await client.end();
    await former.drop();
  }
});

describe('each list is read from its index', () => {
  const organizationId = randomUUID();
  beforeAll(async () => {
    await admin.query(
      `INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at)
       SELECT CASE WHEN n % 4 = 0 THEN $1 ELSE gen_random_uuid() END, gen_random_uuid(), 'user' || n || '@example.com',
         'User ' || n, 'User', n::text, now() - n * interval '1 s'
       FROM generate_series(1, 40000) n`,
      [organizationId],
    );
    await admin.query('VACUUM (ANALYZE) profiles');
  });

  it.each([
    ['', 'profiles_by_name'],
    ['?sort=-name&page=900', 'profiles_by_name'],
    ['?sort=email', 'profiles_by_email'],
    ['?sort=-createdAt', 'profiles_by_creation'],
    ['', 'profile_counts_pkey'],
    ['?search=user%20199', 'profiles_by_name'],
    ['?sort=createdAt&search=user%20199', 'profiles_by_creation'],
    ['?search=user%2019992', 'profiles_by_trigrams'],
    ['?sort=-email&search=user19992@', 'profiles_by_trigrams'],
  ])('%s', async (query, index) => {
    const member = await running.member({ organizationId });
    const { pool } = running.database;
    const reads = await readsOf({ admin, pool, tables: ['profiles', 'profile_counts'] }, async () => {
      expect((await member.send('GET', `/api/users${query}`)).status).toBe(200);
    });
    expect([...reads.keys()]).toContain(index);
    expect([...reads.keys()]).not.toContain('profiles sequentially');
  });

  it.each(['name', '-name', 'email', '-email', 'createdAt', '-createdAt'])(
    'the total of %s is exact on every page, searched or not',
    async (sort) => {
      const member = await running.member({ organizationId });
      const { rows } = await admin.query<{ all: number; found: number }>(
        `SELECT count(*)::int AS all, count(*) FILTER (WHERE strpos(search_text, 'user 199') > 0)::int AS found
         FROM profiles WHERE organization_id = $1`,
        [organizationId],
      );
      const [expected] = rows;
      const totalOf = async (query: string) => {
        const { body } = await member.send('GET', `/api/users?sort=${sort}${query}`);
        return [body.meta.total, (body.data as object[]).length];
      };
      const found = expected?.found ?? 0;
      expect(await totalOf('')).toEqual([expected?.all, 10]);
      expect(await totalOf('&page=90000')).toEqual([expected?.all, 0]);
      for (const [page, size] of [
        [1, 10],
        [2, 10],
        [Math.ceil(found / 10), found % 10 || 10],
        [Math.ceil(found / 10) + 1, 0],
      ]) {
        expect(await totalOf(`&search=user%20199&page=${page}`)).toEqual([found, size]);
      }
    },
  );
});
