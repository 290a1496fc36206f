import { randomUUID } from 'node:crypto';
import { askedSearches, expectSameSearches, expectSearchRole } from '@tenantry/service-tests';
import { TenantPool } from '@tenantry/tenancy';
import { createTestDatabase, type TestDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, it } from 'vitest';
import type { Rows } from '../src/database.ts';
import { queryUserPage } from '../src/users/user-page.repository.ts';
import { userOrders } from '../src/users/user.ts';

let database: TestDatabase;
let admin: pg.Client;
let pool: TenantPool;
beforeAll(async () => {
  database = await createTestDatabase('users-service');
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  pool = new TenantPool({ connectionString: database.runtimeUrl });
});
afterAll(async () => {
  await pool.end();
  await admin.end();
  await database.drop();
});

it('a search answers by its index as by reading every user, in any order, on any page [S-146]', async () => {
  const [organizationId, other] = [randomUUID(), randomUUID()];
  const insert = (texts: readonly string[]) =>
    admin.query(
      `INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at)
       SELECT o, gen_random_uuid(), left(t, 20) || '@' || n, t, t, '', now() - n % 4 * interval '1 day'
       FROM unnest($1::uuid[]) o, unnest($2::text[]) WITH ORDINALITY AS texts (t, n)`,
      [[organizationId, other], texts],
    );
  await expectSameSearches({
    pool,
    organizationId,
    async write(texts) {
      await admin.query('TRUNCATE profiles, profile_counts');
      await insert(texts);
    },
    ways: (search) =>
      askedSearches((rows: Rows) => {
        for (const sort of userOrders)
          for (const page of [1, 2, 90]) void queryUserPage(rows, { page, pageSize: 3, sort, search });
      }),
  });
});

it('the role of searches is lent for the time of a search, and sees what its policy says [S-112]', async () => {
  await expectSearchRole(admin, {
    service: 'tenantry_users_service',
    role: 'tenantry_users_search',
    reads: {
      profiles: `(replace(translate(search_text, 'ðŧς'::text, 'dtσ'::text), 'þ'::text, 'th'::text)`,
    },
  });
});
