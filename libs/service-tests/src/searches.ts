import type { OrganizationRows, Search, TenantPool } from '@tenantry/tenancy';
import { searchForms } from '@tenantry/tenancy/testing';
import { thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { expect } from 'vitest';

/** A search as a service's list sends it. */
export interface AskedSearch {
  readonly search: Search<unknown, unknown[]>;
  readonly values: unknown[];
}

/** What {@link expectSameSearches} needs of a service. */
export interface SearchesOptions {
  readonly pool: TenantPool;
  readonly organizationId: string;
  /** Gives the organization these texts, and takes what it had. */
  readonly write: (texts: readonly string[]) => Promise<void>;
  /** Every way in which the list is searched for a term: its orders, filters and pages. */
  readonly ways: (term: string) => readonly AskedSearch[];
}

const letters = [
  'abc',
  'Ann',
  'ðor',
  'þor',
  'straße',
  '100%',
  '\u0301',
  '😀',
  '\u{10FFFF}',
  'ﬁ',
  ...Array.from('aAbByYåÅéæœößŧςσΣıİжЖ漢字0 1%_\\\'"@.-+\t’–\u00a0\u2011Ａｶﾞガ'),
];
const texts = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 25 });
const asked = fc.array(texts, { minLength: 15, maxLength: 15 }).chain((written) => {
  const parts = fc
    .tuple(fc.constantFrom(...written), fc.nat(30), fc.integer({ min: 1, max: 40 }))
    .map(([text, from, length]) =>
      Array.from(text)
        .slice(from, from + length)
        .join(''),
    );
  const terms = fc.array(fc.oneof({ weight: 3, arbitrary: parts }, texts), { minLength: 8, maxLength: 10 });
  return fc.record({ written: fc.constant(written), terms, way: fc.nat() });
});

/**
 * Expects that a list answers any term in any text by its index as it does by reading every row: each order, filter and page of
 * it, with its total.
 */
export async function expectSameSearches({
  pool,
  organizationId,
  write,
  ways,
}: SearchesOptions): Promise<void> {
  let indexed = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ written, terms, way }) => {
      await write(written);
      for (const term of terms.map((each) => each.trim()).filter((each) => each !== '')) {
        const all = ways(term);
        // Another few of them each time: one after the other they take too long.
        for (const [i, { search, values }] of all.entries()) {
          if ((i + way) % Math.ceil(all.length / 4) !== 0) continue;
          const forms = await searchForms(pool, { scope: { organizationId }, search, term, values });
          if (!forms.indexed) continue;
          indexed += 1;
          expect(forms.indexed, `${search.indexed.name} ${term}`).toEqual(forms.scan);
        }
      }
    }),
    { numRuns: thorough(300, 15) },
  );
  expect(indexed).toBeGreaterThan(50);
}

/** The searches that a list asks its rows for; it is answered with nothing. */
export function askedSearches(ask: (rows: OrganizationRows) => void): AskedSearch[] {
  const asked: AskedSearch[] = [];
  const search = (by: AskedSearch['search'], _term: string, values: AskedSearch['values']) => {
    asked.push({ search: by, values });
    return Promise.resolve([]);
  };
  ask({ search } as never);
  return asked;
}

/** What {@link expectSearchRole} expects. */
export interface ExpectedSearchRole {
  /** The role that the service runs as. */
  readonly service: string;
  /** Its role of searches. */
  readonly role: string;
  /** The texts that it searches, as PostgreSQL prints them, by table: it reads no other. */
  readonly reads: Readonly<Record<string, string>>;
}

/** Expects that the role of searches is the service's by SET ROLE alone, and sees of each table what its policy says. */
export async function expectSearchRole(
  admin: Pick<Pool, 'query'>,
  { service, role, reads }: ExpectedSearchRole,
): Promise<void> {
  const { rows: members } = await admin.query(
    `SELECT member::regrole::text, inherit_option, set_option, admin_option FROM pg_auth_members
     WHERE roleid = $1::regrole`,
    [role],
  );
  expect(members).toEqual([
    { member: service, inherit_option: false, set_option: true, admin_option: false },
  ]);
  const { rows: policies } = await admin.query(
    `SELECT polrelid::regclass::text AS table, polpermissive AS adds, polcmd AS command,
       pg_get_expr(polqual, polrelid) AS reads
     FROM pg_policy WHERE $1::regrole = ANY (polroles)`,
    [role],
  );
  expect(policies).toEqual(
    Object.entries(reads).map(([table, text]) => ({
      table,
      adds: false,
      command: 'r',
      reads: `${text} ~~ ( SELECT app.search_pattern() AS search_pattern))`,
    })),
  );
  const { rows: granted } = await admin.query<{ grant: string }>(
    `SELECT DISTINCT format('%s %s', privilege_type, c.oid::regclass) AS grant
     FROM pg_class c, aclexplode(c.relacl) WHERE grantee = $1::regrole ORDER BY 1`,
    [role],
  );
  expect(granted.map(({ grant }) => grant)).toEqual(
    Object.keys(reads)
      .map((table) => `SELECT ${table}`)
      .toSorted(),
  );
}
