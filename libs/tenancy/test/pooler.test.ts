import { randomUUID } from 'node:crypto';
import { findPgBouncer, startPgBouncer, type TestPooler, type TestPoolerOptions } from '@tenantry/test-kit';
import { assertPoolerFits, statement, type BindingMode, type TenantScope } from '@tenantry/tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, models, newOrganizations, writeNotes, type Fixture } from './fixture/database.ts';

const program = findPgBouncer();

const ownNotes = statement<{ text: string }>({
  name: 'pooled-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1',
});
/** What operators set when a pooler refuses the parameters. */
const ignoring = {
  ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout',
};

const addNote = statement<never, [text: string]>({
  name: 'pooled-add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
});

/** A transaction that fails at its end, after a part of it has. */
async function undone(tenant: TenantScope, organizationId: string): Promise<void> {
  const failing = tenant.transaction(async (tx) => {
    tx.send(addNote, [randomUUID()]);
    const part = tx.asScope().transaction((inner) => inner.query(addNote, [`${organizationId} 1`]));
    await expect(part).rejects.toMatchObject({ code: '23505' });
    tx.send(addNote, [`${organizationId} 2`]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
}

async function gathered<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

it.each<BindingMode>(['connection', 'transaction'])(
  'PostgreSQL itself fits a binding per %s',
  async (binding) => {
    await assertPoolerFits(fixture.open({ binding }).pool);
  },
);

describe.skipIf(!program)('behind a connection pooler', () => {
  const poolers: TestPooler[] = [];
  afterEach(async () => {
    await Promise.all(poolers.splice(0).map((pooler) => pooler.stop()));
  });

  async function behindPooler(binding: BindingMode, settings: TestPoolerOptions['settings'] = {}) {
    const pooler = await startPgBouncer({ program: program!, directUrls: [fixture.runtimeUrl], settings });
    poolers.push(pooler);
    return fixture.open({ binding, connectionString: pooler.urlOf(fixture.runtimeUrl), poolSize: 5 });
  }

  it.each([
    ['refuses start-up parameters', {}],
    ['gives each transaction another connection', ignoring],
    ['takes its connections in turn', { ...ignoring, server_round_robin: 1 }],
    ['has one connection for all', { ...ignoring, default_pool_size: 1 }],
    ['keeps connections but ignores start-up parameters', { ...ignoring, pool_mode: 'session' }],
  ])('a binding per connection is refused where the pooler %s [S-107]', async (_, settings) => {
    const { pool } = await behindPooler('connection', settings);
    await expect(assertPoolerFits(pool)).rejects.toThrow(
      /connection pooler that .*TENANT_BINDING=transaction/s,
    );
  });

  it.skipIf(!program?.preparesStatements)(
    'a binding per transaction keeps tenants apart over two connections to the server [S-107]',
    async () => {
      const database = await behindPooler('transaction', { max_prepared_statements: 100 });
      await assertPoolerFits(database.pool);
      const organizations = newOrganizations(20);
      await writeNotes(fixture.admin, organizations, 3);
      const requests = Array.from({ length: 400 }, async (_, n) => {
        const organizationId = organizations[(n * 7) % 20]!;
        const tenant = database.within({ organizationId });
        const rows = await [
          () => tenant.query(ownNotes, []),
          () => models(tenant).note.findMany(),
          () => tenant.transaction((tx) => tx.query(ownNotes, [])),
          () => tenant.transaction((tx) => models(tx).note.findMany()),
          () => gathered(tenant.batches(ownNotes, [], { rows: 2 })),
          () =>
            database.within({ organizationId: organizations[n % 20]! }).transaction(async (tx) => {
              await tx.query(ownNotes, []);
              return tx.within({ organizationId }, (inner) => inner.query(ownNotes, []));
            }),
          () => undone(tenant, organizationId).then(() => tenant.query(ownNotes, [])),
        ][n % 7]!();
        expect(rows.map(({ text }) => text).toSorted()).toEqual(
          [1, 2, 3].map((i) => `${organizationId} ${i}`),
        );
      });
      await Promise.all(requests);
      await expect(database.pool.query('SELECT text FROM notes')).rejects.toThrow('no organization is set');
      expect(await database.within({ organizationId: randomUUID() }).query(ownNotes, [])).toEqual([]);
    },
  );

  it('a binding per transaction fits a pooler that keeps connections, of any version', async () => {
    const { pool } = await behindPooler('transaction', { pool_mode: 'session' });
    await assertPoolerFits(pool);
  });

  it.skipIf(program?.preparesStatements)(
    'a binding per transaction is refused before PgBouncer 1.21',
    async () => {
      const { pool } = await behindPooler('transaction');
      await expect(assertPoolerFits(pool)).rejects.toThrow('Use PgBouncer 1.21 or later');
    },
  );
});
