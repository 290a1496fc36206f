import pg from 'pg';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFixture, newOrganizations, type Fixture } from './fixture/database.ts';
import { makeNotesSearchable } from './fixture/searched-notes.ts';

// What the role of searches can be made to do, by hand and by a client that is not ours.

const refused = { code: '42501' };
const [own = '', other = ''] = newOrganizations(2);

let fixture: Fixture;
let service: pg.Client;
let role: string;
let owner: string;
beforeAll(async () => {
  fixture = await createFixture();
  await makeNotesSearchable(fixture);
  [role, owner] = ['search', 'owner'].map((kind) => fixture.runtimeRole.replace(/service$/, kind)) as [
    string,
    string,
  ];
  await fixture.admin.query(
    `DO $$ BEGIN
       EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
       EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${fixture.runtimeRole}', current_database());
     END $$`,
  );
  await fixture.admin.query(
    `INSERT INTO notes (organization_id, text) SELECT o, t FROM unnest($1::uuid[]) o, unnest($2::text[]) t`,
    [
      [own, other],
      ['Ada of this', 'Ada of that', 'Lovelace', '100% sure', '100 is sure'],
    ],
  );
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  service = new pg.Client({ connectionString: fixture.runtimeUrl });
  await service.connect();
});
afterEach(() => service.end());

/** Begins a search by hand. */
async function begin(organizationId: string | undefined, term: string | undefined): Promise<void> {
  await service.query('BEGIN');
  if (organizationId !== undefined)
    await service.query(`SELECT set_config('app.organization_id', $1, true)`, [organizationId]);
  if (term !== undefined) await service.query(`SELECT set_config('app.search_term', $1, true)`, [term]);
  await service.query(`SELECT set_config('role', $1, true)`, [role]);
}

const texts = async (sql = 'SELECT text FROM notes ORDER BY text'): Promise<string[]> =>
  (await service.query<{ text: string }>(sql)).rows.map(({ text }) => text);

/** The outcome of a statement of a search; the transaction continues. */
async function attempt(sql: string): Promise<unknown> {
  await service.query('SAVEPOINT attempt');
  return service.query(sql).then(
    ({ rows }): unknown => rows,
    async (error: unknown) => {
      await service.query('ROLLBACK TO SAVEPOINT attempt');
      return error;
    },
  );
}

