import { randomUUID } from 'node:crypto';
import { readsOf } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered, createQuote, startService, type Caller, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService({ env: { DATABASE_POOL_SIZE: '1' } });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const suggestions = '/api/quotation/customers/suggestions';

async function createCustomer(caller: Caller, name: string): Promise<string> {
  const customerId = randomUUID();
  await createQuote(caller, { customerId, customerName: name, customerEmail: 'asa@example.com' });
  return customerId;
}

it('customers are suggested by what their names begin with, in the order of their names', async () => {
  const caller = await service.member();
  const names = ['Åsa Öberg', 'ASA Berg', 'Asbjørn', 'Berg Åsa', '50% off', '50_off', 'Þórir', 'As', '李'];
  for (const name of names) await createCustomer(caller, name);
  await createCustomer(await service.member(), 'Asa of others');

  const suggested = async (prefix: string, limit = '') => {
    const asked = caller.send('GET', `${suggestions}?prefix=${encodeURIComponent(prefix)}${limit}`);
    return (await answered<{ name: string }[]>(asked)).map(({ name }) => name);
  };
  expect(await suggested('as')).toEqual(['As', 'ASA Berg', 'Åsa Öberg', 'Asbjørn']);
  expect(await suggested('ÅSA')).toEqual(['ASA Berg', 'Åsa Öberg']);
  expect(await suggested('as', '&limit=2')).toEqual(['As', 'ASA Berg']);
  expect(await suggested('50%')).toEqual(['50% off']);
  expect(await suggested('50_')).toEqual(['50_off']);
  expect(await suggested('tho')).toEqual(['Þórir']);
  expect(await suggested('李')).toEqual(['李']);
  expect(await suggested('berg')).toEqual(['Berg Åsa']);
  expect(await suggested('%')).toEqual([]);
});

it('customers are suggested with their addresses, and no longer once they are erased', async () => {
  const admins = await service.member({ role: 'admin' });
  const id = await createCustomer(admins, 'Ada Lovelace');
  const withoutAddress = randomUUID();
  await createQuote(admins, { customerId: withoutAddress, customerName: 'Ada King' });
  const suggested = async () => (await admins.send('GET', `${suggestions}?prefix=ada`)).body.data;
  const king = { id: withoutAddress, name: 'Ada King', email: null };
  expect(await suggested()).toEqual([king, { id, name: 'Ada Lovelace', email: 'asa@example.com' }]);
  const erased = await admins.send('POST', `/api/quotation/customers/${id}/erase`);
  expect(erased.status).toBe(204);
  expect(await suggested()).toEqual([king]);
});

it.each(['', 'prefix=', 'prefix=%20', `prefix=${'a'.repeat(101)}`, 'prefix=a&limit=51', 'prefix=%00'])(
  'suggestions refuse ?%s',
  async (query) => {
    expect((await (await service.member()).send('GET', `${suggestions}?${query}`)).status).toBe(400);
  },
);

it('suggestions read as many entries of an index as they show, however many customers there are [S-146]', async () => {
  const organizationId = randomUUID();
  await admin.query(
    `INSERT INTO customers (organization_id, id, name)
     SELECT $1, gen_random_uuid(), 'Customer ' || n FROM generate_series(1, 20000) n`,
    [organizationId],
  );
  await admin.query('VACUUM (ANALYZE) customers');
  const member = await service.member({ organizationId });
  const { pool } = service.database;
  const reads = await readsOf({ admin, pool, tables: ['customers'] }, async () => {
    const { body } = await member.send('GET', `${suggestions}?prefix=CUSTOMER`);
    expect(body.data).toHaveLength(10);
  });
  expect([...reads].map(([name, { entries }]) => [name, entries])).toEqual([
    ['customers_kept', 10],
    ['customers_pkey', 10],
  ]);
});
