import { misfits, rowTypes } from '@tenantry/sql-check/types';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStatements, type DescribedStatement } from '../src/types/describe.ts';
import { renderStatementTypes } from '../src/types/typescript.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';

const schema = `
  CREATE TABLE people (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, nickname text, team_id uuid,
    role text NOT NULL CHECK (role IN ('owner', 'member')), mood text CHECK (mood IN ('glad', 'it''s fine')),
    age integer, tags text[] NOT NULL DEFAULT '{}', joined_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE teams (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), title text NOT NULL, motto text, budget numeric(12, 2) NOT NULL DEFAULT 0);
  CREATE SCHEMA app;
  CREATE FUNCTION app.fold(value text) RETURNS text IMMUTABLE STRICT LANGUAGE sql RETURN lower(value);
  CREATE FUNCTION app.doubt(value text) RETURNS text IMMUTABLE LANGUAGE sql RETURN nullif(value, '');`;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(schema);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const described = async (text: string): Promise<DescribedStatement> => {
  const [one] = await describeStatements(client, [{ name: 'tested', text }]);
  if (!one) throw new Error('nothing was described');
  return one;
};

/** The columns of a statement, as they are typed. */
async function rowOf(text: string): Promise<string> {
  const source = renderStatementTypes([{ ...(await described(text)), isScoped: false }]);
  const row = /    row: ([^]*?);\n  \};/.exec(source)?.[1] ?? '';
  return row
    .replaceAll(/readonly (?=\w+:)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('; }', ' }');
}

/** The parameters of a statement, as they are typed. */
async function valuesOf(text: string): Promise<string> {
  const source = renderStatementTypes([{ ...(await described(text)), isScoped: false }]);
  const values = /    values: readonly ([^]*?);\n    row/.exec(source)?.[1] ?? '';
  return values
    .replaceAll(/\[\s+/g, '[')
    .replaceAll(/,\s+\]/g, ']')
    .replaceAll(/\s+/g, ' ');
}

