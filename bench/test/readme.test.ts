import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFigures } from '../src/readme.ts';

const home = join(import.meta.dirname, '..');
let directory: string;
let readme: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
  readme = join(directory, 'README.md');
  copyFileSync(join(home, 'README.md'), readme);
});
afterEach(() => rmSync(directory, { recursive: true }));

const sectionsOf = (text: string) => text.split(/^### /m).slice(1);

it('README.md shows the results that are kept', () => {
  writeFigures(join(home, 'results'), readme);
  expect(readFileSync(readme, 'utf8')).toBe(readFileSync(join(home, 'README.md'), 'utf8'));
});

it('another run of a bench replaces its figures and leaves those of the others', () => {
  const results = join(home, 'results');
  for (const name of readdirSync(results)) copyFileSync(join(results, name), join(directory, name));
  const before = sectionsOf(readFileSync(readme, 'utf8'));
  const again = {
    ...(JSON.parse(readFileSync(join(directory, 'verify.json'), 'utf8')) as object),
    date: '2030-01-01',
    figures: [{ what: 'cold', value: '2.00', goal: '0.9', reached: true }],
  };
  writeFileSync(join(directory, 'verify.json'), JSON.stringify(again));
  writeFigures(directory, readme);

  const after = sectionsOf(readFileSync(readme, 'utf8'));
  const changed = after.filter((section) => !before.includes(section));
  expect(after).toHaveLength(before.length);
  expect(changed).toHaveLength(1);
  expect(changed[0]).toMatch(
    /^verify\n\n2030-01-01, commit .*:\n\n- cold: 2\.00\. Goal 0\.9: \*\*reached\*\*\.\n/,
  );
});
