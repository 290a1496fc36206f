import { channel } from 'node:diagnostics_channel';
import { createTestDatabase, type TestDatabase } from '@tenantry/test-kit';
import { expect, it } from 'vitest';

const answered = channel('tenantry.answered-rows');
const statement = {
  name: 'lead-names',
  text: 'SELECT name, phone, status FROM leads WHERE organization_id = $1',
  owner: 'organization',
  described: { project: 'leads-service' },
} as const;
const nameOf = ({ runtimeUrl }: TestDatabase) => new URL(runtimeUrl).pathname.slice(1);
const row = { name: 'Ada', phone: null, status: 'new' };

it.each([
  ['a null where none may be', { name: null }, 'lead-names: name is null and not string'],
  ['a text that no CHECK allows', { status: 'sold' }, "lead-names: status is string and not 'new' | "],
  ['a column that is not in the statement', { age: 3 }, 'lead-names: age is number and not answered'],
])('a test database is not dropped in silence after %s', async (_, change, problem) => {
  const database = await createTestDatabase('leads-service');
  answered.publish({ database: nameOf(database), statement, rows: [row, { ...row, ...change }] });
  await expect(database.drop()).rejects.toThrow(problem);
  await database.drop();
});

it('a test database is dropped after rows that fit their types', async () => {
  const database = await createTestDatabase('leads-service');
  answered.publish({ database: nameOf(database), statement, rows: [row, { ...row, phone: '1' }] });
  answered.publish({ database: 'of_another_test', statement, rows: [{ ...row, name: null }] });
  await database.drop();
});
