import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatementOwner, TenantDatabase } from '@tenantry/tenancy';
import { statementProblems } from '@tenantry/sql-check/statements';
import { createFixture, type Fixture } from './fixture/database.ts';

let fixture: Fixture;
let database: TenantDatabase;
beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open({ poolSize: 1 });
});
afterAll(() => fixture.drop());

/** What is wrong with a statement, and whether PostgreSQL takes it: a case that it refuses would show nothing. */
async function problemsOf(text: string, owner: StatementOwner = 'organization'): Promise<string[]> {
  await fixture.admin.query(`PREPARE judged AS ${text}; DEALLOCATE judged`);
  const problems = await statementProblems(database.pool, {
    unscoped: { countries: 'the same for everyone' },
    statements: [{ name: 'it', text, owner }],
  });
  return problems.map((problem) => problem.replace(/^it /, ''));
}

describe('a statement is accepted where every row is the organization’s', () => {
  it.each([
    'SELECT 1',
    'SELECT * FROM countries',
    'SELECT * FROM notes WHERE organization_id = $1',
    'SELECT * FROM public.notes WHERE $1::uuid = organization_id AND (text = $2 OR text IS NULL)',
    'SELECT * FROM notes n WHERE (n.organization_id, n.id) = ($1, $2) FOR UPDATE',
    'SELECT * FROM notes n JOIN comments c ON c.organization_id = n.organization_id AND c.note_id = n.id WHERE n.organization_id = $1',
    'SELECT * FROM notes n JOIN comments c USING (organization_id) WHERE c.organization_id = $1',
    'SELECT * FROM notes n LEFT JOIN comments c ON (c.organization_id, c.note_id) = (n.organization_id, n.id) WHERE n.organization_id = $1',
    'SELECT * FROM comments c RIGHT JOIN notes n ON c.organization_id = $1 WHERE n.organization_id = $1',
    'SELECT * FROM notes a, notes b, notes c WHERE c.organization_id = b.organization_id AND b.organization_id = a.organization_id AND a.organization_id = $1',
    'SELECT * FROM notes n WHERE n.organization_id = $1 AND NOT EXISTS (SELECT FROM comments c WHERE c.organization_id = n.organization_id AND c.note_id = n.id)',
    'SELECT (SELECT count(*) FROM comments WHERE organization_id = $1) FROM countries',
    'SELECT text FROM notes WHERE organization_id = $1 UNION ALL SELECT text FROM comments WHERE organization_id = $1',
    'WITH n AS (SELECT * FROM notes WHERE organization_id = $1) SELECT * FROM n JOIN comments c ON c.organization_id = n.organization_id',
    'WITH n AS (SELECT organization_id AS o FROM notes WHERE organization_id = $1) SELECT * FROM n, comments WHERE organization_id = n.o',
    'WITH RECURSIVE n AS (SELECT id FROM notes WHERE organization_id = $1 UNION SELECT c.note_id FROM n JOIN comments c ON c.organization_id = $1 AND c.note_id = n.id) SELECT * FROM n',
    'SELECT * FROM notes n, LATERAL (SELECT * FROM comments c WHERE c.organization_id = n.organization_id LIMIT 1) c WHERE n.organization_id = $1',
    'SELECT * FROM (SELECT * FROM notes WHERE organization_id = $1) n LEFT JOIN LATERAL (SELECT FROM comments c WHERE c.organization_id = n.organization_id) c ON true',
    'SELECT * FROM notes JOIN unnest($2::uuid[]) AS wanted (id) USING (id) WHERE organization_id = $1',
    'INSERT INTO notes (organization_id, text) VALUES ($1, $2), ($1::uuid, $3)',
    'INSERT INTO notes (text, organization_id) SELECT text, $1 FROM unnest($2::text[]) AS text',
    'INSERT INTO notes (organization_id, text) SELECT organization_id, text FROM comments WHERE organization_id = $1',
    'INSERT INTO notes (organization_id, text) VALUES ($1, $2) ON CONFLICT (organization_id, text) DO UPDATE SET text = excluded.text RETURNING id',
    'UPDATE notes SET text = $2 WHERE organization_id = $1 AND id = $3',
    'UPDATE notes n SET text = c.text FROM comments c WHERE n.organization_id = $1 AND c.organization_id = n.organization_id',
    'DELETE FROM notes WHERE organization_id = $1',
    'DELETE FROM notes n USING comments c WHERE c.organization_id = $1 AND (n.organization_id, n.id) = (c.organization_id, c.note_id)',
    'WITH gone AS (DELETE FROM comments WHERE organization_id = $1 RETURNING organization_id, note_id) DELETE FROM notes n USING gone WHERE n.organization_id = gone.organization_id AND n.id = gone.note_id',
    `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'member')`,
  ])('%s', async (text) => {
    expect(await problemsOf(text)).toEqual([]);
  });
});

