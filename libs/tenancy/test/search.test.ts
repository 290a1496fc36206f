import { findPgBouncer, startPgBouncer, thorough } from '@tenantry/test-kit';
import { statement, type BindingMode, type TenantDatabase } from '@tenantry/tenancy';
import { searchForms } from '@tenantry/tenancy/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, newOrganizations, type Fixture } from './fixture/database.ts';
import { failingSearch, makeNotesSearchable, noteSearch, sleepingSearch } from './fixture/searched-notes.ts';

let fixture: Fixture;
let searchRole: string;
const organizations = newOrganizations(4);
beforeAll(async () => {
  fixture = await createFixture();
  searchRole = fixture.runtimeRole.replace(/service$/, 'search');
  await makeNotesSearchable(fixture);
  await write(organizations, (n) => `Note ${n} of Ada`, 6_000);
  await write(organizations, (n) => `rare ${n}`, 5);
  await fixture.admin.query(
    `UPDATE notes SET created_at = now() - hashtext(text) * interval '1 ms'; ANALYZE notes`,
  );
});
afterAll(() => fixture.drop());

/** Puts texts into each organization, past every policy. */
async function write(owners: readonly string[], textOf: (n: number) => string, count: number): Promise<void> {
  await fixture.admin.query(
    `INSERT INTO notes (organization_id, text) SELECT o, o || ' ' || t FROM unnest($1::uuid[]) o, unnest($2::text[]) t`,
    [owners, Array.from({ length: count }, (_, n) => textOf(n))],
  );
}

const state = statement<{ role: string; user: string; term: string; plans: string; readOnly: string }>({
  name: 'search-state',
  text: `SELECT current_setting('role') AS role, current_user::text AS user, plans.*, term.*, changes.*
    FROM (SELECT current_setting('plan_cache_mode') AS plans, count(*) FROM notes WHERE organization_id = $1) AS plans,
      (SELECT coalesce(current_setting('app.search_term', true), '') AS term) AS term,
      (SELECT current_setting('transaction_read_only') AS "readOnly") AS changes`,
});

describe.each<BindingMode>(['connection', 'transaction'])('a search over a pool bound per %s', (binding) => {
  let database: TenantDatabase;
  const [organizationId = ''] = organizations;
  beforeAll(() => {
    database = fixture.open({ binding, poolSize: 1 });
  });

  const cancelSleepers = async () => {
    const { rowCount } = await fixture.admin.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%pg_sleep(30)%' AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    return rowCount;
  };
  const find = async (term: string) => database.within({ organizationId }).search(noteSearch, term, [term]);
  const rolesFor = async (term: string) => [...new Set((await find(term)).map(({ role }) => role))];

  it('runs as the role of searches where few rows hold the term, and as the service’s where many do', async () => {
    expect(await rolesFor('RARE 3')).toEqual([searchRole]);
    expect(await find('RARE 3')).toHaveLength(1);
    expect(await rolesFor('note')).toEqual([fixture.runtimeRole]);
    expect(await find('note')).toHaveLength(6_000);
    expect(await rolesFor('e 4')).toEqual([fixture.runtimeRole]);
  });

  it('reads all rows where they are few', async () => {
    const [few = ''] = newOrganizations(1);
    await write([few], (n) => `Few ${n}`, 100);
    const found = await database.within({ organizationId: few }).search(noteSearch, 'few 42', ['few 42']);
    expect(found).toMatchObject([{ role: fixture.runtimeRole }]);
  });

  it('finds nothing where nothing is, and takes wildcards for letters', async () => {
    for (const term of ['nobody', 'rar_ 3', 'rare%3', 'rare\\', '%%%%', '___', '%'.repeat(40)])
      expect(await find(term), term).toEqual([]);
  });

  const restored = async () =>
    expect(await database.within({ organizationId }).query(state, [])).toMatchObject([
      { role: 'none', user: fixture.runtimeRole, term: '', plans: 'force_generic_plan', readOnly: 'off' },
    ]);

  it('leaves nothing of its role on the connection, however it ends', async () => {
    const rows = database.within({ organizationId });
    await find('rare 3');
    await restored();
    await expect(rows.search(failingSearch, 'rare', [''])).rejects.toMatchObject({ code: '22012' });
    await restored();
    const asleep = expect(rows.search(sleepingSearch, 'rare', [''])).rejects.toMatchObject({ code: '57014' });
    await expect.poll(cancelSleepers, { interval: 20 }).toBe(1);
    await asleep;
    await restored();
  });

  it('reads all rows in a transaction, whose other statements keep their role', async () => {
    await database.within({ organizationId }).transaction(async (tx) => {
      expect(await tx.search(noteSearch, 'rare 3', ['rare 3'])).toMatchObject([
        { role: fixture.runtimeRole },
      ]);
      const part = tx.asScope();
      expect(await part.search(noteSearch, 'rare', ['rare'])).toHaveLength(5);
      expect(await tx.query(state, [])).toMatchObject([{ user: fixture.runtimeRole, readOnly: 'off' }]);
    });
    await restored();
  });
});