describe('the role of searches', () => {
  it('sees the rows of its organization that hold its term, and no others [S-112]', async () => {
    await begin(own, 'ADA');
    expect(await texts()).toEqual(['Ada of that', 'Ada of this']);
    expect(await texts(`SELECT text FROM notes WHERE organization_id = '${other}'`)).toEqual([]);
    expect(await texts(`SELECT text FROM notes WHERE text = 'Lovelace' OR true`)).toHaveLength(2);
  });

  it('sees nothing without an organization, a term, or three letters or digits of one in a row [S-112]', async () => {
    for (const [organizationId, term] of [
      [undefined, 'ada'],
      ['', 'ada'],
      [own, undefined],
      ...['', 'ad', 'a d a', '%', '%%%', '___', '\\\\\\', '漢字漢字', 'жжжж'].map(
        (each) => [own, each] as const,
      ),
    ] as const) {
      await begin(organizationId, term);
      await expect(texts(), String(term)).rejects.toMatchObject(refused);
      await service.query('ROLLBACK');
    }
  });

  it('takes what is special in a pattern for what it is', async () => {
    for (const [term, wanted] of [
      ['100%', ['100% sure']],
      ['100_', []],
      ['100', ['100 is sure', '100% sure']],
      ['ada%this', []],
      ['ada\\', []],
      ['ada'.padEnd(40, '%'), []],
      [`${'x'.repeat(31)}\\%ada`, []],
    ] as const) {
      await begin(own, term);
      expect(await texts(), term).toEqual(wanted);
      await service.query('ROLLBACK');
    }
  });

  it('changes nothing, locks nothing, reads no other table and cannot become another role [S-112]', async () => {
    await begin(own, 'ada');
    for (const sql of [
      `INSERT INTO notes (organization_id, text) VALUES ('${own}', 'Ada new')`,
      `UPDATE notes SET text = text`,
      'DELETE FROM notes',
      'TRUNCATE notes',
      'SELECT FROM notes FOR UPDATE',
      'SELECT FROM notes FOR KEY SHARE',
      'LOCK TABLE notes IN ROW EXCLUSIVE MODE',
      'LOCK TABLE notes',
      ...['comments', 'memberships', 'devices', 'countries'].map((table) => `SELECT FROM ${table}`),
      'COPY comments TO STDOUT',
      'CREATE TEMPORARY TABLE notes_of_mine (id uuid)',
      'CREATE TABLE mine (id uuid)',
      'CREATE SCHEMA mine',
      'CREATE FUNCTION mine() RETURNS int LANGUAGE sql RETURN 1',
      `SET ROLE ${owner}`,
      `SET SESSION AUTHORIZATION ${owner}`,
      `GRANT ${role} TO ${owner}`,
      'ALTER POLICY search ON notes USING (true)',
      'DROP POLICY search ON notes',
      'ALTER TABLE notes DISABLE ROW LEVEL SECURITY',
      'SET LOCAL session_replication_role = replica',
    ])
      expect(await attempt(sql), sql).toMatchObject(refused);
    // It does not lift the policies; the database refuses what they would apply to.
    expect(await attempt(`SET LOCAL row_security = off`)).toEqual([]);
    expect(await attempt('SELECT FROM notes')).toMatchObject(refused);
  });

  it('shows a function that tells what it is given no row of anybody else [S-112]', async () => {
    await fixture.admin.query(`
      SET ROLE ${owner};
      CREATE FUNCTION app.tell(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS
        $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$;
      RESET ROLE`);
    const told: string[] = [];
    service.on('notice', ({ message = '' }) => told.push(message));
    await begin(own, 'ada');
    await texts('SELECT text FROM notes WHERE app.tell(organization_id::text || text)');
    expect(told.toSorted()).toEqual([`${own}Ada of that`, `${own}Ada of this`]);
  });

  it('counts for a statement that was prepared before, and for none that was prepared by it', async () => {
    await service.query(`SELECT set_config('app.organization_id', $1, false)`, [own]);
    await service.query('PREPARE before AS SELECT text FROM notes ORDER BY text');
    expect(await texts('EXECUTE before')).toHaveLength(5);
    await begin(own, 'ada');
    expect(await texts('EXECUTE before')).toHaveLength(2);
    await service.query('PREPARE during AS SELECT text FROM notes ORDER BY text');
    await service.query('COMMIT');
    expect(await texts('EXECUTE during')).toHaveLength(5);
    expect(await texts('EXECUTE before')).toHaveLength(5);
  });

  it.each([
    ['COMMIT', ['COMMIT']],
    ['ROLLBACK', ['ROLLBACK']],
    ['an error', ['SELECT 1 / 0', 'ROLLBACK']],
    ['a time-out', [`SET LOCAL statement_timeout = '20ms'`, 'SELECT pg_sleep(5)', 'ROLLBACK']],
  ])('ends with %s, and its term does [S-112]', async (_, statements) => {
    await begin(own, 'ada');
    for (const sql of statements) await service.query(sql).catch(() => undefined);
    const { rows } = await service.query(
      `SELECT current_user::text AS user, current_setting('app.search_term') AS term, current_setting('role') AS role`,
    );
    expect(rows).toEqual([{ user: fixture.runtimeRole, term: '', role: 'none' }]);
    await expect(texts()).rejects.toMatchObject(refused);
  });

  it('ends with a savepoint that is rolled back', async () => {
    await service.query(`BEGIN; SELECT set_config('app.organization_id', '${own}', true); SAVEPOINT part`);
    await service.query(`SELECT set_config('app.search_term', 'ada', true), set_config('role', $1, true)`, [
      role,
    ]);
    expect(await texts()).toHaveLength(2);
    await service.query('ROLLBACK TO SAVEPOINT part');
    expect(await texts()).toHaveLength(5);
  });

  it('cannot be signed in as, and is inherited by no role', async () => {
    await fixture.admin.query(`ALTER ROLE ${role} PASSWORD 'known'`);
    const url = Object.assign(new URL(fixture.runtimeUrl), { username: role, password: 'known' });
    const client = new pg.Client({ connectionString: url.href });
    await expect(client.connect()).rejects.toMatchObject({ code: '28000' });
    const { rows } = await fixture.admin.query(
      `SELECT member::regrole::text, inherit_option, set_option, admin_option FROM pg_auth_members
       WHERE roleid = $1::regrole`,
      [role],
    );
    expect(rows).toEqual([
      { member: fixture.runtimeRole, inherit_option: false, set_option: true, admin_option: false },
    ]);
  });
});

