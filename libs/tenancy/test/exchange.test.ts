import { hash } from 'node:crypto';
import { patience, thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import pg, { type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '@tenantry/tenancy';
import { exchange } from '../src/protocol/exchange.ts';
import { valuesOf, type Query } from '../src/protocol/query.ts';
import { isoTime, isoTimesForm } from '../src/protocol/row-reader.ts';
import { createFixture, type Fixture } from './fixture/database.ts';

let fixture: Fixture;
let client: PoolClient;
let plain: PoolClient;
beforeAll(async () => {
  fixture = await createFixture();
  [client, plain] = await Promise.all([fixture.admin.connect(), fixture.admin.connect()]);
  await client.query('CREATE TABLE things (id int PRIMARY KEY, name text CHECK (name <> $$bad$$))');
});
afterAll(async () => {
  for (const each of [client, plain]) each.release();
  await fixture.drop();
});

const send = (...queries: Query[]) => exchange(client, queries, { answerMs: patience() });
const namesOfThings = async () => {
  const { rows } = await plain.query<{ name: string }>('SELECT name FROM things ORDER BY id');
  return rows.map(({ name }) => name);
};
const addThing = (id: number, name: string): Query => ({
  name: 'thing-add',
  text: 'INSERT INTO things VALUES ($1, $2) RETURNING id',
  values: [String(id), name],
});
const countThings: Query = { name: 'thing-count', text: 'SELECT count(*)::int AS count FROM things' };

describe('an exchange', () => {
  it('gives the answer to each of its statements, in order', async () => {
    const { answers, error } = await send(addThing(1, 'one'), countThings, addThing(2, 'two'), countThings);
    expect(error).toBeUndefined();
    expect(answers.map(({ rows, rowCount, command }) => [command, rowCount, rows])).toEqual([
      ['INSERT', 1, [{ id: 1 }]],
      ['SELECT', 1, [{ count: 1 }]],
      ['INSERT', 1, [{ id: 2 }]],
      ['SELECT', 1, [{ count: 2 }]],
    ]);
  });

  it('is carried out whole or not at all: nothing behind a statement that failed, nothing before it', async () => {
    const before = await namesOfThings();
    const { answers, error } = await send(addThing(10, 'first'), addThing(11, 'bad'), addThing(12, 'last'));
    expect([answers.length, (error as pg.DatabaseError).code]).toEqual([1, '23514']);
    expect(await namesOfThings()).toEqual(before);
    expect((await send(countThings)).answers[0]?.rows).toEqual([{ count: before.length }]);
  });

  it('in a transaction does nothing of what is behind a statement that failed', async () => {
    await send({ text: 'BEGIN' });
    const { answers, error } = await send(addThing(20, 'bad'), { text: 'COMMIT' });
    expect([answers.length, (error as pg.DatabaseError).code]).toEqual([0, '23514']);
    expect((await send(countThings)).error).toMatchObject({ code: '25P02' });
    expect((await send({ text: 'COMMIT' })).answers[0]?.command).toBe('ROLLBACK');
  });

  it('fails where what it did cannot be committed, though each statement was answered', async () => {
    await client.query(`
      CREATE TABLE parents (id int PRIMARY KEY);
      CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`);
    const { answers, error } = await send({ text: 'INSERT INTO children VALUES (1)' });
    expect([answers.length, (error as pg.DatabaseError).code]).toEqual([1, '23503']);
  });

  it('prepares a statement once, also one that comes twice or did not parse before', async () => {
    const isThere: Query = { name: 'later', text: 'SELECT id FROM later_table' };
    for (let n = 0; n < 2; n++) {
      const { answers, error } = await send(countThings, isThere, isThere, addThing(30, 'never'));
      expect([answers.length, (error as pg.DatabaseError).code]).toEqual([1, '42P01']);
    }
    await client.query('CREATE TABLE later_table (id int); INSERT INTO later_table VALUES (7)');
    for (let n = 0; n < 2; n++) {
      const { answers, error } = await send(isThere, isThere);
      expect(error).toBeUndefined();
      expect(answers.map(({ rows }) => rows)).toEqual([[{ id: 7 }], [{ id: 7 }]]);
    }
    const { rows } = await client.query<object>(
      `SELECT count(*)::int AS times FROM pg_prepared_statements WHERE name = 'later'`,
    );
    expect(rows).toEqual([{ times: 1 }]);
  });

  it('refuses a name under which another text is prepared, and sends nothing', async () => {
    await send(countThings);
    const { answers, error } = await send(addThing(31, 'never'), { ...countThings, text: 'SELECT 1' });
    expect([answers.length, error?.message]).toEqual([0, expect.stringContaining('thing-count')]);
    expect(await namesOfThings()).not.toContain('never');
  });

  it('takes a name that every object has', async () => {
    const { answers } = await send({ name: 'constructor', text: 'SELECT 1 AS one' });
    expect(answers[0]?.rows).toEqual([{ one: 1 }]);
  });

  it('gives answers without rows or columns as such, from the first time on', async () => {
    for (let n = 0; n < 2; n++) {
      const { answers } = await send(
        { name: 'none', text: 'SELECT 1 AS one WHERE false' },
        { name: 'nothing', text: 'DELETE FROM things WHERE false' },
        { text: '' },
      );
      expect(answers.map(({ rows, fields, rowCount }) => [rows, fields.length, rowCount])).toEqual([
        [[], 1, 0],
        [[], 0, 0],
        [[], 0, 0],
      ]);
    }
  });

  it('has no answer to a value that cannot be read, and all others', async () => {
    const form = { as: 'objects' as const, parserOf: () => JSON.parse };
    const { answers, error } = await send({ text: `SELECT '{' AS broken`, form }, countThings);
    expect(error).toBeUndefined();
    expect(answers[0]?.unreadable).toBeInstanceOf(SyntaxError);
    expect(answers[1]).toMatchObject({ unreadable: undefined, rowCount: 1 });
  });

  it('goes both ways whatever its size', async () => {
    const text = 'x'.repeat(200_000);
    const echo: Query = { name: 'echo', text: 'SELECT $1::text AS text', values: [text] };
    const { answers } = await send(...Array.from({ length: 50 }, () => echo));
    expect(answers.map(({ rows }) => (rows[0] as { text: string }).text.length)).toEqual(
      Array.from({ length: 50 }, () => 200_000),
    );
  });

  it('refuses COPY, and the connection stays usable', async () => {
    expect((await send({ text: 'COPY things FROM STDIN' })).error).toBeInstanceOf(pg.DatabaseError);
    expect((await send(countThings)).error).toBeUndefined();
  });

  it('has no end but its time where PostgreSQL does not answer', async () => {
    const own = new pg.Client({ connectionString: fixture.runtimeUrl });
    own.on('error', () => undefined);
    await own.connect();
    const { error } = await exchange(own as unknown as PoolClient, [{ text: 'SELECT pg_sleep(30)' }], {
      answerMs: 100,
    });
    expect(error?.message).toBe('Query read timeout');
    await own.end();
  });
});

/** Values of all types that services use, each with its type. */
const typed: fc.Arbitrary<readonly [type: string, value: unknown]> = fc.oneof(
  fc.tuple(
    fc.constant('text'),
    fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
  ),
  fc.tuple(fc.constant('int4'), fc.option(fc.integer())),
  fc.tuple(fc.constant('int8'), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.tuple(fc.constant('numeric'), fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.tuple(fc.constant('float8'), fc.double()),
  fc.tuple(fc.constant('bool'), fc.option(fc.boolean())),
  fc.tuple(fc.constant('uuid'), fc.uuid()),
  fc.tuple(
    fc.constant('bytea'),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  ),
  fc.tuple(fc.constant('bytea'), fc.uint8Array()),
  fc.tuple(
    fc.constant('jsonb'),
    fc.dictionary(
      fc.stringMatching(/^[a-z]*$/),
      fc.oneof(fc.integer(), fc.boolean(), fc.stringMatching(/^[ -~]*$/)),
    ),
  ),
  fc.tuple(fc.constant('text[]'), fc.array(fc.option(fc.stringMatching(/^[ -~]*$/)))),
  fc.tuple(fc.constant('int4[]'), fc.array(fc.integer())),
  fc.tuple(fc.constant('uuid[]'), fc.array(fc.uuid())),
  fc.tuple(
    fc.constant('timestamptz'),
    fc.option(
      fc.date({
        min: new Date('0001-01-02T00:00:00Z'),
        max: new Date('9999-12-30T00:00:00Z'),
        noInvalidDate: true,
      }),
    ),
  ),
  fc.tuple(fc.constant('date'), fc.constantFrom('2026-11-23', '0044-03-15', 'infinity')),
);

describe('a page', () => {
  it('is the rows of its statement, and the total beside each', () => {
    const row = { id: 'a', name: 'one', total: 7 };
    expect(pageOf([row])).toEqual({ items: [row], total: 7 });
    expect(pageOf([{ id: null, total: 7 }])).toEqual({ items: [], total: 7 });
    expect(pageOf([])).toEqual({ items: [], total: 0 });
  });
});

describe('beside plain pg', () => {
  const textOf = (types: readonly string[]) =>
    `SELECT ${types.map((type, i) => `$${i + 1}::${type} AS c${i}`).join(', ')} FROM generate_series(1, 2)`;

  it('an exchange gives the same rows for every type of value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(typed, { minLength: 1, maxLength: 8 }), async (columns) => {
        const text = textOf(columns.map(([type]) => type));
        const values = columns.map(([, value]) => value);
        const theirs = await plain.query<object>({ text, values });
        const prepared = hash('sha256', text);
        // By itself, when it is prepared, and when it was.
        for (const name of [undefined, prepared.slice(0, 63), prepared.slice(0, 63)]) {
          const { answers, error } = await send({ name, text, values: valuesOf(values) });
          expect(error).toBeUndefined();
          expect(answers[0]?.rows).toEqual(theirs.rows);
          expect(answers[0]?.rowCount).toBe(theirs.rowCount);
          expect(answers[0]?.fields.map(({ name: field }) => field)).toEqual(
            theirs.fields.map(({ name: field }) => field),
          );
        }
      }),
      { numRuns: thorough(2_000, 200) },
    );
  });

  it.each([
    ['no statement', 'SELEC 1'],
    ['no table', 'SELECT * FROM nowhere'],
    ['no number', `SELECT 'x'::int`],
    ['a division by zero', 'SELECT 1 / 0'],
    ['a value too few', 'SELECT $1::int + $2::int'],
    ['two statements', 'SELECT 1; SELECT 2'],
  ])('an exchange fails alike for %s', async (_, text) => {
    const theirs: unknown = await plain.query({ text, values: ['1'] }).catch((error: unknown) => error);
    const { error } = await send({ text, values: ['1'] });
    const { code, message, severity, position } = theirs as pg.DatabaseError;
    expect(error).toMatchObject({ code, message, severity, position });
  });

  it('times as text are what Date.toISOString() writes of the same', async () => {
    const times = [
      ...['2026-11-23 12:34:56+00', '2026-11-23 12:34:56.1+00', '2026-11-23 12:34:56.123999+00'],
      ...['1969-12-31 23:59:59.999+00', '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999+00'],
      ...['10000-01-01 00:00:00+00', '10000-01-01 00:00:00.5+00', '0044-03-15 12:00:00+00 BC'],
    ];
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
      await client.query(`SET TIME ZONE '${zone}'`);
      const text = 'SELECT t FROM unnest($1::timestamptz[]) WITH ORDINALITY AS u (t, n) ORDER BY n';
      const { rows } = await client.query<{ t: Date }>({ text, values: [times] });
      const { answers } = await send({ text, values: valuesOf([times]), form: isoTimesForm });
      expect(answers[0]?.rows).toEqual(rows.map(({ t }) => ({ t: t.toISOString() })));
    }
    await client.query('RESET TIME ZONE');
    expect([isoTime('infinity'), isoTime('-infinity')]).toEqual(['infinity', '-infinity']);
  });
});