it('answers the same by the index as by reading every row, for any term in any text', async () => {
  const database = fixture.open();
  const [organizationId = '', other = ''] = newOrganizations(2);
  const scope = { organizationId };
  const letter = fc.constantFrom(
    'abc',
    'Ebb',
    ...Array.from("aAbByåÅéeöß%_\\' \t.-@1žıİſΣσςжЖ漢字ŧðþæ"),
    '\u0301',
    '😀',
    '\u{10FFFF}',
  );
  const texts = fc.string({ unit: letter, minLength: 1, maxLength: 40 });
  const cases = fc.array(texts, { minLength: 20, maxLength: 20 }).chain((written) => {
    const part = fc
      .tuple(fc.constantFrom(...written), fc.nat(50), fc.integer({ min: 1, max: 45 }))
      .map(([text, from, length]) =>
        Array.from(text)
          .slice(from, from + length)
          .join(''),
      )
      .filter((term) => term !== '');
    return fc.record({
      written: fc.constant(written),
      terms: fc.array(fc.oneof(part, texts), { minLength: 10 }),
    });
  });
  let indexed = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ written, terms }) => {
      await fixture.admin.query('DELETE FROM notes WHERE organization_id = ANY ($1)', [
        [organizationId, other],
      ]);
      await fixture.admin.query(
        `INSERT INTO notes (organization_id, text) SELECT DISTINCT o, t FROM unnest($1::uuid[]) o, unnest($2::text[]) t`,
        [[organizationId, other], written],
      );
      for (const term of terms) {
        const forms = await searchForms(database.pool, { scope, search: noteSearch, term, values: [term] });
        const chosen = await database.within(scope).search(noteSearch, term, [term]);
        const wanted = forms.scan.map(({ text }) => text);
        expect(chosen.map(({ text }) => text)).toEqual(wanted);
        if (!forms.indexed) continue;
        indexed += 1;
        expect(forms.indexed.map(({ text }) => text)).toEqual(wanted);
      }
    }),
    { numRuns: thorough(200, 10) },
  );
  expect(indexed).toBeGreaterThan(20);
});

const program = findPgBouncer();
it.skipIf(!program?.preparesStatements)(
  'keeps organizations, roles and terms apart behind a pooler in transaction mode [S-112]',
  async () => {
    const pooler = await startPgBouncer({
      program: program!,
      directUrls: [fixture.runtimeUrl],
      settings: { max_prepared_statements: 100, default_pool_size: 2, server_round_robin: 1 },
    });
    try {
      const connectionString = pooler.urlOf(fixture.runtimeUrl);
      const database = fixture.open({ binding: 'transaction', connectionString, poolSize: 6 });
      const looks = Array.from({ length: thorough(2_000, 400) }, async (_, n) => {
        const organizationId = organizations[n % organizations.length] ?? '';
        const rows = database.within({ organizationId });
        if (n % 5 === 0) {
          await expect(rows.search(failingSearch, 'rare', [''])).rejects.toMatchObject({ code: '22012' });
        }
        if (n % 3 === 0) {
          expect(await rows.query(state, [])).toMatchObject([{ user: fixture.runtimeRole, term: '' }]);
        }
        const term = `rare ${n % 5}`;
        expect(await rows.search(noteSearch, term, [term])).toEqual([
          { text: `${organizationId} ${term}`, role: searchRole, replica: false },
        ]);
      });
      await Promise.all(looks);
    } finally {
      await pooler.stop();
    }
  },
);