describe('the catalog is named', () => {
  /** Asks the catalog about a change that is rolled back. */
  async function problemsAfter(change: string): Promise<string[]> {
    const client = await fixture.admin.connect();
    try {
      await client.query(`BEGIN; ${change}`);
      return await catalogProblems(client, {
        runtimeRole: fixture.runtimeRole,
        unscoped: { countries: 'the same for everyone' },
      });
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('not for the role of searches as it should be', async () => {
    expect(await problemsAfter('')).toEqual([]);
  });

  it.each([
    ['is inherited', 'GRANT SEARCH TO SERVICE WITH INHERIT TRUE', 'role SERVICE is a member of SEARCH'],
    ['may be given on', 'GRANT SEARCH TO SERVICE WITH ADMIN TRUE', 'role SERVICE is a member of SEARCH'],
    [
      'may sign in',
      'ALTER ROLE SEARCH LOGIN',
      'role SEARCH may sign in: it is for the time of a search alone',
    ],
    ['passes policies', 'ALTER ROLE SEARCH BYPASSRLS', 'role SEARCH may bypass row-level security'],
    [
      'is a member of another',
      'GRANT pg_read_all_data TO SEARCH',
      'role SEARCH is a member of pg_read_all_data',
    ],
    [
      'writes',
      'GRANT UPDATE (text) ON notes TO SEARCH',
      'role SEARCH may UPDATE notes: it is to search alone',
    ],
    [
      'reads another table',
      'GRANT SELECT (text) ON comments TO SEARCH',
      'role SEARCH reads comments without a policy that leaves it what it searches for',
    ],
    [
      'has no policy',
      'DROP POLICY search ON notes',
      'role SEARCH reads notes without a policy that leaves it what it searches for',
    ],
    [
      'has a policy that leaves it more',
      'ALTER POLICY search ON notes USING (true OR folded LIKE (SELECT app.search_pattern()))',
      'role SEARCH reads notes without a policy that leaves it what it searches for',
    ],
    [
      'has a policy that adds rows',
      `DROP POLICY search ON notes;
       CREATE POLICY search ON notes FOR SELECT TO SEARCH USING (folded LIKE (SELECT app.search_pattern()))`,
      'role SEARCH reads notes without a policy that leaves it what it searches for',
    ],
    [
      'has a term of its own',
      `ALTER ROLE SEARCH SET app.search_term = 'ada'`,
      'role SEARCH has the setting app.search_term=ada',
    ],
    [
      'may create objects',
      'GRANT CREATE ON SCHEMA app TO SEARCH',
      'role SEARCH may create objects in schema app',
    ],
    ['owns something', 'ALTER TABLE countries OWNER TO SEARCH', 'role SEARCH owns table countries'],
    [
      'is given a term by a function',
      `CREATE FUNCTION app.term() RETURNS text LANGUAGE sql RETURN current_setting('app.search_term')`,
      'function app.term() touches the settings of the scope',
    ],
  ])('where it %s [S-112]', async (_, change, problem) => {
    const named = (text: string) =>
      text.replaceAll('SEARCH', role).replaceAll('SERVICE', fixture.runtimeRole);
    expect(await problemsAfter(named(change))).toContain(named(problem));
  });
});
