import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { patience } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { statement, TenantPool, type BindingMode, type TenantScope } from '@tenantry/tenancy';
import { createFixture, models, newOrganizations, writeNotes, type Fixture } from './fixture/database.ts';

const ownNotes = statement<{ organization_id: string; text: string }>({
  name: 'own-notes-and-whose',
  text: 'SELECT organization_id, text FROM notes WHERE organization_id = $1',
});
const addNote = statement<{ id: string }, [text: string]>({
  name: 'add-note-for-its-id',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2) RETURNING id',
});
const sleep = statement({
  name: 'sleep',
  text: 'SELECT pg_sleep(60) FROM notes WHERE organization_id = $1',
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

describe.each<BindingMode>(['connection', 'transaction'])('a pool bound per %s', (binding) => {
  it('answers 1,000 interleaved requests of 50 tenants over 5 connections without a foreign row [S-107]', async () => {
    const organizations = newOrganizations(50);
    await writeNotes(fixture.admin, organizations, 3);
    const database = fixture.open({ binding, poolSize: 5 });

    const rawOf = (organizationId: string) =>
      database.pool.within({ organizationId }, () => rawNotes(database.pool));
    const requests = Array.from({ length: 1_000 }, async (_, i) => {
      const organizationId = organizations[(i * 17) % 50]!;
      const tenant = database.within({ organizationId });
      const failing = () => tenant.query(addNote, [`${organizationId} 1`]).catch(() => undefined);
      const rows = await [
        () => tenant.query(ownNotes, []),
        () => models(tenant).note.findMany(),
        () => tenant.transaction((tx) => tx.query(ownNotes, [])),
        () => tenant.transaction((tx) => models(tx).note.findMany()),
        // Past layer one: whatever comes out is what PostgreSQL lets this connection see.
        () => rawOf(organizationId),
        () => failing().then(() => rawOf(organizationId)),
        () => failedTransaction(tenant).then(() => rawOf(organizationId)),
        () =>
          database
            .within({ organizationId: organizations[i % 50]! })
            .transaction((tx) => tx.within({ organizationId }, (inner) => models(inner).note.findMany())),
      ][i % 8]!();
      expect(rows.length).toBe(3);
      for (const { text } of rows) expect(text.startsWith(organizationId)).toBe(true);
    });
    await Promise.all(requests);
  });

  it('lets no row through outside of a scope, on fresh and on used connections alike', async () => {
    const database = fixture.open({ binding, poolSize: 1 });
    const unscoped = () => rawNotes(database.pool);
    await expect(unscoped()).rejects.toThrow('no organization is set');
    await database.within({ organizationId: randomUUID() }).query(ownNotes, []);
    await expect(unscoped()).rejects.toThrow('no organization is set');
    await database.within({ organizationId: randomUUID() }).transaction((tx) => tx.query(ownNotes, []));
    await expect(unscoped()).rejects.toThrow('no organization is set');
  });

  it('binds the user where the scope names one, and forgets the organization', async () => {
    const [organizationId, other] = newOrganizations(2);
    const userId = randomUUID();
    await fixture.admin.query(`INSERT INTO memberships VALUES ($1, $3, 'owner'), ($2, $3, 'member')`, [
      organizationId,
      other,
      userId,
    ]);
    const database = fixture.open({ binding, poolSize: 1 });
    await database.within({ organizationId: organizationId! }).query(ownNotes, []);
    const mine = await models(database.within({ userId })).membership.findMany();
    expect(mine.map((row) => row.organizationId).sort()).toEqual([organizationId, other].sort());
    await expect(database.pool.within({ userId }, () => rawNotes(database.pool))).rejects.toThrow(
      'no organization is set',
    );
  });

  it('uses the same connection again after a refused statement, still bound', async () => {
    const database = fixture.open({ binding, poolSize: 1 });
    const organizationId = randomUUID();
    const tenant = database.within({ organizationId });
    const serverProcess = () => processOf(database.pool);

    const before = await serverProcess();
    await tenant.query(addNote, [organizationId]);
    await expect(tenant.query(addNote, [organizationId])).rejects.toMatchObject({ code: '23505' });
    expect(await serverProcess()).toBe(before);
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
  });

  it('takes effect together or not at all in a transaction, Prisma and statements alike', async () => {
    const database = fixture.open({ binding });
    const organizationId = randomUUID();
    const tenant = database.within({ organizationId });

    const failed = tenant.transaction(async (tx) => {
      await models(tx).note.create({ data: { organizationId, text: 'by Prisma' } });
      await tx.query(addNote, ['by statement']);
      expect(await models(tx).note.count()).toBe(2);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await tenant.query(ownNotes, [])).toEqual([]);

    await tenant.transaction(async (tx) => {
      await models(tx).note.create({ data: { organizationId, text: 'by Prisma' } });
      await tx.query(addNote, ['by statement']);
    });
    expect(await tenant.query(ownNotes, [])).toHaveLength(2);
  });

  it('refuses a statement after its transaction has ended', async () => {
    const tenant = fixture.open({ binding }).within({ organizationId: randomUUID() });
    const leaked = await tenant.transaction(async (tx) => tx);
    await expect(leaked.query(ownNotes, [])).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
  });

  it('times connections and statements by name, and knows no other name [S-179]', async () => {
    const database = fixture.open({ binding, poolSize: 1 });
    const tenant = database.within({ organizationId: randomUUID() });
    await Promise.all([tenant.query(ownNotes, []), tenant.query(ownNotes, [])]);
    await tenant.transaction(async (tx) => {
      await tx.query(ownNotes, []);
      await models(tx).note.findMany({ where: { text: 'hostile' } });
    });
    await models(tenant).note.count();
    for await (const rows of tenant.batches(ownNotes, [], { rows: 10 })) expect(rows).toEqual([]);
    await expect(tenant.query(addNote, ['\0'])).rejects.toThrow();
    await database.check();

    const { connect, statements } = database.pool.timings;
    const counts = Object.fromEntries([...statements].map(([name, { count }]) => [name, count]));
    expect(counts).toEqual({
      // One of them a batch.
      'own-notes-and-whose': 4,
      'prisma.note.findMany': 1,
      'prisma.note.count': 1,
      'add-note-for-its-id': 1,
    });
    expect(connect.counts).toHaveLength(connect.bounds.length + 1);
    expect(connect.counts.reduce((sum, count) => sum + count)).toBe(7);
    expect(connect.sum).toBeGreaterThan(0);
    for (const { sum } of statements.values()) expect(sum).toBeGreaterThan(0);
  });

  it('closes a connection that comes back inside a transaction', async () => {
    const database = fixture.open({ binding, poolSize: 1 });
    const client = await database.pool.connect();
    await client.query('BEGIN');
    const before = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.release();
    expect(await processOf(database.pool)).not.toBe(before.rows[0]?.pid);
  });

  it('continues after connections were cut, idle or busy', async () => {
    const lost: Error[] = [];
    const applicationName = `cut-${binding}`;
    const database = fixture.open({
      binding,
      poolSize: 3,
      applicationName,
      onConnectionLost: (error) => lost.push(error),
    });
    const organizationId = randomUUID();
    await writeNotes(fixture.admin, [organizationId], 1);
    const tenant = database.within({ organizationId });
    const cut = () =>
      fixture.admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
        [applicationName],
      );

    const atWork = expect(tenant.query(sleep, [])).rejects.toThrow();
    const inTransaction = expect(tenant.transaction((tx) => tx.query(sleep, []))).rejects.toThrow();
    await expect.poll(async () => (await runningSleeps(applicationName)).length).toBe(2);
    await cut();
    await Promise.all([atWork, inTransaction]);
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);

    await cut();
    await expect.poll(() => lost.length).toBeGreaterThan(0);
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
  });

  it('ends a statement and a wait for a connection in time', async () => {
    const database = fixture.open({
      binding,
      poolSize: 1,
      timeouts: { statementMs: patience(3_000), connectMs: patience(1_000) },
    });
    const organizationId = randomUUID();
    await writeNotes(fixture.admin, [organizationId], 1);
    const tenant = database.within({ organizationId });
    const slow = tenant.query(sleep, []);
    const waiting = tenant.query(ownNotes, []);
    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTIONS_BUSY' });
    await expect(slow).rejects.toMatchObject({ code: '57014' });
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
  });

  it('gives up on a server that accepts a connection and never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const connectionString = `postgresql://runtime@127.0.0.1:${port}/none`;
    const pool = new TenantPool({ connectionString, binding, timeouts: { connectMs: 50 } });
    onTestFinished(async () => {
      silent.close();
      await pool.end();
    });
    await expect(pool.check()).rejects.toThrow('timeout expired');
    expect(pool.shares.waiting).toBe(0);
  });

  it('never uses a connection again whose answer did not come in time', async () => {
    const database = fixture.open({ binding, poolSize: 1, timeouts: { answerMs: patience(1_000) } });
    const organizationId = randomUUID();
    await writeNotes(fixture.admin, [organizationId], 1);
    const tenant = database.within({ organizationId });
    await expect(tenant.query(sleep, [])).rejects.toThrow();
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
    await expect(tenant.transaction((tx) => tx.query(sleep, []))).rejects.toThrow();
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
  });

  it('keeps the isolation level that a transaction asks for', async () => {
    const database = fixture.open({ binding });
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
    const { rows } = await client.query<object>('SHOW transaction_isolation');
    await client.query('COMMIT');
    client.release();
    expect(rows).toEqual([{ transaction_isolation: 'serializable' }]);
  });
});

