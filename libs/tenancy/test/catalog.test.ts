import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogProblems, type CatalogOptions } from '@tenantry/sql-check/catalog';
import type { TenantDatabase } from '@tenantry/tenancy';
import { createFixture, type Fixture } from './fixture/database.ts';

let fixture: Fixture;
let database: TenantDatabase;
let owner: string;
beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open();
  owner = fixture.runtimeRole.replace(/_service$/, '_owner');
});
afterAll(() => fixture.drop());

const unscoped = { countries: 'the same for everyone' };
const mine = 'organization_id = (SELECT app.current_organization_id())';
const protect = `ALTER TABLE bad ENABLE ROW LEVEL SECURITY; ALTER TABLE bad FORCE ROW LEVEL SECURITY;`;
const policy = `CREATE POLICY p ON bad USING (${mine}) WITH CHECK (${mine});`;
const create = (columns = '') => `CREATE TABLE bad (organization_id uuid PRIMARY KEY ${columns});`;
/** A table that keeps the convention but for what `columns` and `policies` say. */
const table = (columns = '', policies = policy) => `${create(columns)} ${protect} ${policies}`;

/** Asks the catalog about a change that is rolled back. The change is the owner's, as a migration's would be. */
async function problemsAfter(change: string, options: CatalogOptions = {}): Promise<string[]> {
  const client = await fixture.admin.connect();
  try {
    await client.query(`BEGIN; SET LOCAL ROLE ${owner}; ${change}; RESET ROLE`);
    return await catalogProblems(client, { runtimeRole: fixture.runtimeRole, unscoped, ...options });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

it('finds nothing where every tenant table keeps the convention', async () => {
  expect(await catalogProblems(database.pool, { unscoped })).toEqual([]);
  expect(await problemsAfter(table())).toEqual([]);
});

describe('names a table', () => {
  it.each([
    [
      'without an owner that is on no list',
      'CREATE TABLE bad (id uuid PRIMARY KEY)',
      'bad has neither an organization_id nor a user_id and is not listed as unscoped',
    ],
    ['without row-level security', create(), 'bad has no row-level security'],
    [
      'whose security is not forced',
      `${create()} ALTER TABLE bad ENABLE ROW LEVEL SECURITY`,
      'bad does not force row-level security on its owner',
    ],
    [
      'in another schema',
      'CREATE TABLE app.bad (organization_id uuid PRIMARY KEY)',
      'app.bad has no row-level security',
    ],
    [
      'that is a partition of its own',
      `CREATE TABLE whole (organization_id uuid PRIMARY KEY) PARTITION BY HASH (organization_id);
       CREATE TABLE bad PARTITION OF whole FOR VALUES WITH (MODULUS 1, REMAINDER 0)`,
      'bad has no row-level security',
    ],
    [
      'whose owner may be missing',
      `CREATE TABLE bad (organization_id uuid, UNIQUE (organization_id)); ${protect} ${policy}`,
      'organization_id of bad is not a uuid NOT NULL: a row might have no owner',
    ],
    [
      'with an identity column',
      table(', n bigint GENERATED ALWAYS AS IDENTITY'),
      'column n of bad counts by a sequence, which collides on another server: use uuidv7()',
    ],
    [
      'with a sequence',
      table(', n bigserial'),
      'column n of bad counts by a sequence, which collides on another server: use uuidv7()',
    ],
    [
      'with a sequence that another table counts by as well',
      `CREATE SEQUENCE shared; ${table(", n bigint DEFAULT nextval('shared')")}`,
      'column n of bad counts by a sequence, which collides on another server: use uuidv7()',
    ],
    [
      'that is a materialized copy',
      'CREATE MATERIALIZED VIEW copy AS SELECT organization_id FROM memberships WITH NO DATA',
      'copy is a materialized view: row-level security does not reach it',
    ],
    [
      'that is seen through a view with the rights of its owner',
      'CREATE VIEW seen AS SELECT * FROM notes',
      'view seen reads with the rights of its owner: set security_invoker',
    ],
  ])('%s [S-105]', async (_, change, problem) => {
    expect(await problemsAfter(change)).toContain(problem);
  });

  it('that is listed and does not exist, or is listed without a reason', async () => {
    expect(await problemsAfter('', { unscoped: { ...unscoped, planets: 'as above' } })).toEqual([
      'planets is listed as unscoped and does not exist',
    ]);
    expect(await problemsAfter('', { unscoped: { countries: ' ' } })).toEqual([
      'countries is listed without a reason',
    ]);
  });

  it('and accepts a view that reads with the rights of who asks', async () => {
    const view = 'CREATE VIEW seen WITH (security_invoker = true) AS SELECT * FROM notes';
    expect(await problemsAfter(view)).toEqual([]);
  });
});

describe('names a policy', () => {
  const expression = (part: string, printed: string) =>
    `policy p of bad is none of the accepted forms in ${part}: ${printed}`;
  const using = (condition: string) => `CREATE POLICY p ON bad USING (${condition}) WITH CHECK (${mine})`;
  const checking = (condition: string) => `CREATE POLICY p ON bad USING (${mine}) WITH CHECK (${condition})`;

  it.each([
    ['that is missing', '', 'bad has no policy for every command'],
    [
      'for reading alone',
      `CREATE POLICY p ON bad FOR SELECT USING (${mine})`,
      'bad has no policy for every command',
    ],
    ['that lets every row through', using('true'), expression('USING', 'true')],
    ['that lets every row in', checking('true'), expression('WITH CHECK', 'true')],
    [
      'that asks for a scope and compares nothing',
      using('app.current_organization_id() IS NOT NULL'),
      expression('USING', '(app.current_organization_id() IS NOT NULL)'),
    ],
    [
      'that compares and adds an OR',
      using(`${mine} OR true`),
      expression(
        'USING',
        '((organization_id = ( SELECT app.current_organization_id() AS current_organization_id)) OR true)',
      ),
    ],
    [
      'that asks once for every row',
      using('organization_id = app.current_organization_id()'),
      expression('USING', '(organization_id = app.current_organization_id())'),
    ],
    [
      'that reads the setting by itself',
      using(`organization_id = current_setting('app.organization_id')::uuid`),
      expression('USING', `(organization_id = (current_setting('app.organization_id'::text))::uuid)`),
    ],
    [
      'of the one column that asks for the other',
      using('organization_id = (SELECT app.current_user_id())'),
      expression('USING', '(organization_id = ( SELECT app.current_user_id() AS current_user_id))'),
    ],
    [
      'that is added to another one',
      `${policy} CREATE POLICY q ON bad FOR SELECT USING (${mine})`,
      'policies p and q of bad add up: any of them lets a row through',
    ],
    [
      'for some roles alone',
      `CREATE POLICY p ON bad TO pg_monitor USING (${mine})`,
      'policy p of bad holds for some roles alone',
    ],
  ])('%s [S-105]', async (_, policies, problem) => {
    expect(await problemsAfter(table('', policies))).toContain(problem);
  });

  it('by which a user would write into any organization', async () => {
    const either =
      'organization_id = (SELECT app.organization_id_in_scope()) OR user_id = (SELECT app.user_id_in_scope())';
    const reads = `CREATE POLICY p ON bad USING (${either}) WITH CHECK (${mine})`;
    expect(await problemsAfter(table(', user_id uuid NOT NULL', reads))).toEqual([]);
    const writes = `CREATE POLICY p ON bad USING (${either}) WITH CHECK (${either})`;
    const [problem] = await problemsAfter(table(', user_id uuid NOT NULL', writes));
    expect(problem).toMatch(/^policy p of bad is none of the accepted forms in WITH CHECK: /);
  });

  it('not where it only takes away', async () => {
    const restrictive = `${policy} CREATE POLICY q ON bad AS RESTRICTIVE USING (false)`;
    expect(await problemsAfter(table('', restrictive))).toEqual([]);
  });
});

describe('names a key', () => {
  it.each([
    [
      'that is unique across tenants',
      table(', email text UNIQUE'),
      'key bad_email_key of bad does not begin with organization_id',
    ],
    [
      'that has the organization, but not first',
      table(', email text, UNIQUE (email, organization_id)'),
      'key bad_email_organization_id_key of bad does not begin with organization_id',
    ],
    [
      'that only includes the organization',
      `${table(', email text')} CREATE UNIQUE INDEX bad_email ON bad (email) INCLUDE (organization_id)`,
      'key bad_email of bad does not begin with organization_id',
    ],
    [
      'of an expression',
      `${table(', email text')} CREATE UNIQUE INDEX bad_email ON bad (lower(email))`,
      'key bad_email of bad does not begin with organization_id',
    ],
    [
      'that leads across tenants',
      `ALTER TABLE notes ADD CONSTRAINT lone_id UNIQUE (id);
       ${table(', note uuid, CONSTRAINT to_note FOREIGN KEY (note) REFERENCES notes (id)')}`,
      'foreign key to_note of bad does not begin with organization_id on both sides',
    ],
    [
      'whose organizations do not meet',
      `ALTER TABLE notes ADD CONSTRAINT turned UNIQUE (id, organization_id);
       ${table(', note uuid, CONSTRAINT to_note FOREIGN KEY (organization_id, note) REFERENCES notes (id, organization_id)')}`,
      'foreign key to_note of bad does not begin with organization_id on both sides',
    ],
    [
      'that leads from a table without owner to rows of a tenant',
      `CREATE TABLE bad (note_organization uuid, note uuid, CONSTRAINT to_note FOREIGN KEY (note_organization, note) REFERENCES notes)`,
      'foreign key to_note of bad does not begin with organization_id on both sides',
    ],
    [
      'that leads to a table without owner',
      table(', country text, CONSTRAINT to_country FOREIGN KEY (country) REFERENCES countries'),
      'foreign key to_country of bad leads to countries, which has no owner',
    ],
  ])('%s [S-105]', async (_, change, problem) => {
    expect(await problemsAfter(change)).toContain(problem);
  });

  it('not where it stays within the organization, or leads to the table of organizations', async () => {
    const own = ', note uuid, FOREIGN KEY (organization_id, note) REFERENCES notes (organization_id, id)';
    expect(await problemsAfter(table(own))).toEqual([]);
    const roots = { unscoped: { ...unscoped, organizations: 'the tenants themselves' } };
    const root = `CREATE TABLE organizations (id uuid PRIMARY KEY);
      ${table(', FOREIGN KEY (organization_id) REFERENCES organizations')}`;
    expect(await problemsAfter(root, roots)).toEqual([]);
  });
});

describe('names what runs past the policies', () => {
  const trigger = `CREATE TRIGGER t AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION app.f()`;
  const fn = (body: string, options = '') =>
    `CREATE FUNCTION app.f() RETURNS trigger LANGUAGE plpgsql ${options} AS $$ BEGIN ${body}; RETURN NULL; END $$;`;

  it.each([
    [
      'a trigger with the rights of its owner',
      `${fn('PERFORM 1', 'SECURITY DEFINER')} ${trigger}`,
      'trigger t of notes may reach another tenant: app.f() runs with the rights of its owner',
    ],
    [
      'a trigger that binds another scope',
      `${fn("PERFORM set_config('app.organization_id', NEW.text, true)")} ${trigger}`,
      'trigger t of notes may reach another tenant: app.f() touches the settings of the scope',
    ],
    [
      'a trigger that switches row-level security off',
      `${fn('PERFORM 1', 'SET row_security = off')} ${trigger}`,
      'trigger t of notes may reach another tenant: app.f() changes the scope or the role that it runs in',
    ],
    [
      'a function with the rights of its owner',
      'CREATE FUNCTION public.every_note() RETURNS SETOF notes LANGUAGE sql SECURITY DEFINER RETURN (SELECT n FROM notes n LIMIT 1)',
      'function every_note() runs with the rights of its owner',
    ],
    [
      'a function that binds another scope',
      `CREATE FUNCTION public.bind(id text) RETURNS text LANGUAGE sql RETURN set_config('app.organization_id', id, false)`,
      'function bind(text) touches the settings of the scope',
    ],
    [
      'a rule',
      'CREATE RULE r AS ON INSERT TO notes DO ALSO DELETE FROM memberships',
      'rule r of notes runs with the rights of the owner of the table',
    ],
  ])('%s [S-105]', async (_, change, problem) => {
    expect(await problemsAfter(change)).toEqual([problem]);
  });

  it('not a trigger that stays in the scope of who writes', async () => {
    expect(await problemsAfter(`${fn('DELETE FROM memberships')} ${trigger}`)).toEqual([]);
  });
});

describe('names a privilege', () => {
  it.each([
    ['TRUNCATE', 'notes'],
    ['REFERENCES', 'notes'],
    ['TRIGGER', 'notes'],
    ['MAINTAIN', 'notes'],
    ['TRUNCATE', 'countries'],
  ])('%s on %s', async (privilege, name) => {
    const role = fixture.runtimeRole;
    expect(await problemsAfter(`GRANT ${privilege} ON ${name} TO ${role}`)).toEqual([
      `role ${role} may ${privilege} ${name}, which passes row-level security`,
    ]);
  });

  it('on a column, for everyone, on schemas, and by default', async () => {
    const role = fixture.runtimeRole;
    expect(await problemsAfter(`GRANT REFERENCES (id) ON notes TO ${role}`)).toEqual([
      `role ${role} may REFERENCES notes, which passes row-level security`,
    ]);
    expect(await problemsAfter('GRANT SELECT ON notes TO PUBLIC')).toEqual(['everyone may SELECT notes']);
    expect(await problemsAfter('GRANT UPDATE (text) ON notes TO PUBLIC')).toEqual([
      'everyone may UPDATE notes',
    ]);
    expect(await problemsAfter(`GRANT CREATE ON SCHEMA app TO ${role}`)).toEqual([
      `role ${role} may create objects in schema app`,
    ]);
    expect(await problemsAfter(`ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ${role}`)).toEqual([
      `role ${role} gets SELECT on future tables by default`,
    ]);
    expect(await problemsAfter('ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC')).toEqual([
      'everyone gets SELECT on future tables by default',
    ]);
  });
});

describe('names a runtime role', () => {
  const asAdmin = (change: string) => problemsAfter(`RESET ROLE; ${change}`);

  it('that owns, bypasses, or may become an owner', async () => {
    const role = fixture.runtimeRole;
    expect(await asAdmin(`ALTER ROLE ${role} BYPASSRLS`)).toEqual([
      `role ${role} may bypass row-level security`,
    ]);
    expect(await asAdmin(`ALTER ROLE ${role} REPLICATION CREATEDB CREATEROLE`)).toEqual([
      `role ${role} may create databases`,
      `role ${role} may create roles`,
      `role ${role} may read the stream of all changes`,
    ]);
    expect(await asAdmin(`ALTER TABLE countries OWNER TO ${role}`)).toContain(
      `role ${role} owns table countries`,
    );
    expect(await asAdmin(`GRANT ${owner} TO ${role}`)).toEqual(
      expect.arrayContaining([`role ${role} owns table notes`, `role ${role} is a member of ${owner}`]),
    );
    expect(await asAdmin(`GRANT pg_read_all_data TO ${role}`)).toEqual([
      `role ${role} is a member of pg_read_all_data`,
    ]);
    expect(await catalogProblems(fixture.admin)).toContainEqual(
      expect.stringMatching(/^role .* may bypass row-level security$/),
    );
  });

  it('that is in a scope before it asks for one', async () => {
    const role = fixture.runtimeRole;
    expect(await asAdmin(`ALTER ROLE ${role} SET app.organization_id = 'x'`)).toEqual([
      `role ${role} has the setting app.organization_id=x`,
    ]);
  });
});

describe('an accepted problem', () => {
  const change = `CREATE VIEW seen AS SELECT * FROM notes`;
  const problem = 'view seen reads with the rights of its owner: set security_invoker';

  it('is left out, word for word and with a reason', async () => {
    expect(await problemsAfter(change, { accepted: { [problem]: 'a report of the operator' } })).toEqual([]);
    expect(await problemsAfter(change, { accepted: { [problem]: '' } })).toEqual([
      `${problem} is listed without a reason`,
    ]);
  });

  it('is named once it is gone', async () => {
    expect(await problemsAfter('', { accepted: { [problem]: 'a report of the operator' } })).toEqual([
      `accepted, but not found: ${problem}`,
    ]);
  });
});