describe('a statement is named where a row may be another organization’s', () => {
  const notes = 'reads notes without confining it to organization_id';
  const comments = 'reads comments without confining it to organization_id';

  it.each([
    ['no condition', 'SELECT * FROM notes', [notes]],
    ['OR', 'SELECT * FROM notes WHERE organization_id = $1 OR true', [notes]],
    ['OR further in', 'SELECT * FROM notes WHERE id = $2 AND (organization_id = $1 OR text = $3)', [notes]],
    ['NOT', 'SELECT * FROM notes WHERE NOT (organization_id = $1)', [notes]],
    ['NOT of NOT', 'SELECT * FROM notes WHERE NOT (NOT organization_id = $1 AND false)', [notes]],
    ['IS NOT FALSE', 'SELECT * FROM notes WHERE (organization_id = $1) IS NOT FALSE', [notes]],
    ['CASE', 'SELECT * FROM notes WHERE CASE WHEN $2 THEN organization_id = $1 ELSE true END', [notes]],
    ['another operator', 'SELECT * FROM notes WHERE organization_id >= $1', [notes]],
    ['another parameter', 'SELECT * FROM notes WHERE $1::text IS NOT NULL AND organization_id = $2', [notes]],
    ['another column', 'SELECT * FROM notes WHERE id = $1', [notes]],
    [
      'a comparison with itself',
      'SELECT * FROM notes WHERE organization_id = organization_id AND $1',
      [notes],
    ],
    ['a parameter among others', 'SELECT * FROM notes WHERE organization_id IN ($1, $2)', [notes]],
    ['a list', 'SELECT * FROM notes WHERE organization_id = ANY ($1)', [notes]],
    [
      'a condition on groups',
      'SELECT organization_id FROM notes GROUP BY 1 HAVING organization_id = $1',
      [notes],
    ],
    ['a condition in the answer', 'SELECT organization_id = $1, text FROM notes', [notes]],
    [
      'UNION',
      'SELECT text FROM notes WHERE organization_id = $1 UNION SELECT text FROM comments',
      [comments],
    ],
    [
      'EXCEPT',
      'SELECT id FROM notes WHERE organization_id = $1 EXCEPT SELECT note_id FROM comments',
      [comments],
    ],
    [
      'a sub-select in the answer',
      'SELECT (SELECT max(text) FROM comments) FROM notes WHERE organization_id = $1',
      [comments],
    ],
    ['a sub-select in FROM', 'SELECT * FROM (SELECT * FROM notes) n WHERE n.organization_id = $1', [notes]],
    [
      'a sub-select in LIMIT',
      'SELECT * FROM notes WHERE organization_id = $1 LIMIT (SELECT count(*) FROM comments)',
      [comments],
    ],
    [
      'a sub-select in ORDER BY',
      'SELECT * FROM notes WHERE organization_id = $1 ORDER BY (SELECT min(text) FROM comments)',
      [comments],
    ],
    [
      'EXISTS',
      'SELECT * FROM notes WHERE organization_id = $1 AND EXISTS (SELECT FROM comments WHERE note_id = notes.id)',
      [comments],
    ],
    [
      'EXISTS that confines the outer table alone',
      'SELECT * FROM notes n WHERE EXISTS (SELECT FROM comments c WHERE c.organization_id = $1 AND c.organization_id = n.organization_id)',
      [notes],
    ],
    [
      'IN',
      'SELECT * FROM notes WHERE organization_id = $1 AND id IN (SELECT note_id FROM comments)',
      [comments],
    ],
    ['a CTE', 'WITH n AS (SELECT * FROM notes) SELECT * FROM n WHERE organization_id = $1', [notes]],
    [
      'a CTE that hides a table',
      'WITH notes AS (SELECT * FROM comments) SELECT * FROM notes WHERE organization_id = $1',
      [comments],
    ],
    [
      'a CTE that changes',
      'WITH gone AS (DELETE FROM comments RETURNING *) SELECT * FROM notes WHERE organization_id = $1',
      ['deletes from comments without confining it to organization_id'],
    ],
    [
      'a CTE that renames its columns',
      'WITH n (organization_id) AS (SELECT id FROM notes WHERE organization_id = $1) SELECT * FROM n JOIN comments c ON c.organization_id = n.organization_id',
      [comments],
    ],
    [
      'a join without the organization',
      'SELECT * FROM notes n JOIN comments c ON c.note_id = n.id WHERE n.organization_id = $1',
      [comments],
    ],
    ['a cross join', 'SELECT * FROM notes, comments WHERE notes.organization_id = $1', [comments]],
    [
      'an outer join that keeps the other side',
      'SELECT * FROM notes n LEFT JOIN comments c ON n.organization_id = $1 AND c.organization_id = $1',
      [notes],
    ],
    [
      'a full join',
      'SELECT * FROM notes n FULL JOIN comments c ON (n.organization_id, c.organization_id) = ($1, $1)',
      [comments, notes],
    ],
    [
      'a natural join',
      'SELECT * FROM notes NATURAL JOIN comments WHERE notes.organization_id = $1',
      ['joins by the names of columns: NATURAL is not judged', comments],
    ],
    [
      'a circle',
      'SELECT * FROM notes n, comments c WHERE n.organization_id = c.organization_id AND c.organization_id = n.organization_id AND $1',
      [comments, notes],
    ],
    [
      'LATERAL',
      'SELECT * FROM notes n, LATERAL (SELECT * FROM comments WHERE note_id = n.id) c WHERE n.organization_id = $1',
      [comments],
    ],
    [
      'another row of the same table',
      'SELECT * FROM notes a JOIN notes b ON b.text = a.text WHERE a.organization_id = $1',
      [notes],
    ],
    [
      'renamed columns',
      'SELECT * FROM notes AS n (x, organization_id) WHERE n.organization_id = $1',
      ['renames the columns of notes, so that another may pass for its owner'],
    ],
    [
      'what a function answers',
      'SELECT * FROM notes n JOIN jsonb_to_recordset($2) AS given (o uuid) ON n.organization_id = given.o WHERE $1',
      [notes],
    ],
    [
      'a value that a function names like the organization',
      'SELECT * FROM notes n, LATERAL (SELECT organization_id FROM jsonb_to_recordset($2) AS g (organization_id uuid)) g JOIN comments c USING (organization_id) WHERE n.organization_id = $1',
      [comments],
    ],
    [
      'an unscoped table that leads on',
      'SELECT * FROM countries JOIN notes ON text = code WHERE $1',
      [notes],
    ],
    ['TABLE', 'TABLE notes', [notes]],
    [
      'rows of users',
      'SELECT d.* FROM memberships m JOIN devices d USING (user_id) WHERE m.organization_id = $1',
      ['reads devices, whose rows belong to users'],
    ],
  ])('by %s [S-106]', async (_, text, problems) => {
    expect((await problemsOf(text)).sort()).toEqual(problems);
  });

  it.each([
    [
      'UPDATE without the organization',
      'UPDATE notes SET text = $1 WHERE id = $2',
      ['updates notes without confining it to organization_id'],
    ],
    [
      'UPDATE that takes a row over',
      'UPDATE notes SET organization_id = $1 WHERE id = $2',
      ['changes organization_id of notes', 'updates notes without confining it to organization_id'],
    ],
    [
      'UPDATE that gives a row away',
      'UPDATE notes SET organization_id = $2 WHERE organization_id = $1',
      ['changes organization_id of notes'],
    ],
    [
      'UPDATE of several columns at once',
      'UPDATE notes SET (text, organization_id) = ($2, $3) WHERE organization_id = $1',
      ['changes organization_id of notes'],
    ],
    [
      'UPDATE from another table',
      'UPDATE notes n SET text = c.text FROM comments c WHERE n.organization_id = $1 AND c.note_id = n.id',
      [comments],
    ],
    [
      'DELETE without the organization',
      'DELETE FROM notes',
      ['deletes from notes without confining it to organization_id'],
    ],
    [
      'DELETE with the organization of another table',
      'DELETE FROM notes USING comments c WHERE c.organization_id = $1 AND c.note_id = notes.id',
      ['deletes from notes without confining it to organization_id'],
    ],
    [
      'DELETE USING another table',
      'DELETE FROM notes n USING comments c WHERE n.organization_id = $1 AND c.note_id = n.id',
      [comments],
    ],
    [
      'RETURNING',
      'UPDATE notes SET text = $2 WHERE organization_id = $1 RETURNING (SELECT max(text) FROM comments)',
      [comments],
    ],
    [
      'INSERT for another organization',
      'INSERT INTO notes (organization_id, text) VALUES ($2, $1)',
      ['inserts into notes without the organization_id of its owner'],
    ],
    [
      'INSERT of several rows',
      'INSERT INTO notes (organization_id, text) VALUES ($1, $2), ($3, $2)',
      ['inserts into notes without the organization_id of its owner'],
    ],
    [
      'INSERT … SELECT from another organization',
      'INSERT INTO notes (organization_id, text) SELECT $1, text FROM comments',
      [comments],
    ],
    [
      'INSERT … SELECT of its organization',
      'INSERT INTO notes (organization_id, text) SELECT organization_id, text FROM comments',
      ['inserts into notes without the organization_id of its owner', comments],
    ],
    [
      'INSERT … SELECT by UNION',
      'INSERT INTO notes (organization_id, text) SELECT $1, $2 UNION SELECT id, code FROM countries, gen_random_uuid() AS id',
      ['inserts into notes without the organization_id of its owner'],
    ],
    [
      'INSERT by a star',
      'INSERT INTO comments (organization_id, note_id, text) SELECT * FROM (SELECT $2::uuid, $1::uuid, text FROM notes WHERE organization_id = $1) n',
      ['inserts into comments without the organization_id of its owner'],
    ],
    [
      'INSERT by places',
      'INSERT INTO notes VALUES ($1, $2, $3)',
      ['inserts into notes without the organization_id of its owner'],
    ],
    [
      'INSERT without an organization',
      'INSERT INTO notes DEFAULT VALUES',
      ['inserts into notes without the organization_id of its owner'],
    ],
    [
      'ON CONFLICT',
      'INSERT INTO notes (organization_id, text) VALUES ($1, $2) ON CONFLICT (organization_id, text) DO UPDATE SET organization_id = $3',
      ['changes organization_id of notes'],
    ],
    [
      'rows of users',
      'INSERT INTO devices (user_id, name) VALUES ($1, $2)',
      ['inserts into devices, whose rows belong to users'],
    ],
    [
      'MERGE',
      'MERGE INTO notes n USING countries ON n.organization_id = $1 WHEN MATCHED THEN DELETE',
      ['is a MergeStmt, which is not judged'],
    ],
  ])('written by %s', async (_, text, problems) => {
    expect((await problemsOf(text)).sort()).toEqual(problems.toSorted());
  });

  it.each([
    [
      'a binding of another scope',
      `SELECT set_config('app.organization_id', $1, false)`,
      ['calls set_config(), which is not listed'],
    ],
    [
      'a query in a text',
      `SELECT query_to_xml('SELECT * FROM notes', true, true, '') WHERE $1`,
      ['calls query_to_xml(), which is not listed'],
    ],
    [
      'the catalog',
      'SELECT * FROM pg_catalog.pg_stats WHERE $1',
      ['names pg_catalog.pg_stats, which is no table of the database'],
    ],
  ])('past its tables by %s', async (_, text, problems) => {
    expect(await problemsOf(text)).toEqual(problems);
  });
});