it.each<BindingMode>(['connection', 'transaction'])(
  'runs nothing behind a binding that failed, bound per %s [S-107]',
  async (binding) => {
    const database = fixture.open({ binding, poolSize: 1 });
    const tenant = database.within({ organizationId: randomUUID() });
    await tenant.query(addNote, ['own']);

    const broken = ['\u0000', ''] as const;
    const write = { text: `INSERT INTO countries VALUES ('${binding}')` };
    await expect(database.pool.ask(broken, write)).rejects.toMatchObject({ code: '22021' });
    const transaction = await database.pool.begin(broken, { limitMs: 1_000 });
    await expect(transaction.ask(broken, write)).rejects.toMatchObject({ code: '22021' });
    await transaction.rollback();
    transaction.giveBack();
    const { rows } = await fixture.admin.query<object>('SELECT FROM countries WHERE code = $1', [binding]);
    expect(rows).toEqual([]);
    await expect(rawNotes(database.pool)).rejects.toThrow('no organization is set');
    expect(await tenant.query(ownNotes, [])).toHaveLength(1);
  },
);

it('leaves no binding behind on a connection bound per transaction', async () => {
  const database = fixture.open({ binding: 'transaction', poolSize: 1 });
  await database.within({ organizationId: randomUUID() }).query(ownNotes, []);
  const client = await database.pool.connect();
  const { rows } = await client.query<object>(`SELECT current_setting('app.organization_id', true) AS id`);
  client.release();
  expect(rows).toEqual([{ id: '' }]);
});

/** A transaction whose last statement fails, in another scope than its own. */
async function failedTransaction(tenant: TenantScope): Promise<void> {
  const failing = tenant.transaction(async (tx) => {
    tx.send(addNote, [randomUUID()]);
    await tx.within({ organizationId: randomUUID() }, async (inner) => {
      for (let n = 0; n < 2; n++) await inner.query(addNote, ['twice']);
    });
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
}

async function rawNotes(pool: TenantPool): Promise<{ text: string }[]> {
  const { rows } = (await pool.query('SELECT text FROM notes')) as { rows: { text: string }[] };
  return rows;
}

async function processOf(pool: TenantPool): Promise<number | undefined> {
  const { rows } = (await pool.query('SELECT pg_backend_pid() AS pid')) as { rows: { pid: number }[] };
  return rows[0]?.pid;
}

async function runningSleeps(applicationName: string): Promise<object[]> {
  const { rows } = await fixture.admin.query<object>(
    `SELECT FROM pg_stat_activity WHERE application_name = $1 AND state = 'active' AND query LIKE '%pg_sleep%'`,
    [applicationName],
  );
  return rows;
}