describe('a column', () => {
  it.each([
    ['SELECT name, nickname FROM people', '{ name: string; nickname: string | null }'],
    ['SELECT p.id, joined_at AS "joinedAt" FROM people p', '{ id: string; joinedAt: Date }'],
    ['SELECT budget, budget::float8 AS amount FROM teams', '{ budget: string; amount: number }'],
    ['SELECT count(*) AS n, max(age) AS oldest FROM people', '{ n: string; oldest: number | null }'],
    ['SELECT (SELECT count(*) FROM teams)::int AS n', '{ n: number }'],
    ['SELECT (SELECT title FROM teams LIMIT 1) AS t', '{ t: string | null }'],
    ['SELECT coalesce(nickname, name) AS called FROM people', '{ called: string }'],
    ['SELECT lower(name) AS a, lower(nickname) AS b FROM people', '{ a: string; b: string | null }'],
    ['SELECT app.fold(name) AS a, app.doubt(name) AS b FROM people', '{ a: string; b: string | null }'],
    [
      'SELECT age > 3 AS a, age IS NULL AS b, name = ANY(tags) AS c FROM people',
      '{ a: boolean | null; b: boolean; c: boolean }',
    ],
    ['SELECT nickname FROM people WHERE nickname IS NOT NULL', '{ nickname: string }'],
    ["SELECT nickname FROM people WHERE nickname = 'x' AND age > 1", '{ nickname: string }'],
    ["SELECT nickname FROM people WHERE nickname = 'x' OR age > 1", '{ nickname: string | null }'],
    ['SELECT tags, array_length(tags, 1) AS n FROM people', '{ tags: readonly string[]; n: number | null }'],
    ['SELECT role, mood FROM people', "{ role: 'owner' | 'member'; mood: 'glad' | 'it\\'s fine' | null }"],
    ["SELECT CASE WHEN age > 3 THEN 'old' ELSE 'young' END AS kind FROM people", "{ kind: 'old' | 'young' }"],
    [
      "SELECT CASE WHEN age > 3 THEN 'old' END AS kind, NULL AS nothing FROM people",
      "{ kind: 'old' | null; nothing: null }",
    ],
    ['SELECT CASE WHEN age > 3 THEN name ELSE NULL END AS n FROM people', '{ n: string | null }'],
    ['SELECT name FROM people UNION ALL SELECT motto FROM teams', '{ name: string | null }'],
    ['SELECT name FROM people UNION SELECT title FROM teams', '{ name: string }'],
    ['SELECT role, count(*)::int AS n FROM people GROUP BY role', "{ role: 'owner' | 'member'; n: number }"],
    ['WITH x AS (SELECT name, age FROM people) SELECT * FROM x', '{ name: string; age: number | null }'],
    ['SELECT v.* FROM (VALUES (1, NULL), (2, $1)) AS v (a, b)', '{ a: number; b: string | null }'],
    ['DELETE FROM people RETURNING name, mood', "{ name: string; mood: 'glad' | 'it\\'s fine' | null }"],
    ['UPDATE people SET age = 1 RETURNING old.age, new.name', '{ age: number | null; name: string }'],
    [
      "INSERT INTO teams (title) VALUES ('a') RETURNING old.title AS before, title",
      '{ before: string | null; title: string }',
    ],
    ['DELETE FROM people', 'never'],
  ])('of %s', async (text, row) => {
    expect(await rowOf(text)).toBe(row);
  });

  it('is null together with the others that its outer join leaves out', async () => {
    expect(
      await rowOf(
        'SELECT p.name, t.id, t.title, t.motto FROM people p LEFT JOIN teams t ON t.id = p.team_id',
      ),
    ).toBe('{ name: string } & Joined<{ id: string; title: string; motto: string | null }>');
    expect(await rowOf('SELECT p.name, t.title FROM people p LEFT JOIN teams t ON t.id = p.team_id')).toBe(
      '{ name: string; title: string | null }',
    );
  });

  it('is there where a condition leaves out the rows of nulls', async () => {
    const text = 'SELECT t.id, t.title FROM people p LEFT JOIN teams t ON t.id = p.team_id WHERE t.id = $1';
    expect(await rowOf(text)).toContain('id: string');
  });
});

describe('a parameter', () => {
  it.each([
    ['SELECT FROM people WHERE id = $1 AND role = $2', "[id: string, role: 'owner' | 'member']"],
    [
      'INSERT INTO people (name, nickname, role) VALUES ($1, $2, $3)',
      "[name: string, nickname: string | null, role: 'owner' | 'member']",
    ],
    [
      'UPDATE people SET nickname = $2, age = $3 WHERE id = $1',
      '[id: string, nickname: string | null, age: number | null]',
    ],
    ['SELECT FROM people WHERE $1::text IS NULL OR name = $1', '[name: string | null]'],
    ['SELECT FROM people WHERE nickname IS NOT DISTINCT FROM $1', '[nickname: string | null]'],
    [
      'SELECT FROM people WHERE id = ANY($1) LIMIT $2 OFFSET $3',
      '[idList: readonly string[], limit: number, offset: number]',
    ],
    [
      'SELECT FROM people WHERE name = $1 OR nickname = $2 OR name = $3',
      '[name: string, nickname: string, name2: string]',
    ],
    ['SELECT FROM people WHERE app.fold(name) = app.fold($1)', '[name: string]'],
    ['SELECT FROM people p LEFT JOIN teams t ON t.id = $1', '[id: string | null]'],
    [
      'INSERT INTO people (name, nickname, role) SELECT n, m, r FROM unnest($1::text[], $2::text[], $3::text[]) AS x (n, m, r)',
      "[nameList: readonly string[], nicknameList: readonly (string | null)[], roleList: readonly ('owner' | 'member')[]]",
    ],
  ])('of %s', async (text, values) => {
    expect(await valuesOf(text)).toBe(values);
  });

  it('that the tenancy gives is not among the values', async () => {
    const one = await described('SELECT name FROM people WHERE team_id = $1 AND id = $2');
    expect(renderStatementTypes([{ ...one, isScoped: true }])).toContain('values: readonly [id: string];');
  });
});