describe('a statement of a user', () => {
  it.each([
    'SELECT * FROM devices WHERE user_id = $1',
    'SELECT * FROM memberships m LEFT JOIN devices d ON d.user_id = m.user_id WHERE m.user_id = $1 AND m.organization_id = $2',
    'SELECT n.* FROM memberships m JOIN notes n ON n.organization_id = m.organization_id WHERE m.user_id = $1',
    'INSERT INTO devices (user_id, name) VALUES ($1, $2)',
    'INSERT INTO notes (organization_id, text) SELECT organization_id, $2 FROM memberships WHERE user_id = $1 AND organization_id = $3',
  ])('is accepted: %s', async (text) => {
    expect(await problemsOf(text, 'user')).toEqual([]);
  });

  it.each([
    [
      'SELECT * FROM memberships WHERE organization_id = $1',
      ['reads memberships without confining it to user_id'],
    ],
    [
      'SELECT o.* FROM memberships m JOIN memberships o USING (organization_id) WHERE m.user_id = $1',
      ['reads memberships without confining it to user_id'],
    ],
    [
      'SELECT * FROM notes WHERE organization_id = $2 AND $1',
      ['reads notes without confining it to organization_id'],
    ],
    [
      `INSERT INTO memberships (organization_id, user_id, role) VALUES ($2, $1, 'owner')`,
      ['inserts into memberships without the organization_id of its owner'],
    ],
    ['UPDATE devices SET user_id = $2 WHERE user_id = $1', ['changes user_id of devices']],
  ])('is named: %s', async (text, problems) => {
    expect(await problemsOf(text, 'user')).toEqual(problems);
  });
});

