import { randomUUID } from 'node:crypto';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  statement,
  unscopedStatement,
  type BindingMode,
  type OrganizationRows,
  type TenantDatabase,
  type TenantScope,
  type TenantTransaction,
} from '@tenantry/tenancy';
import type { Query } from '../src/protocol/query.ts';
import { createFixture, models, type Fixture } from './fixture/database.ts';

const allNotes = statement<{ text: string }>({
  name: 'tx-all-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});
const addNote = statement<{ id: string }, [text: string]>({
  name: 'tx-add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2) RETURNING id',
});
const addCountry = unscopedStatement<never, [code: string]>({
  name: 'tx-add-country',
  text: 'INSERT INTO countries (code) VALUES ($1)',
});
const hasCountry = unscopedStatement<{ code: string }, [code: string]>({
  name: 'tx-has-country',
  text: 'SELECT code FROM countries WHERE code = $1',
});
const slow = unscopedStatement<{ slept: string }, [seconds: number]>({
  name: 'tx-slow',
  text: 'SELECT pg_sleep($1)::text AS slept',
});

/** What was sent to PostgreSQL: the statements of each exchange, by their names. */
const sent: string[][] = [];
const clients: pg.Client[] = [];
const nameOf = ({ name = '', text }: Query) => name.replace(/^t(x|enancy)-/, '') || text;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
beforeEach(() => {
  // oxlint-disable-next-line typescript/unbound-method -- it is called on the client that is asked
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [{ queries }] = args as [{ queries?: Query[] }];
    if (queries) sent.push(queries.map(nameOf));
    clients.push(this);
    return Reflect.apply(query, this, args) as never;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => fixture.drop());

type Tx = TenantTransaction<{ organizationId: string }>;

describe.each<BindingMode>(['connection', 'transaction'])('a transaction, bound by %s', (binding) => {
  let database: TenantDatabase;
  let tenant: TenantScope<{ organizationId: string }>;
  beforeAll(() => {
    database = fixture.open({ binding, poolSize: 2 });
  });
  beforeEach(async () => {
    const organizationId = randomUUID();
    tenant = database.within({ organizationId });
    // So that the connection is open, and bound where it stays so.
    await tenant.query(allNotes, []);
    sent.length = 0;
  });
  const texts = async () => (await tenant.query(allNotes, [])).map(({ text }) => text);
  const bound = binding === 'transaction' ? ['bind'] : [];

  describe('goes to PostgreSQL', () => {
    it('with its first statement, and ends with those that are not awaited', async () => {
      await tenant.transaction(async (tx) => {
        await tx.query(addNote, ['a']);
        tx.send(addNote, ['b']);
        tx.send(addNote, ['c']);
      });
      expect(sent).toEqual([
        ['begin', ...bound, 'add-note'],
        ['add-note', 'add-note', 'commit'],
      ]);
      expect(await texts()).toEqual(['a', 'b', 'c']);
    });

    it('together where nothing is awaited', async () => {
      await tenant.transaction(async (tx) => {
        for (const text of ['a', 'b']) tx.send(addNote, [text]);
      });
      expect(sent).toEqual([['begin', ...bound, 'add-note', 'add-note', 'commit']]);
      expect(await texts()).toEqual(['a', 'b']);
    });

    it('not at all where it asks nothing', async () => {
      expect(await tenant.transaction(async () => 'nothing')).toBe('nothing');
      expect(sent).toEqual([]);
    });

    it('in the order of the code, what is sent before what is asked', async () => {
      const seen = await tenant.transaction(async (tx) => {
        tx.send(addNote, ['a']);
        const first = await tx.query(allNotes, []);
        tx.send(addNote, ['b']);
        const [second, third] = await Promise.all([tx.query(allNotes, []), tx.query(addNote, ['c'])]);
        return [first, second, third.length];
      });
      expect(seen).toEqual([[{ text: 'a' }], [{ text: 'a' }, { text: 'b' }], 1]);
      expect(sent).toEqual([
        ['begin', ...bound, 'add-note', 'all-notes'],
        ['add-note', 'all-notes', 'add-note'],
        ['commit'],
      ]);
    });

    it('with another binding only where the scope changes', async () => {
      const other = { organizationId: randomUUID() };
      await tenant.transaction(async (tx) => {
        await tx.query(allNotes, []);
        await tx.within(other, async (inner) => {
          inner.send(addNote, ['theirs']);
          inner.send(addNote, ['theirs too']);
        });
        tx.send(addNote, ['mine']);
      });
      expect(sent).toEqual([
        ['begin', ...bound, 'all-notes'],
        ['rebind', 'add-note', 'add-note', 'rebind', 'add-note', 'commit'],
      ]);
      expect(await texts()).toEqual(['mine']);
      expect(await database.within(other).query(allNotes, [])).toHaveLength(2);
    });
  });

  describe('that fails', () => {
    const code = { code: '23505' };

    it.each<[string, (tx: Tx) => unknown]>([
      ['asked', (tx) => tx.query(addNote, ['twice'])],
      ['sent last', (tx) => tx.send(addNote, ['twice'])],
      [
        'sent before another one is sent',
        (tx) => {
          tx.send(addNote, ['twice']);
          tx.send(addNote, ['x']);
        },
      ],
      [
        'sent in another scope and back',
        (tx) => tx.within(tx.scope, async (inner) => inner.send(addNote, ['twice'])),
      ],
      ['sent in a part', (tx) => tx.asScope().transaction(async (part) => part.send(addNote, ['twice']))],
    ])('by a statement that is %s keeps nothing, and throws its error', async (_, work) => {
      const failing = tenant.transaction(async (tx) => {
        await tx.query(addNote, ['twice']);
        await work(tx);
      });
      await expect(failing).rejects.toMatchObject(code);
      expect(await texts()).toEqual([]);
    });

    it('by a sent statement fails what is asked behind it, and names the cause', async () => {
      let met: unknown;
      const failing = tenant.transaction(async (tx) => {
        await tx.query(addNote, ['twice']);
        tx.send(addNote, ['twice']);
        met = await tx.query(allNotes, []).catch((error: unknown) => error);
      });
      await expect(failing).rejects.toMatchObject(code);
      expect(met).toMatchObject({ code: 'TRANSACTION_FAILED', cause: code });
      expect(await texts()).toEqual([]);
    });

    it('though the error was caught does not seem to have been committed', async () => {
      const failing = tenant.transaction(async (tx) => {
        await tx.query(addNote, ['twice']);
        await tx.query(addNote, ['twice']).catch(() => undefined);
        return 'all is well';
      });
      await expect(failing).rejects.toMatchObject({ code: 'TRANSACTION_FAILED', cause: code });
      expect(await texts()).toEqual([]);
    });

    it('in PostgreSQL alone does not seem to have been committed', async () => {
      const failing = tenant.transaction(async (tx) => {
        await tx.query(addNote, ['lost']);
        // A COMMIT is answered by ROLLBACK then, without an error.
        await expect(clients.at(-1)?.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
      });
      await expect(failing).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      expect(sent.at(-1)).toEqual(['commit']);
      expect(await texts()).toEqual([]);
    });

    it('sends nothing of what waits when its work throws', async () => {
      const failing = tenant.transaction(async (tx) => {
        tx.send(addNote, ['never']);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(sent).toEqual([]);
    });

    it('leaves the connection to the next one, bound as that one needs it', async () => {
      const [process] = await processes();
      const other = database.within({ organizationId: randomUUID() });
      for (let n = 0; n < 3; n++) {
        for (const scope of [tenant, other]) {
          await expect(
            scope.transaction(async (tx) => {
              await tx.query(addNote, ['twice']);
              await tx.query(addNote, ['twice']);
            }),
          ).rejects.toMatchObject(code);
          await expect(scope.query(addNote, ['\0'])).rejects.toThrow();
          await scope.query(addNote, [`${n}`]);
        }
      }
      expect(await texts()).toEqual(['0', '1', '2']);
      expect((await other.query(allNotes, [])).map(({ text }) => text)).toEqual(['0', '1', '2']);
      expect(await processes()).toContain(process);
    });

    it('refuses a value that has no text before anything is sent, and continues', async () => {
      const circular: { self?: unknown } = {};
      circular.self = circular;
      await tenant.transaction(async (tx) => {
        await expect(tx.query(addNote, [circular as never])).rejects.toThrow('circular');
        expect(() => tx.send(addNote, [circular as never])).toThrow('circular');
        await tx.query(addNote, ['kept']);
      });
      expect(await texts()).toEqual(['kept']);
    });
  });

  describe('in parts', () => {
    it('undoes of a part what was sent in it, and nothing else', async () => {
      await tenant.transaction(async (tx) => {
        const scope = tx.asScope();
        tx.send(addNote, ['before']);
        await expect(
          scope.transaction(async (part) => {
            part.send(addNote, ['undone']);
            await part.query(allNotes, []);
            part.send(addNote, ['never sent']);
            throw new Error('no');
          }),
        ).rejects.toThrow('no');
        await expect(
          scope.transaction(async (part) => {
            part.send(addNote, ['never sent either']);
            throw new Error('no');
          }),
        ).rejects.toThrow('no');
        tx.send(addNote, ['after']);
      });
      expect(await texts()).toEqual(['after', 'before']);
    });

    it('fails whole where what was sent before a part fails in it, whatever the part does', async () => {
      const failing = tenant.transaction(async (tx) => {
        await tx.query(addNote, ['twice']);
        const scope = tx.asScope();
        await scope.transaction(async (outer) => {
          await outer.query(addNote, ['outer']);
          outer.send(addNote, ['twice']);
          await outer
            .asScope()
            .transaction((inner) => inner.query(addNote, ['inner']))
            .catch(() => undefined);
          await outer.query(addNote, ['more']).catch(() => undefined);
        });
      });
      await expect(failing).rejects.toMatchObject({
        code: expect.stringMatching(/^(23505|TRANSACTION_FAILED)$/) as string,
      });
      expect(await texts()).toEqual([]);
    });

    it('stays bound to its own scope after a part in another one was undone', async () => {
      const other = { organizationId: randomUUID() };
      await tenant.transaction(async (tx) => {
        await tx.query(addNote, ['mine']);
        await expect(
          tx.asScope().transaction((part) =>
            part.within(other, async (inner) => {
              await inner.query(addNote, ['theirs']);
              await inner.query(addNote, ['theirs']);
            }),
          ),
        ).rejects.toMatchObject({ code: '23505' });
        await tx.query(addNote, ['mine too']);
        await tx.within(other, (inner) => inner.query(addNote, ['theirs after all']));
      });
      expect(await texts()).toEqual(['mine', 'mine too']);
      expect(await database.within(other).query(allNotes, [])).toEqual([{ text: 'theirs after all' }]);
    });
  });

  describe('of no scope', () => {
    it('takes effect whole or not at all, with the scopes that it enters', async () => {
      const code = randomUUID();
      const work = (fail: boolean) =>
        database.unscoped.transaction(async (tx) => {
          tx.send(addCountry, [code]);
          await tx.within(tenant.scope, async (inner) => {
            await inner.query(addNote, [code]);
            expect(await inner.query(hasCountry, [code])).toHaveLength(1);
          });
          if (fail) throw new Error('no');
        });
      await expect(work(true)).rejects.toThrow('no');
      expect([await texts(), await database.unscoped.query(hasCountry, [code])]).toEqual([[], []]);
      await work(false);
      expect([await texts(), await database.unscoped.query(hasCountry, [code])]).toEqual([
        [code],
        [{ code }],
      ]);
    });

    it('reaches no tenant’s rows', async () => {
      const reaching = database.unscoped.transaction((tx) => tx.query(allNotes as never, []));
      await expect(reaching).rejects.toMatchObject({ code: 'SCOPE_REQUIRED' });
      const unscoped = database.unscoped as unknown as OrganizationRows;
      await expect(models(unscoped).note.findMany()).rejects.toMatchObject({
        code: 'SCOPE_REQUIRED',
      });
      expect(await models(database.unscoped).country.findMany({ where: { code: 'nowhere' } })).toEqual([]);
    });
  });

  it('that is left idle for too long is ended by PostgreSQL, and keeps nothing', async () => {
    const own = fixture.open({ binding, poolSize: 1, timeouts: { idleInTransactionMs: 200 } });
    const scope = own.within(tenant.scope);
    const idleTransactions = async () => {
      const { rowCount } = await fixture.admin.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      return rowCount;
    };
    const idle = scope.transaction(async (tx) => {
      await tx.query(addNote, ['lost']);
      await expect.poll(idleTransactions).toBe(0);
      await tx.query(addNote, ['lost too']);
    });
    await expect(idle).rejects.toThrow();
    expect(await scope.query(allNotes, [])).toEqual([]);
  });

  it('that takes too long is ended by PostgreSQL, even if its process does not end it', async () => {
    const own = fixture.open({ binding, poolSize: 1 });
    const transaction = await own.pool.begin(['', ''], { limitMs: patience(200) });
    await transaction.ask(undefined, { text: 'SELECT pg_sleep(0.1)' });
    // The limit, and a second of grace.
    const tooLong = transaction.ask(undefined, { text: 'SELECT pg_sleep(30)' });
    await expect(tooLong).rejects.toMatchObject({ code: '25P04' });
    transaction.giveBack();
    await own.check();
  });

  it('may last longer than others where it says so', async () => {
    const own = fixture.open({ binding, poolSize: 1, timeouts: { transactionMs: 100 } });
    const slept = own
      .within(tenant.scope)
      .transaction((tx) => tx.query(slow, [1.3]).then(() => tx.query(slow, [0])), {
        limitMs: patience(10_000),
      });
    expect(await slept).toHaveLength(1);
    const late = own
      .within(tenant.scope)
      .transaction((tx) => tx.query(slow, [0.2]).then(() => tx.query(slow, [0])));
    await expect(late).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
  });

  async function processes(): Promise<unknown[]> {
    const { rows } = (await database.pool.query('SELECT pg_backend_pid() AS pid')) as {
      rows: { pid: number }[];
    };
    return rows.map(({ pid }) => pid);
  }
});

describe('a lock', () => {
  it('is held by one at a time, who works beside its transaction', async () => {
    const [one, other] = [
      fixture.open({ poolSize: 2 }),
      fixture.open({ binding: 'transaction', poolSize: 2 }),
    ];
    const code = randomUUID();
    const results = await one.exclusively('a-lock', async () => {
      await one.unscoped.query(addCountry, [code]);
      return [
        await other.exclusively('a-lock', async () => 'never'),
        await other.exclusively('another', async () => 'mine'),
      ];
    });
    expect(results).toEqual([undefined, 'mine']);
    expect(await other.exclusively('a-lock', async () => 'now')).toBe('now');
    await expect(one.exclusively('a-lock', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await other.exclusively('a-lock', async () => 'now')).toBe('now');
  });
});
