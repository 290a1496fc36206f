import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statement, type TenantDatabase } from '@tenantry/tenancy';
import { createFixture, models, newOrganizations, writeNotes, type Fixture } from './fixture/database.ts';

const ownNotes = statement<{ text: string }>({
  name: 'own-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});
const addNote = statement<never, [text: string]>({
  name: 'add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
});

let fixture: Fixture;
let mine: string;
let theirs: string;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  [mine, theirs] = newOrganizations(2) as [string, string];
  await writeNotes(fixture.admin, [mine, theirs], 1);
});

const textsOf = async (organizationId: string) => {
  const { rows } = await fixture.admin.query<{ text: string }>(
    'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
    [organizationId],
  );
  return rows.map(({ text }) => text);
};

describe.each(['connection', 'transaction'] as const)(
  'a scope within a transaction, bound by %s',
  (binding) => {
    let database: TenantDatabase;
    beforeAll(() => {
      database = fixture.open({ poolSize: 1, binding });
    });
    const inMine = () => database.within({ organizationId: mine });

    it('reads and writes its own rows alone, and gives the outer scope back', async () => {
      const seen = await inMine().transaction(async (tx) => {
        const inner = await tx.within({ organizationId: theirs }, async (nested) => {
          await nested.query(addNote, ['nested']);
          await models(nested).note.create({ data: { text: 'nested too' } as never });
          return [await nested.query(ownNotes, []), await models(nested).note.count()];
        });
        await models(tx).note.create({ data: { text: 'outer' } as never });
        return {
          inner,
          outer: [await tx.query(ownNotes, []), await models(tx).note.count()],
          scope: tx.scope,
        };
      });
      expect(seen).toEqual({
        inner: [[{ text: `${theirs} 1` }, { text: 'nested' }, { text: 'nested too' }], 3],
        outer: [[{ text: `${mine} 1` }, { text: 'outer' }], 2],
        scope: { organizationId: mine },
      });
    });

    it('is committed and rolled back with the transaction', async () => {
      const failed = inMine().transaction(async (tx) => {
        await tx.within({ organizationId: theirs }, (nested) => nested.query(addNote, ['lost']));
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await textsOf(theirs)).toEqual([`${theirs} 1`]);
    });

    it('leaves a statement of the outer scope in that one, also while the inner one lasts [S-107]', async () => {
      await inMine().transaction((tx) =>
        tx.within({ organizationId: theirs }, async (nested) => {
          await Promise.all([
            nested.query(addNote, ['theirs']),
            tx.query(addNote, ['mine']),
            models(nested).note.create({ data: { text: 'theirs too' } as never }),
            models(tx).note.create({ data: { text: 'mine too' } as never }),
          ]);
        }),
      );
      expect(await textsOf(theirs)).toEqual([`${theirs} 1`, 'theirs', 'theirs too']);
      expect(await textsOf(mine)).toEqual([`${mine} 1`, 'mine', 'mine too']);
    });

    it('gives the outer scope back after a throw that the transaction survives', async () => {
      const texts = await inMine().transaction(async (tx) => {
        await tx
          .within({ organizationId: theirs }, () => Promise.reject(new Error('no')))
          .catch(() => undefined);
        return tx.query(ownNotes, []);
      });
      expect(texts).toEqual([{ text: `${mine} 1` }]);
    });

    it('lets the error of a statement through, and leaves the connection to the next request', async () => {
      const broken = inMine().transaction((tx) =>
        tx.within({ organizationId: theirs }, (nested) => nested.query(addNote, [`${theirs} 1`])),
      );
      await expect(broken).rejects.toMatchObject({ code: '23505' });
      expect(await inMine().query(ownNotes, [])).toEqual([{ text: `${mine} 1` }]);
      expect(await database.within({ organizationId: theirs }).query(ownNotes, [])).toHaveLength(1);
    });

    it('ends with its work', async () => {
      const late = await inMine().transaction((tx) =>
        tx.within({ organizationId: theirs }, async (nested) => () => nested.query(ownNotes, [])),
      );
      await expect(late()).rejects.toMatchObject({ code: 'TRANSACTION_OVER' });
    });

    it('refuses what comes after the time of its transaction, which is undone whole', async () => {
      const late = inMine().transaction(
        async (tx) => {
          await tx.query(addNote, ['before']);
          await tx.within({ organizationId: theirs }, async (nested) => {
            await setTimeout(1_500);
            await nested.query(addNote, ['after']);
          });
        },
        { limitMs: 50 },
      );
      await expect(late).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
      expect(await textsOf(mine)).toEqual([`${mine} 1`]);
      expect(await textsOf(theirs)).toEqual([`${theirs} 1`]);
    });

    it('is named by UUID', async () => {
      const nameless = inMine().transaction((tx) =>
        tx.within({ organizationId: 'x' }, async () => undefined),
      );
      await expect(nameless).rejects.toMatchObject({ code: 'SCOPE_INVALID' });
    });
  },
);