describe('an unscoped statement', () => {
  it.each([
    'SELECT * FROM countries WHERE code = $1',
    'INSERT INTO countries (code) VALUES ($1) ON CONFLICT DO NOTHING RETURNING code',
    'WITH gone AS (DELETE FROM countries WHERE code = $1 RETURNING code) SELECT count(*) FROM gone',
  ])('is accepted: %s', async (text) => {
    expect(await problemsOf(text, 'unscoped')).toEqual([]);
  });

  it.each([
    ['SELECT * FROM notes', ['reads notes, whose rows have an owner']],
    ['SELECT * FROM notes WHERE organization_id = $1', ['reads notes, whose rows have an owner']],
    [
      'SELECT FROM countries WHERE EXISTS (SELECT FROM devices WHERE user_id = $1)',
      ['reads devices, whose rows have an owner'],
    ],
    [
      'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
      ['inserts into notes, whose rows have an owner'],
    ],
    ['UPDATE devices SET name = $2 WHERE user_id = $1', ['updates devices, whose rows have an owner']],
    [
      'DELETE FROM memberships USING countries WHERE code = $1',
      ['deletes from memberships, whose rows have an owner'],
    ],
  ])('is named: %s', async (text, problems) => {
    expect(await problemsOf(text, 'unscoped')).toEqual(problems);
  });
});

