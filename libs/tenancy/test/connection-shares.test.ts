import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedFrom } from '@tenantry/fair-shares';
import { patience } from '@tenantry/test-kit';
import { statement, unscopedStatement, type BindingMode, type TenantScope } from '@tenantry/tenancy';
import { createFixture, models, writeNotes, type Fixture } from './fixture/database.ts';

const read = statement<{ text: string }>({
  name: 'shares-read',
  text: 'SELECT text FROM notes WHERE organization_id = $1',
});
const readOwn = statement<{ role: string }>({
  name: 'shares-read-own',
  text: 'SELECT role FROM memberships WHERE user_id = $1',
  owner: 'user',
});
const readCountries = unscopedStatement<{ code: string }>({
  name: 'shares-read-countries',
  text: 'SELECT code FROM countries',
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

/** Transactions that last until they are released, in the order in which they began. */
function slowTransactions() {
  const running: (() => void)[] = [];
  const ends: Promise<unknown>[] = [];
  return {
    begin(tenant: TenantScope, count: number) {
      for (let n = 0; n < count; n++) {
        const slow = tenant.transaction(async (tx) => {
          await tx.query(read, []);
          await new Promise<void>((resolve) => running.push(resolve));
        });
        ends.push(slow.catch((error: unknown) => error));
      }
    },
    get running() {
      return running.length;
    },
    endFirst: () => running.shift()?.(),
    async endAll() {
      const all = Promise.all(ends).then(() => true);
      while (!(await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5, false))]))) {
        while (running.length > 0) running.shift()?.();
      }
    },
  };
}

