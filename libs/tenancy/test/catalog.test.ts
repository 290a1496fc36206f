import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogProblems, type TenantDatabase } from '@tenantry/tenancy';
import { createFixture, type Fixture, type PrismaClient } from './fixture/database.ts';

let fixture: Fixture;
let database: TenantDatabase<PrismaClient>;
beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open();
});
afterAll(() => fixture.drop());

const policy = 'USING (organization_id = (SELECT app.current_organization_id()))';
const check = 'WITH CHECK (organization_id = (SELECT app.current_organization_id()))';
const protect = (table: string) =>
  `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`;
const table = (columns = 'organization_id uuid PRIMARY KEY') => `CREATE TABLE bad (${columns});`;

/** Runs the catalog query on a change that is rolled back. */
async function problemsAfter(change: string, runtimeRole = fixture.runtimeRole): Promise<string[]> {
  const client = await fixture.admin.connect();
  try {
    await client.query(`BEGIN; ${change}`);
    return await catalogProblems(client, { runtimeRole });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

it('finds nothing where every tenant table keeps the convention', async () => {
  expect(await catalogProblems(database.pool)).toEqual([]);
});

describe('names', () => {
  it.each([
    ['a table without row-level security', table(), 'bad has no row-level security'],
    [
      'security that is not forced',
      `${table()} ALTER TABLE bad ENABLE ROW LEVEL SECURITY`,
      'bad does not force',
    ],
    [
      'a table without a policy',
      `${table()} ${protect('bad')}`,
      'bad has no policy with USING and WITH CHECK',
    ],
    [
      'a policy for reading alone',
      `${table()} ${protect('bad')} CREATE POLICY p ON bad FOR SELECT ${policy}`,
      'bad has no policy with USING and WITH CHECK',
    ],
    [
      'a policy without WITH CHECK',
      `${table()} ${protect('bad')} CREATE POLICY p ON bad ${policy}`,
      'policy p of bad does not ask for the scope in WITH CHECK',
    ],
    [
      'a policy that lets everything through',
      `${table()} ${protect('bad')} CREATE POLICY p ON bad ${policy} ${check}; CREATE POLICY q ON bad USING (true) ${check}`,
      'policy q of bad does not ask for the scope in USING',
    ],
    [
      'a unique key across tenants',
      `${table('organization_id uuid, email text UNIQUE')} ${protect('bad')} CREATE POLICY p ON bad ${policy} ${check}`,
      'unique index bad_email_key of bad leaves organization_id out',
    ],
    [
      'an organization that is only included in a unique key',
      `${table('organization_id uuid, email text')} ${protect('bad')} CREATE POLICY p ON bad ${policy} ${check};
       CREATE UNIQUE INDEX bad_email ON bad (email) INCLUDE (organization_id)`,
      'unique index bad_email of bad leaves organization_id out',
    ],
    [
      'a foreign key across tenants',
      `ALTER TABLE notes ADD CONSTRAINT lone_id UNIQUE (id);
       ${table('organization_id uuid PRIMARY KEY, note uuid, CONSTRAINT to_note FOREIGN KEY (note) REFERENCES notes (id)')}`,
      'foreign key to_note of bad leaves organization_id out',
    ],
    [
      'a foreign key whose organizations do not meet',
      `ALTER TABLE notes ADD CONSTRAINT turned UNIQUE (id, organization_id);
       ${table('organization_id uuid PRIMARY KEY, note uuid, CONSTRAINT to_note FOREIGN KEY (organization_id, note) REFERENCES notes (id, organization_id)')}`,
      'foreign key to_note of bad leaves organization_id out',
    ],
    [
      'a materialized copy',
      'CREATE MATERIALIZED VIEW copy AS SELECT organization_id FROM memberships WITH NO DATA',
      'copy is a materialized view',
    ],
  ])('%s', async (_, change, problem) => {
    expect(await problemsAfter(change)).toContainEqual(expect.stringContaining(problem));
  });

  it('a runtime role that owns, bypasses or may become an owner', async () => {
    const role = fixture.runtimeRole;
    const owner = role.replace(/_service$/, '_owner');
    expect(await problemsAfter(`ALTER ROLE ${role} BYPASSRLS`)).toEqual([
      `role ${role} may bypass row-level security`,
    ]);
    expect(await problemsAfter(`ALTER TABLE countries OWNER TO ${role}`)).toEqual([
      `role ${role} owns table countries`,
    ]);
    expect(await problemsAfter(`GRANT ${owner} TO ${role}`)).toContain(`role ${role} owns table notes`);
    expect(await catalogProblems(fixture.admin)).toContainEqual(
      expect.stringMatching(/^role .* may bypass row-level security$/),
    );
  });
});
