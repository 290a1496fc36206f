import { describedStatements, type OrganizationRows } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';
import { expect, it } from 'vitest';

interface Statements {
  'described-note': { values: readonly [id: string]; row: { readonly text: string } };
  'described-notes': {
    values: readonly [limit: number] | readonly [limit: number, word: string];
    row: { readonly id: string };
  };
}

const { statement } = describedStatements<Statements>('diary-service', { times: 'text' });

const noteById = statement({
  name: 'described-note',
  text: 'SELECT text FROM notes WHERE organization_id = $1 AND id = $2',
});
const newest = statement({
  name: `described-notes-${'newest' as string}`,
  like: 'described-notes',
  text: 'SELECT id FROM notes WHERE organization_id = $1 ORDER BY id DESC LIMIT $2',
  times: 'dates',
});

/** It is compiled with the tests, and never called: each line that must not compile is marked so. */
async function asked(rows: OrganizationRows) {
  const [note] = await rows.query(noteById, ['1']);
  const [id] = await rows.query(newest, [10, 'word']);
  const texts: (string | undefined)[] = [note?.text, id?.id];
  // @ts-expect-error -- the row has no such column
  const wrong: keyof NonNullable<typeof note> = 'title';
  // @ts-expect-error -- a value is missing
  await rows.query(noteById, []);
  // @ts-expect-error -- a value of another type
  await rows.query(newest, ['10']);
  return [...texts, wrong];
}

// @ts-expect-error -- nothing is known of a statement of this name
const unknown = () => statement({ name: 'described-nothing', text: 'SELECT 1' });

it('a statement is typed by its name, and says where its types stand', () => {
  const defined = definedStatements('diary-service');
  expect(defined.map(({ name, described, times }) => [name, described?.like, times])).toEqual([
    ['described-note', undefined, 'text'],
    ['described-notes-newest', 'described-notes', 'dates'],
  ]);
  expect([asked, unknown]).toHaveLength(2);
});