describe.each<BindingMode>(['connection', 'transaction'])('connections, bound by %s', (binding) => {
  const open = (poolSize: number, options = {}) => fixture.open({ binding, poolSize, ...options });

  it('are held by one organization to a half at most, so that another one is answered immediately [S-108]', async () => {
    const database = open(4);
    const [one, other] = [randomUUID(), randomUUID()].map((organizationId) =>
      database.within({ organizationId }),
    );
    const slow = slowTransactions();
    slow.begin(one!, 30);
    await expect.poll(() => slow.running).toBe(2);
    expect(await other!.query(read, [])).toEqual([]);
    expect(await other!.transaction((tx) => tx.query(read, []))).toEqual([]);
    expect(await models(other!).note.findMany()).toEqual([]);
    expect([slow.running, database.pool.totalCount]).toEqual([2, 3]);
    await slow.endAll();
    expect(database.pool.shares.shares[0].counts).toMatchObject({ running: 0, waiting: 0 });
  });

  it('go to organizations in turn, whichever of them asked first [S-108]', async () => {
    const database = open(2);
    const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()].map((organizationId) =>
      database.within({ organizationId }),
    );
    const slow = slowTransactions();
    slow.begin(one!, 30);
    slow.begin(other!, 30);
    await expect.poll(() => slow.running).toBe(2);
    const answered = third!.query(read, []);
    await expect.poll(() => database.pool.shares.waiting).toBe(59);
    slow.endFirst();
    // One transaction has ended, and 58 have waited for longer.
    expect(await answered).toEqual([]);
    await slow.endAll();
  });

  it('are left in part to other addresses by one, however many organizations it has', async () => {
    const database = open(4);
    const slow = slowTransactions();
    askedFrom('198.51.100.1', () => {
      for (let n = 0; n < 8; n++) slow.begin(database.within({ organizationId: randomUUID() }), 4);
    });
    await expect.poll(() => slow.running).toBe(3);
    const stranger = database.within({ organizationId: randomUUID() });
    expect(await askedFrom('192.0.2.1', () => stranger.query(read, []))).toEqual([]);
    expect(await stranger.transaction((tx) => tx.query(read, []))).toEqual([]);
    expect(slow.running).toBe(3);
    await slow.endAll();
    for (const { counts } of database.pool.shares.shares) {
      expect(counts).toMatchObject({ running: 0, waiting: 0 });
    }
  });

  it('go to addresses in turn where their statements belong to no scope', async () => {
    const database = open(2);
    const client = await fixture.admin.connect();
    await client.query('BEGIN; LOCK TABLE countries');
    const ask = () => database.unscoped.query(readCountries, []);
    const order: string[] = [];
    const flood = askedFrom('198.51.100.1', () =>
      Array.from({ length: 20 }, () => ask().then(() => order.push('flood'))),
    );
    await expect.poll(() => database.pool.shares.waiting).toBe(19);
    const stranger = askedFrom('192.0.2.1', ask).then(() => order.push('stranger'));
    await client.query('ROLLBACK');
    client.release();
    await Promise.all([...flood, stranger]);
    expect(order.indexOf('stranger')).toBeLessThanOrEqual(2);
  });

  it('are shared by user where a scope names no organization', async () => {
    const database = open(2);
    const [one, other] = [randomUUID(), randomUUID()].map((userId) => database.within({ userId }));
    let end: (() => void) | undefined;
    const held = one!.transaction(async (tx) => {
      await tx.query(readOwn, []);
      await new Promise<void>((resolve) => (end = resolve));
    });
    await expect.poll(() => end).toBeDefined();
    const waiting = one!.query(readOwn, []);
    expect(await other!.query(readOwn, [])).toEqual([]);
    expect(database.pool.shares.waiting).toBe(1);
    end?.();
    await Promise.all([held, waiting]);
  });

  it('are left to organizations and health checks by all that works in no scope [S-108]', async () => {
    const database = open(4);
    const client = await fixture.admin.connect();
    await client.query('BEGIN; LOCK TABLE countries');
    const blocked = Array.from({ length: 20 }, () => database.unscoped.query(readCountries, []));
    await expect.poll(() => database.pool.shares.waiting).toBe(18);
    expect(await database.within({ organizationId: randomUUID() }).query(read, [])).toEqual([]);
    await database.check();
    await client.query('ROLLBACK');
    client.release();
    await Promise.all(blocked);
  });

  it('that are held for a lock do not keep its holder from working', async () => {
    const database = open(2);
    const held = await database.pool.connect();
    expect(await database.unscoped.query(readCountries, [])).toEqual([]);
    held.release();
  });

  it('are all for one organization where the pool is told so', async () => {
    const database = open(3, { connectionsPerSharerMax: 3 });
    const slow = slowTransactions();
    slow.begin(database.within({ organizationId: randomUUID() }), 5);
    await expect.poll(() => slow.running).toBe(3);
    await slow.endAll();
  });

  it('are waited for no longer than the pool may, with an error that names the reason', async () => {
    const database = open(1, { timeouts: { connectMs: patience(500) } });
    const tenant = database.within({ organizationId: randomUUID() });
    const held = await database.pool.connect();
    const busy = { code: 'CONNECTIONS_BUSY' };
    await expect(tenant.query(read, [])).rejects.toMatchObject(busy);
    await expect(tenant.transaction((tx) => tx.query(read, []))).rejects.toMatchObject(busy);
    await expect(models(tenant).note.findMany()).rejects.toMatchObject(busy);
    expect(database.pool.shares.shares[0].counts).toMatchObject({
      waiting: 0,
      refused: { full: 0, late: 3 },
    });
    held.release();
    expect(await tenant.query(read, [])).toEqual([]);
  });

  it('are given back by whatever could not be done', async () => {
    const database = open(2);
    const organizationId = randomUUID();
    await writeNotes(fixture.admin, [organizationId], 2);
    const tenant = database.within({ organizationId });
    const failed = new Error('changed my mind');
    for (let n = 0; n < 5; n++) {
      await expect(
        database.unscoped.query({ ...readCountries, name: 'broken', text: `SELECT ${n} FROM` }, []),
      ).rejects.toThrow();
      await expect(
        tenant.transaction(async () => {
          throw failed;
        }),
      ).rejects.toBe(failed);
      for await (const notes of tenant.batches(read, [], { rows: 1 })) {
        expect(notes).toHaveLength(1);
        break;
      }
      const lent = await database.pool.connect();
      lent.release(true);
    }
    expect(database.pool.shares.shares[0].counts).toMatchObject({ running: 0, waiting: 0 });
  });

  it('that cannot be opened keep no share', async () => {
    const database = open(2, { connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const tenant = database.within({ organizationId: randomUUID() });
    for (let n = 0; n < 5; n++)
      await expect(tenant.query(read, [])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(database.pool.shares.shares[0].counts.running).toBe(0);
  });
});
