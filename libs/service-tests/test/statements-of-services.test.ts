import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@tenantry/service-tests';
import { describedStatements } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notesService, notesTables } from './fixture/notes-service.ts';

interface NotesStatements {
  'one-note': { values: readonly []; row: { readonly text: string } };
}
interface DraftsStatements {
  'one-note': { values: readonly [prefix: string]; row: { readonly draft: string | null } };
}

const note = describedStatements<NotesStatements>('some-notes').statement({
  name: 'one-note',
  text: 'SELECT text FROM notes WHERE organization_id = $1',
});
const draft = describedStatements<DraftsStatements>('some-drafts').statement({
  name: 'one-note',
  text: 'SELECT $2 || text AS draft FROM notes WHERE organization_id = $1',
});
const mayBeEmpty = 'ALTER TABLE notes ALTER COLUMN text DROP NOT NULL;';

const organizationId = randomUUID();
const start = async (sql: string, text: string | null): Promise<TestService> => {
  const started = await startTestService(notesService({ sql }));
  await started.testDatabase.query('INSERT INTO notes (organization_id, text) VALUES ($1, $2)', [
    organizationId,
    text,
  ]);
  return started;
};
const within = ({ database }: TestService) => database.within({ organizationId });

let notes: TestService;
let drafts: TestService;
beforeAll(async () => {
  notes = await start(notesTables, 'Milk');
  drafts = await start(`${notesTables} ${mayBeEmpty}`, null);
});
afterAll(async () => {
  await notes.close();
  await drafts.close();
});

it('a statement is judged with those of its service, whatever others of the process are named', () => {
  expect(definedStatements('some-notes')).toEqual([note]);
  expect(definedStatements('some-drafts')).toEqual([draft]);
  expect(definedStatements('some-notes', 'some-drafts')).toEqual([note, draft]);
});

it('two services answer their own statements of one name, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 8 }), async (order) => {
      const asked = order.map((isNote) =>
        isNote ? within(notes).query(note, []) : within(drafts).query(draft, ['Buy ']),
      );
      expect(await Promise.all(asked)).toEqual(
        order.map((isNote) => [isNote ? { text: 'Milk' } : { draft: null }]),
      );
    }),
    { numRuns: 50 },
  );
});

it('a row is compared with the types of its own service', async () => {
  const described = await start(notesTables, 'Milk');
  await within(described).query(note, []);
  await described.close();
  const broken = await start(notesTables, 'Milk');
  await broken.testDatabase.query(`${mayBeEmpty} UPDATE notes SET text = NULL`);
  await within(broken).query(note, []);
  await within(drafts).query(draft, ['Buy ']);
  await expect(broken.close()).rejects.toThrow('one-note: text is null and not string');
  await broken.testDatabase.drop();
});
