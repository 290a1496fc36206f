import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';
import { problemsOf, provingTests, readGuarantees } from '../src/guarantees/guarantees.ts';
import { testsIn } from '../src/guarantees/test-titles.ts';

const guarantees = readGuarantees(readFileSync(join(workspaceRoot, 'docs/security.md'), 'utf8'));

it('each guarantee has an id of its own and a test, and each test names guarantees that exist', () => {
  expect(guarantees.length).toBeGreaterThan(200);
  expect(problemsOf(guarantees, provingTests(workspaceRoot))).toEqual([]);
});

it('each guarantee names a source, and files that exist', () => {
  for (const { id, source, files } of guarantees) {
    expect(source, id).toMatch(/^(?:ASVS \d|SP 800-63B-4 \d|RFC \d)/);
    expect(files.length, id).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(join(workspaceRoot, file)))).toEqual([]);
  }
});

it('a guarantee without a test is named, and so are an id that stands twice and a test of an unknown one', () => {
  const tests = testsIn(
    'doors.test.ts',
    `describe('doors [S-1]', () => {
       it('close', () => {});
       it.each(doors)('%s locks [S-9]', () => {});
     });`,
  );
  expect(tests).toEqual([
    { file: 'doors.test.ts', title: 'doors > close', ids: ['S-1'] },
    { file: 'doors.test.ts', title: 'doors > %s locks', ids: ['S-1', 'S-9'] },
  ]);
  expect(problemsOf([{ id: 'S-1' }, { id: 'S-2' }, { id: 'S-1' }], tests)).toEqual([
    'S-1 stands twice in docs/security.md.',
    'S-2 has no test: no title ends with [S-2].',
    'doors.test.ts: "doors > %s locks" names S-9, which docs/security.md does not have.',
  ]);
});

it('a line of docs/security.md that is neither a guarantee nor its files is refused', () => {
  expect(() => readGuarantees('\n- **Doors close.** ASVS 1.1')).toThrow('not understood');
  expect(() => readGuarantees('\n- S-1 **Doors close.** ASVS 1.1\n  - in doors.ts')).toThrow(
    'not understood',
  );
});
