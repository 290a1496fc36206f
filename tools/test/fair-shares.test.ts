import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';
import { boundsIn, boundsInCode } from '../src/fair-shares/bounds-in-code.ts';
import { readFairShares } from '../src/fair-shares/list.ts';
import { missingTests } from '../src/guarantees/test-titles.ts';

const { shared, others } = readFairShares(await readFile(join(workspaceRoot, 'docs/fair-shares.md'), 'utf8'));

it('docs/fair-shares.md lists each bound in the code once, and nothing else', () => {
  const listed = [...shared.flatMap(({ code }) => code), ...others];
  expect(listed.toSorted()).toEqual(boundsInCode(workspaceRoot));
});

it('each shared thing says by whom it is shared, its bound, its flood, and which tests show who is next', () => {
  expect(shared.length).toBeGreaterThan(10);
  for (const { name, told, code, tests } of shared) {
    expect([...told.keys()].slice(0, 3), name).toEqual(['shared by', 'bound', 'flood']);
    expect(code.length, name).toBeGreaterThan(0);
    expect(tests.length, name).toBeGreaterThan(0);
  }
});

it('docs/fair-shares.md names tests by the titles that they have', () => {
  expect(missingTests(shared.flatMap(({ tests }) => tests))).toEqual([]);
});

it('a new queue, pool or cache is found, and so is a number that bounds something', () => {
  const source = `
    class Rooms { #queue = new FairShares({ name: 'rooms', runningMax: 2, waitingMax: 4 }); }
    const seatsMax = 12;
    function open({ guestsMax = 3 }) { return new LruCache({ max: 100 }); }
    const waitMsMax = 5_000;`;
  expect(boundsIn('rooms.ts', source)).toEqual([
    'rooms.ts: new FairShares (#queue)',
    'rooms.ts: seatsMax',
    'rooms.ts: guestsMax',
    'rooms.ts: new LruCache (open)',
  ]);
});
