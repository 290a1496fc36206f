import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  TenantDatabase,
  statement,
  unscopedStatement,
  type BindingMode,
  type OrganizationRows,
  type OrganizationScope,
  type OrganizationTransaction,
  type TenantScope,
  type UnscopedRows,
} from '@tenantry/tenancy';
import { createFixture, models, Prisma, PrismaClient, type Fixture } from './fixture/database.ts';

const allNotes = statement<{ text: string }>({
  name: 'all-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});
const addNote = statement<never, [text: string]>({
  name: 'add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
});

const addCountry = unscopedStatement<never, [code: string]>({
  name: 'add-country',
  text: 'INSERT INTO countries (code) VALUES ($1)',
});
const countryByCode = unscopedStatement<{ code: string }, [code: string]>({
  name: 'country-by-code',
  text: 'SELECT code FROM countries WHERE code = $1',
});
const notesPastTheirOwner = unscopedStatement<{ text: string }>({
  name: 'notes-past-their-owner',
  text: 'SELECT text FROM notes',
});
/** A repository of rows that belong to no tenant. */
const countries = {
  add: async (rows: UnscopedRows, code: string) => {
    await rows.query(addCountry, [code]);
  },
  has: async (rows: UnscopedRows, code: string) => (await rows.query(countryByCode, [code])).length > 0,
};

/** Two repositories as a service writes them: one in SQL, one in Prisma. */
type Rows = OrganizationRows;
const notes = {
  list: async (rows: Rows) => (await rows.query(allNotes, [])).map(({ text }) => text),
  add: async (rows: Rows, text: string) => {
    await rows.query(addNote, [text]);
  },
};
const memberships = {
  count: (rows: Rows) => models(rows).membership.count(),
  add: async (rows: Rows, userId: string) => {
    await models(rows).membership.create({ data: { userId, role: 'member' } as never });
  },
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

describe.each<BindingMode>(['connection', 'transaction'])('a repository, bound by %s', (binding) => {
  let database: TenantDatabase;
  let tenant: TenantScope<OrganizationScope>;
  beforeAll(() => {
    database = fixture.open({ binding, poolSize: 3 });
  });
  beforeEach(() => {
    tenant = database.within({ organizationId: randomUUID() });
  });

  it('gives rows in batches of one moment, those of its scope alone', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) await notes.add(tenant, text);
    await notes.add(database.within({ organizationId: randomUUID() }), 'foreign');
    const found: string[][] = [];
    for await (const batch of tenant.batches(allNotes, [], { rows: 2 })) {
      found.push(batch.map(({ text }) => text));
      await notes.add(tenant, `later ${found.length}`);
    }
    expect(found).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('gives the connection of its batches back, however they end', async () => {
    for (const text of ['a', 'b', 'c']) await notes.add(tenant, text);
    for (let n = 0; n < 10; n++) {
      for await (const batch of tenant.batches(allNotes, [], { rows: 1 })) {
        expect(batch).toHaveLength(1);
        break;
      }
    }
    expect(await notes.list(tenant)).toEqual(['a', 'b', 'c']);
  });

  it('reads several statements as of one moment in a snapshot, which cannot write', async () => {
    for (const text of ['a', 'b', 'c']) await notes.add(tenant, text);
    await notes.add(database.within({ organizationId: randomUUID() }), 'foreign');
    const read = tenant.snapshot(
      async (snapshot) => {
        const found: string[][] = [];
        for await (const batch of snapshot.batches(allNotes, [], { rows: 2 })) {
          found.push(batch.map(({ text }) => text));
          await notes.add(tenant, `later ${found.length}`);
        }
        const again = await snapshot.query(allNotes, []);
        return [...found, again.map(({ text }) => text)];
      },
      { limitMs: Infinity },
    );
    expect(await read).toEqual([['a', 'b'], ['c'], ['a', 'b', 'c']]);
    const write = tenant.snapshot((snapshot) => notes.add(snapshot as never, 'never'), {
      limitMs: Infinity,
    });
    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await notes.list(tenant)).toEqual(['a', 'b', 'c', 'later 1', 'later 2']);
  });

  it('gives no rows of a snapshot to a reader that goes on after its end', async () => {
    for (const text of ['a', 'b', 'c']) await notes.add(tenant, text);
    const batches = await tenant.snapshot(
      async (snapshot) => snapshot.batches(allNotes, [], { rows: 1 })[Symbol.asyncIterator](),
      { limitMs: Infinity },
    );
    await expect(batches.next()).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    expect(await notes.list(tenant)).toEqual(['a', 'b', 'c']);
  });

  it('refuses batches in a transaction, which would not see it', async () => {
    const read = tenant.transaction(async (tx) => {
      for await (const batch of tenant.batches(allNotes, [], { rows: 1 }))
        await notes.add(tx, String(batch.length));
    });
    await expect(read).rejects.toMatchObject({ code: 'TRANSACTION_BYPASSED' });
  });

  it('ends a transaction at a limit of its own', async () => {
    const within = (limitMs: number) =>
      tenant.transaction(
        async (tx) => {
          await notes.add(tx, 'early');
          await setTimeout(300);
          await notes.add(tx, 'late');
        },
        { limitMs },
      );
    await expect(within(100)).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
    await within(60_000);
    expect(await notes.list(tenant)).toEqual(['early', 'late']);
  });

  it('of unscoped tables runs outside of any scope, in one, and in a transaction', async () => {
    const code = randomUUID();
    await expect(
      tenant.transaction(async (tx) => {
        await countries.add(tx, code);
        expect(await countries.has(tx, code)).toBe(true);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await countries.has(database.unscoped, code)).toBe(false);
    await countries.add(tenant, code);
    expect(await countries.has(database.unscoped, code)).toBe(true);
  });

  it('of unscoped tables reaches no tenant’s rows, whatever its statement says', async () => {
    await notes.add(tenant, 'a secret');
    await expect(database.unscoped.query(notesPastTheirOwner, [])).rejects.toThrow('no organization is set');
    const other = database.within({ organizationId: randomUUID() });
    expect(await other.query(notesPastTheirOwner, [])).toEqual([]);
  });

  it('of unscoped tables is refused beside an open transaction', async () => {
    await expect(tenant.transaction(() => countries.has(database.unscoped, 'SE'))).rejects.toMatchObject({
      code: 'TRANSACTION_BYPASSED',
    });
  });

  it('runs the same method in a scope and in a transaction', async () => {
    await notes.add(tenant, 'by scope');
    await tenant.transaction(async (tx) => {
      await notes.add(tx, 'by transaction');
      expect(await notes.list(tx)).toEqual(['by scope', 'by transaction']);
    });
    expect(await notes.list(tenant)).toEqual(['by scope', 'by transaction']);
  });

  it('takes effect together with another one in a transaction, or not at all', async () => {
    const both = (fail: boolean) =>
      tenant.transaction(async (tx) => {
        await notes.add(tx, 'a');
        await memberships.add(tx, randomUUID());
        expect([await notes.list(tx), await memberships.count(tx)]).toEqual([['a'], 1]);
        if (fail) throw new Error('changed my mind');
      });
    await expect(both(true)).rejects.toThrow('changed my mind');
    expect([await notes.list(tenant), await memberships.count(tenant)]).toEqual([[], 0]);
    await both(false);
    expect([await notes.list(tenant), await memberships.count(tenant)]).toEqual([['a'], 1]);
  });

  const other = () => database.within({ organizationId: randomUUID() });
  it.each<[string, () => Promise<unknown>]>([
    ['a statement of the scope', () => notes.list(tenant)],
    ['a Prisma query of the scope', () => memberships.count(tenant)],
    ['a query of another scope', () => notes.list(other())],
    ['a query of the pool', async () => database.pool.query('SELECT 1') as unknown],
    ['a connection of the pool', () => database.pool.connect()],
    ['raw work in a scope', async () => database.pool.within({ userId: randomUUID() }, () => 1)],
  ])('refuses %s past the open transaction, and keeps nothing of it', async (_, query) => {
    const bypassed = tenant.transaction(async (tx) => {
      await notes.add(tx, 'lost');
      await query();
    });
    await expect(bypassed).rejects.toMatchObject({ code: 'TRANSACTION_BYPASSED' });
    expect(await notes.list(tenant)).toEqual([]);
  });

  it('refuses a query past a transaction that is in another scope just then', async () => {
    const bypassed = tenant.transaction((tx) =>
      tx.within({ organizationId: randomUUID() }, () => notes.list(tenant)),
    );
    await expect(bypassed).rejects.toMatchObject({ code: 'TRANSACTION_BYPASSED' });
  });

  it('refuses a query past the transaction in what outlives its part in another scope', async () => {
    let goOn = () => {};
    let outlives: Promise<unknown> = Promise.resolve();
    const bypassed = tenant.transaction(async (tx) => {
      await tx.within({ organizationId: randomUUID() }, async () => {
        outlives = new Promise<void>((resolve) => (goOn = resolve)).then(() => notes.list(tenant));
      });
      goOn();
      await outlives;
    });
    await expect(bypassed).rejects.toMatchObject({ code: 'TRANSACTION_BYPASSED' });
  });

  it('refuses a transaction within a transaction', async () => {
    const nested = tenant.transaction(() => tenant.transaction(async () => 1));
    await expect(nested).rejects.toMatchObject({ code: 'TRANSACTION_NESTED' });
    const inOther = tenant.transaction(() => other().transaction(async () => 1));
    await expect(inOther).rejects.toMatchObject({ code: 'TRANSACTION_NESTED' });
  });

  describe('a transaction as a scope', () => {
    it('takes the transactions that code in it opens into itself', async () => {
      const failed = tenant.transaction(async (tx) => {
        const scope = tx.asScope();
        await scope.transaction((part) => notes.add(part, 'a'));
        await scope.transaction((part) => memberships.add(part, randomUUID()));
        expect([await notes.list(scope), await memberships.count(scope)]).toEqual([['a'], 1]);
        expect(await notes.list(tx)).toEqual(['a']);
        throw new Error('changed my mind');
      });
      await expect(failed).rejects.toThrow('changed my mind');
      expect([await notes.list(tenant), await memberships.count(tenant)]).toEqual([[], 0]);
    });

    it('undoes a part that throws, and continues', async () => {
      await tenant.transaction(async (tx) => {
        const scope = tx.asScope();
        await notes.add(scope, 'kept');
        const part = scope.transaction(async (inner) => {
          await notes.add(inner, 'undone');
          await notes.add(inner, 'undone');
        });
        await expect(part).rejects.toMatchObject({ code: '23505' });
        await scope.transaction((inner) => notes.add(inner, 'kept too'));
      });
      expect(await notes.list(tenant)).toEqual(['kept', 'kept too']);
    });

    it('ends with its transaction', async () => {
      const scope = await tenant.transaction(async (tx) => tx.asScope());
      await expect(scope.transaction((part) => notes.list(part))).rejects.toMatchObject({
        code: 'TRANSACTION_OVER',
      });
    });
  });

  it('leaves what runs at the same time, and what follows, alone', async () => {
    let commit = (): void => undefined;
    const othersHaveRead = new Promise<void>((resolve) => (commit = resolve));
    const inTransaction = tenant.transaction(async (tx) => {
      await notes.add(tx, 'a');
      await othersHaveRead;
      return notes.list(tx);
    });
    expect(await notes.list(tenant)).toEqual([]);
    expect(await tenant.transaction((tx) => notes.list(tx))).toEqual([]);
    commit();
    expect(await inTransaction).toEqual(['a']);
    const follows = await tenant.transaction(async () => setTimeout(0).then(() => () => notes.list(tenant)));
    expect(await follows()).toEqual(['a']);
  });

  it('refuses the transaction once it has ended, Prisma and statements alike', async () => {
    let over: OrganizationTransaction | undefined;
    await tenant.transaction(async (tx) => {
      over = tx;
    });
    await expect(notes.list(over!)).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    await expect(memberships.count(over!)).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    await expect(over!.within({ userId: randomUUID() }, async () => 1)).rejects.toMatchObject({
      code: 'TRANSACTION_OVER',
    });
  });
});

describe('a model', () => {
  const open = (unscoped: Record<string, string>) => () =>
    new TenantDatabase({
      connectionString: fixture.runtimeUrl,
      models: Prisma,
      unscoped,
      prisma: (adapter) => new PrismaClient({ adapter }),
    });

  it('that has no owner and is on no list stops the start', () => {
    expect(open({})).toThrow(expect.objectContaining({ code: 'MODEL_UNKNOWN' }));
    expect(open({})).toThrow('Country');
  });

  it('that is listed and does not exist stops it as well', () => {
    expect(open({ Country: 'the same for everyone', Planet: 'the same for everyone' })).toThrow('Planet');
  });
});
