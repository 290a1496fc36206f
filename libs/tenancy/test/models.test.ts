import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  statement,
  type BindingMode,
  type OrganizationRows,
  type TenantDatabase,
  type TenantScope,
} from '@tenantry/tenancy';
import { createFixture, models, PrismaClient, type Fixture } from './fixture/database.ts';

const allNotes = statement<{ text: string }>({
  name: 'models-all-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});
const addNote = statement<never, [text: string]>({
  name: 'models-add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

type Operation = (rows: OrganizationRows) => Promise<unknown>;
const owned = <Data>(data: Data) => data as Data & { organizationId: string };
const note = (rows: OrganizationRows) => models(rows).note;

/** Each operation of a model, and what the notes 'a' and 'b' are after it. */
const operations: readonly [name: string, run: Operation, after: readonly string[]][] = [
  ['findFirst', (rows) => note(rows).findFirst({ where: { text: 'a' } }), ['a', 'b']],
  ['findFirstOrThrow', (rows) => note(rows).findFirstOrThrow({ where: { text: 'a' } }), ['a', 'b']],
  ['findMany', (rows) => note(rows).findMany(), ['a', 'b']],
  ['count', (rows) => note(rows).count(), ['a', 'b']],
  ['create', (rows) => note(rows).create({ data: owned({ text: 'c' }) }), ['a', 'b', 'c']],
  [
    'createMany',
    (rows) => note(rows).createMany({ data: owned([{ text: 'c' }, { text: 'd' }]) as never }),
    ['a', 'b', 'c', 'd'],
  ],
  ['updateMany', (rows) => note(rows).updateMany({ where: { text: 'a' }, data: { text: 'c' } }), ['b', 'c']],
  [
    'updateManyAndReturn',
    (rows) => note(rows).updateManyAndReturn({ where: { text: 'a' }, data: { text: 'c' } }),
    ['b', 'c'],
  ],
  ['deleteMany', (rows) => note(rows).deleteMany(), []],
];

describe.each<BindingMode>(['connection', 'transaction'])('models, bound by %s', (binding) => {
  let database: TenantDatabase;
  let tenant: TenantScope<{ organizationId: string }>;
  beforeAll(() => {
    // Whatever asked for another connection inside of a transaction would wait for its own.
    database = fixture.open({ binding, poolSize: 1 });
  });
  beforeEach(async () => {
    tenant = database.within({ organizationId: randomUUID() });
    for (const text of ['a', 'b']) await tenant.query(addNote, [text]);
  });
  const texts = async (rows: OrganizationRows = tenant) =>
    (await rows.query(allNotes, [])).map(({ text }) => text);

  it.each(operations)('%s by itself', async (_, run, after) => {
    await run(tenant);
    expect(await texts()).toEqual(after);
  });

  it.each(operations)('%s in a transaction takes effect with it', async (_, run, after) => {
    await tenant.transaction(async (tx) => {
      tx.send(addNote, ['sent before']);
      await run(tx);
      tx.send(addNote, ['sent after']);
    });
    const withSent = after.length === 0 ? ['sent after'] : [...after, 'sent after', 'sent before'];
    expect(await texts()).toEqual(withSent);
  });

  it.each(operations)('%s in a transaction is undone with it', async (_, run, after) => {
    const undone = tenant.transaction(async (tx) => {
      await run(tx);
      expect(await texts(tx)).toEqual(after);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    expect(await texts()).toEqual(['a', 'b']);
  });

  it.each(operations)('%s in a part of a transaction is undone with it', async (_, run, after) => {
    await tenant.transaction(async (tx) => {
      const part = tx.asScope().transaction(async (inner) => {
        await run(inner);
        expect(await texts(inner)).toEqual(after);
        throw new Error('no');
      });
      await expect(part).rejects.toThrow('no');
    });
    expect(await texts()).toEqual(['a', 'b']);
  });

  it.each(operations)(
    '%s in another scope of a transaction keeps to that one [S-107]',
    async (_, run, after) => {
      const other = database.within({ organizationId: randomUUID() });
      await other.transaction(async (tx) => {
        await tx.query(addNote, ['theirs']);
        await tx.within(tenant.scope, run);
        expect(await texts(tx)).toEqual(['theirs']);
      });
      expect([await texts(), await texts(other)]).toEqual([after, ['theirs']]);
    },
  );

  it('of several queries are refused, and a transaction around them continues', async () => {
    // More values than one query of PostgreSQL takes.
    const data = Array.from({ length: 20_000 }, (_, n) => owned({ text: `${n}`, id: randomUUID() }));
    const createMany: Operation = (rows) => note(rows).createMany({ data });
    const refused = { code: 'OPERATION_REFUSED' };
    await expect(createMany(tenant)).rejects.toMatchObject(refused);
    await tenant.transaction(async (tx) => {
      await expect(createMany(tx)).rejects.toMatchObject(refused);
      await tx.query(addNote, ['kept']);
    });
    expect(await texts()).toEqual(['a', 'b', 'kept']);
  });

  it('of one query fail a transaction as a statement does', async () => {
    const failing = tenant.transaction(async (tx) => {
      await note(tx)
        .create({ data: owned({ text: 'a' }) })
        .catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: 'TRANSACTION_FAILED', cause: { code: '23505' } });
  });

  it('query nothing out of a scope, by whatever way the client is reached', async () => {
    let client: PrismaClient | undefined;
    fixture.open({ binding, prisma: (adapter) => (client = new PrismaClient({ adapter })) });
    const required = { code: 'SCOPE_REQUIRED' };
    await expect(client!.note.findMany()).rejects.toMatchObject(required);
    await expect(client!.$queryRaw`SELECT 1`).rejects.toMatchObject(required);
    await expect(client!.$transaction([client!.note.findMany()])).rejects.toMatchObject(required);
    await expect(client!.$transaction((tx) => tx.note.findMany())).rejects.toMatchObject(required);
  });

  it('give connections back, however their calls end', async () => {
    for (let n = 0; n < 5; n++) {
      for (const [, run] of operations) await run(tenant).catch(() => undefined);
    }
    expect(database.pool.shares.shares[0].counts.running).toBe(0);
  });
});

it('calls of a model are prepared once for each connection, as many as there are kinds of them within bounds', async () => {
  const database = fixture.open({ poolSize: 1 });
  const { note: notes } = models(database.within({ organizationId: randomUUID() }));
  const prepared = async () => {
    const { rows } = (await database.pool.query(
      `SELECT generic_plans + custom_plans AS times FROM pg_prepared_statements WHERE name LIKE 'prisma-%'`,
    )) as { rows: { times: string }[] };
    return rows.map(({ times }) => Number(times)).toSorted((a, b) => b - a);
  };
  for (let n = 0; n < 5; n++) await notes.findFirst({ where: { text: String(n) } });
  expect(await prepared()).toEqual([5]);
  const lengths = Array.from({ length: 520 }, (_, n) => n + 2);
  for (const length of lengths) await notes.count({ where: { text: { in: new Array(length).fill('x') } } });
  expect((await prepared()).length).toBeLessThanOrEqual(500);
});
