import { describe, expect, it } from 'vitest';
import { migrationProblems } from '@tenantry/sql-check/migrations';

const first = {
  name: '20260101000000_init',
  script: `CREATE TABLE things (organization_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, search_text text);
    CREATE TABLE parts (organization_id uuid NOT NULL, id uuid NOT NULL);`,
};

/** What is found in a migration on tables that an earlier one has made. */
const problemsOf = (...scripts: readonly string[]): Promise<string[]> =>
  migrationProblems([first, ...scripts.map((script, n) => ({ name: `2027020100000${n}_next`, script }))]);

describe('a migration is refused', () => {
  it.each([
    [
      'ALTER TABLE things ADD COLUMN key uuid NOT NULL DEFAULT gen_random_uuid()',
      'rewrites the table to give every row its own key',
    ],
    ['ALTER TABLE things ADD COLUMN at timestamptz DEFAULT clock_timestamp()', 'rewrites the table'],
    [
      'ALTER TABLE things ADD COLUMN folded text GENERATED ALWAYS AS (lower(name)) STORED',
      'rewrites the table',
    ],
    ['ALTER TABLE things ADD COLUMN number bigserial', 'rewrites the table'],
    ['ALTER TABLE things ADD COLUMN number int GENERATED ALWAYS AS IDENTITY', 'rewrites the table'],
    ['ALTER TABLE things ADD COLUMN note text NOT NULL', 'requires note of rows that have none'],
    ['ALTER TABLE things ADD COLUMN note text UNIQUE', 'builds the index of note, which blocks reads'],
    ['ALTER TABLE things ADD COLUMN size int DEFAULT 1 CHECK (size > 0)', 'checks size of every row'],
    ['ALTER TABLE things ALTER COLUMN name TYPE varchar(10)', 'rewrites things for the type of name'],
    [
      'ALTER TABLE things ALTER COLUMN search_text SET NOT NULL',
      'reads all of things to require search_text',
    ],
    ['ALTER TABLE things ADD CONSTRAINT short CHECK (length(name) < 9)', 'checks every row for short'],
    ['ALTER TABLE things ADD CONSTRAINT key UNIQUE (id)', 'builds the index of key, which blocks reads'],
    ['ALTER TABLE things ADD FOREIGN KEY (organization_id, id) REFERENCES parts', 'checks every row'],
    [
      'ALTER TABLE things ADD COLUMN note text, DROP COLUMN name',
      'drops name of things: the version that still runs',
    ],
    [
      'ALTER TABLE things RENAME COLUMN name TO title',
      'renames name: the version that still runs knows no title',
    ],
    ['ALTER TABLE things RENAME TO objects', 'renames things'],
    ['ALTER TABLE things SET UNLOGGED', 'does AT_SetUnLogged to things, which is not judged'],
    ['DROP TABLE parts', 'drops parts: the version that still runs'],
    ['DROP VIEW thing_names', 'drops thing_names'],
    ['DROP FUNCTION app.fold(text)', 'drops app.fold'],
    ['CREATE INDEX things_name ON things (name)', 'builds an index, which blocks writes to things'],
    ['REINDEX TABLE things', 'rebuilds indexes'],
    ['UPDATE things SET name = upper(name)', 'changes rows of things'],
    ['DELETE FROM ONLY public.things', 'deletes rows of things'],
    ['TRUNCATE parts, things', 'empties things'],
    ['LOCK TABLE things IN SHARE MODE', 'locks things'],
    [
      'DO $$ BEGIN EXECUTE $q$ALTER TABLE things DROP COLUMN name$q$; END $$',
      'runs a block, which is not judged',
    ],
  ])('%s', async (statement, problem) => {
    const found = await problemsOf(`-- What it is for; nothing else.\n${statement};`);
    expect(found.join('\n')).toContain(`20270201000000_next, line 2: ${problem}`);
  });

  it.each([
    ['at the end of the line before', 'SELECT 1; -- safe: another statement\n'],
    ['on the statement before', '-- safe: another statement\nSELECT 1;\n'],
    ['inside of a text', "COMMENT ON TABLE things IS '\n-- safe: a text\n';\n"],
    ['without a reason', '-- safe:\n'],
  ])('with a reason %s', async (_, before) => {
    expect(await problemsOf(`${before}DROP TABLE parts;`)).toHaveLength(1);
  });
});

describe('a migration passes', () => {
  it.each([
    ['ALTER TABLE things ADD COLUMN note text'],
    [
      `ALTER TABLE things ADD COLUMN note text NOT NULL DEFAULT '', ADD COLUMN at timestamptz NOT NULL DEFAULT now()`,
    ],
    [`ALTER TABLE things ADD COLUMN tags text[] NOT NULL DEFAULT ARRAY['a']::text[]`],
    ['ALTER TABLE things ADD CONSTRAINT short CHECK (length(name) < 9) NOT VALID'],
    ['ALTER TABLE things ADD CONSTRAINT key UNIQUE USING INDEX things_key'],
    ['ALTER TABLE things ALTER COLUMN name DROP NOT NULL, ALTER COLUMN name SET DEFAULT $$x$$'],
    ['CREATE INDEX CONCURRENTLY things_name ON things (name)'],
    ['DROP INDEX CONCURRENTLY things_list'],
    ['ALTER INDEX things_list RENAME TO things_newest'],
    ['CREATE FUNCTION app.drop() RETURNS void LANGUAGE sql AS $$ DROP TABLE things $$'],
    ['GRANT SELECT ON things TO tenantry_thing_service'],
    ['-- It was never used.\n-- safe: no version has read it\n-- since the first.\nDROP TABLE parts'],
  ])('%s', async (statement) => {
    expect(await problemsOf(`${statement};`)).toEqual([]);
  });

  it('whatever it does to a table that it makes itself', async () => {
    const script = `CREATE TABLE public.notes (id int);
      ALTER TABLE notes ADD COLUMN text text NOT NULL, ADD CHECK (text <> ''), ALTER id TYPE bigint;
      CREATE INDEX ON notes (text);
      UPDATE notes SET text = 'x';`;
    expect(await problemsOf(script)).toEqual([]);
    expect(await problemsOf(script, 'CREATE INDEX ON notes (id);')).toHaveLength(1);
  });

  it('with SET NOT NULL once a constraint has been validated that says the same', async () => {
    const added = 'ALTER TABLE things ADD CONSTRAINT has_name CHECK (name IS NOT NULL) NOT VALID;';
    const validated = 'ALTER TABLE things VALIDATE CONSTRAINT has_name;';
    const required = 'ALTER TABLE things ALTER name SET NOT NULL, DROP CONSTRAINT has_name;';
    expect(await problemsOf(added, validated, required)).toEqual([]);
    expect(await problemsOf(`${added}${validated}`)).toEqual([
      expect.stringContaining('in the next migration'),
    ]);
    expect(await problemsOf(added, required)).toEqual([expect.stringContaining('VALIDATE a CHECK')]);
    expect(await problemsOf(added, validated, required, required)).toHaveLength(1);
  });
});

it('leaves out what was there before there was a rule, and nothing later', async () => {
  const script = 'DROP TABLE things;';
  const older = { name: '20261122021000_older', script };
  expect(await migrationProblems([first, older])).toEqual([]);
  expect(await migrationProblems([first, older, { name: '20261122021001_next', script }])).toHaveLength(1);
});