it('a statement of another project is not judged where the service lacks its tables, and is elsewhere', async () => {
  const statementOf = (name: string, text: string, project: string) =>
    ({ name, text, owner: 'organization', described: { project } }) as const;
  const nowhere = 'SELECT * FROM notes, nowhere';
  const statements = [
    statementOf('absent', nowhere, 'storage'),
    statementOf('own', nowhere, 'notes-service'),
    statementOf('present', 'SELECT * FROM notes', 'storage'),
    statementOf('present', 'SELECT 1', 'outbox'),
  ];
  expect(await statementProblems(database.pool, { service: 'notes-service', statements })).toEqual([
    'present is the name of two statements: PostgreSQL keeps one plan',
    'own reads notes without confining it to organization_id',
    'own names nowhere, which is no table of the database',
    'present reads notes without confining it to organization_id',
  ]);
});

it('problems are accepted word for word, and named once they are gone', async () => {
  const statements = [{ name: 'it', text: 'SELECT * FROM notes', owner: 'organization' }] as const;
  const problem = 'it reads notes without confining it to organization_id';
  const accepted = { [problem]: 'counted for the operator' };
  expect(await statementProblems(database.pool, { statements, accepted })).toEqual([]);
  expect(await statementProblems(database.pool, { statements: [], accepted })).toEqual([
    `accepted, but not found: ${problem}`,
  ]);
});