describe('statements of one shape', () => {
  it('have one type, whose values are those of any, in whichever order they are defined', async () => {
    const texts = ['SELECT id FROM people WHERE name = $1', 'SELECT id FROM people WHERE age = $1'];
    const all = await describeStatements(
      client,
      texts.map((text, index) => ({ name: `page-${index}`, text })),
    );
    const typed = all.map((one) => ({ ...one, like: 'page', isScoped: false }));
    const source = renderStatementTypes(typed);
    expect(renderStatementTypes(typed.toReversed())).toBe(source);
    expect(source).toContain(
      '  page: {\n    values:\n      | readonly [age: number]\n      | readonly [name: string];\n    row: { readonly id: string };',
    );
    expect(source).not.toContain('page-0');
  });
});

it('a long row that another statement has as well is written once, and refers to the first by its name', async () => {
  const columns = 'p.id, p.name, p.nickname, p.age, p.tags, p.joined_at AS "joinedAt"';
  const texts = {
    'person-by-id': `SELECT ${columns} FROM people p WHERE id = $1`,
    'person-by-name': `SELECT ${columns} FROM people p WHERE name = $1`,
    'person-whole': `SELECT ${columns}, p.role FROM people p WHERE id = $1`,
    'team-page': `SELECT t.title, ${columns} FROM teams t LEFT JOIN people p ON p.team_id = t.id`,
    'team-search': `SELECT t.title, ${columns} FROM teams t LEFT JOIN people p ON p.team_id = t.id WHERE title = $1`,
  };
  const all = await describeStatements(
    client,
    Object.entries(texts).map(([name, text]) => ({ name, text })),
  );
  const source = renderStatementTypes(all.map((one) => ({ ...one, isScoped: false })));
  const rowOfShape = (name: string) => new RegExp(`'${name}': {[^]*?row: ([^]*?);\n  };`).exec(source)?.[1];
  expect(rowOfShape('person-by-id')).toMatch(/^\{\s+readonly id: string;/);
  expect(rowOfShape('person-by-name')).toBe("Statements['person-by-id']['row']");
  expect(rowOfShape('person-whole')).toBe(
    "Statements['person-by-id']['row'] & {\n      readonly role: 'owner' | 'member';\n    }",
  );
  expect(rowOfShape('team-page')).toBe(
    "{ readonly title: string } & Joined<Statements['person-by-id']['row']>",
  );
  expect(rowOfShape('team-search')).toBe("Statements['team-page']['row']");
});

it('times are typed as the statement gives them', async () => {
  const one = await described('SELECT joined_at AS "joinedAt" FROM people');
  const source = renderStatementTypes([{ ...one, isScoped: false, times: 'text' }]);
  expect(source).toContain('row: { readonly joinedAt: string };');
});

describe('a row fits its types', () => {
  const text = `
    SELECT p.id, p.nickname, p.role, p.tags, p.joined_at AS "joinedAt", t.title FROM people p LEFT JOIN teams t ON true`;
  const row = { id: 'a', nickname: null, role: 'owner', tags: ['b'], joinedAt: new Date(), title: null };

  it.each([
    ['as it is', {}, []],
    ['without a nickname or with one', { nickname: 'Al' }, []],
    ['not without an id', { id: null }, ['id is null and not string']],
    ['not with another role', { role: 'guest' }, ["role is string and not 'owner' | 'member'"]],
    ['not with other times', { joinedAt: 'today' }, ['joinedAt is string and not Date']],
    ['not with nulls in its list', { tags: [null] }, ['tags is object and not readonly string[]']],
    ['not with a column more', { age: 3 }, ['age is number and not answered']],
  ])('%s', async (_, change, problems) => {
    const statement = { name: 'fits', text, owner: 'unscoped' } as const;
    const types = await rowTypes(database.url, [statement]);
    expect(misfits({ ...row, ...change }, types.get('fits') ?? {})).toEqual(problems);
  });
});

it('a statement that PostgreSQL refuses is named', async () => {
  await expect(
    describeStatements(client, [{ name: 'wrong', text: 'SELECT nothing FROM people' }]),
  ).rejects.toThrow('wrong');
});

describe('what is said not to be null never is, whatever the rows', () => {
  const column = fc.constantFrom(
    'a.name',
    'a.nickname',
    'b.title',
    'b.motto',
    'a.age',
    'c.name',
    'c.nickname',
    'b.id',
  );
  const expression = fc.oneof(
    column,
    column.map((of) => `coalesce(${of}::text, 'none')`),
    fc.tuple(column, column).map(([one, other]) => `coalesce(${one}::text, ${other}::text)`),
    fc
      .tuple(column, column)
      .map(([one, other]) => `CASE WHEN ${one} IS NULL THEN ${other}::text ELSE ${one}::text END`),
    fc.tuple(column, column).map(([one, other]) => `${one}::text || ${other}::text`),
    fc.constantFrom('(SELECT max(title) FROM teams)', '(SELECT count(*) FROM teams WHERE false)'),
    column.map((of) => `(SELECT ${of} FROM teams LIMIT 1)`),
    column.map((of) => `greatest(${of}::text, 'm')`),
  );
  const join = fc.constantFrom('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');
  const condition = fc.oneof(
    fc.constant('true'),
    column.map((of) => `${of} IS NOT NULL`),
    column.map((of) => `${of}::text < 'zz'`),
    fc.tuple(column, column).map(([one, other]) => `(${one} IS NOT NULL OR ${other} IS NOT NULL)`),
  );

  it('by property', async () => {
    await client.query(`
      INSERT INTO teams (title, motto) SELECT 't' || n, CASE WHEN n % 2 = 0 THEN 'm' END FROM generate_series(1, 6) n;
      INSERT INTO people (name, nickname, team_id, role, age)
        SELECT 'p' || n, CASE WHEN n % 3 = 0 THEN 'n' END,
          CASE WHEN n % 2 = 0 THEN (SELECT id FROM teams ORDER BY title OFFSET n % 6 LIMIT 1) END,
          'owner', CASE WHEN n % 4 = 0 THEN n END FROM generate_series(1, 12) n`);
    const query = fc.tuple(fc.array(expression, { minLength: 1, maxLength: 5 }), join, join, condition);
    await fc.assert(
      fc.asyncProperty(query, async ([expressions, first, second, where]) => {
        const selected = expressions.map((one, index) => `${one} AS c${index}`).join(', ');
        const text = `SELECT * FROM (SELECT ${selected} FROM people a ${first} teams b ON b.id = a.team_id
          ${second} people c ON c.team_id = b.id AND c.age IS NOT NULL WHERE ${where}) AS inside`;
        const { columns } = await described(text);
        const { rows } = await client.query<Record<string, unknown>>(text);
        for (const { name, isNullable, absentWith } of columns) {
          if (!isNullable && absentWith.length === 0)
            expect(rows.every((row) => row[name] !== null)).toBe(true);
        }
        const joins = new Set(
          columns.flatMap(({ absentWith }) => (absentWith.length === 1 ? absentWith : [])),
        );
        for (const one of joins) {
          const sure = columns.filter(
            (c) => !c.isNullable && c.absentWith.length === 1 && c.absentWith[0] === one,
          );
          for (const row of rows)
            expect(new Set(sure.map(({ name }) => row[name] === null)).size).toBeLessThan(2);
        }
      }),
      { numRuns: 150 },
    );
  });
});
