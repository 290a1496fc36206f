import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';
import { missingTests } from './support/test-titles.ts';

interface Guarantee {
  readonly statement: string;
  readonly source: string;
  readonly files: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

const text = await readFile(join(workspaceRoot, 'docs/security.md'), 'utf8');
const guarantees = text
  .split(/\n(?=- \*\*|## )/)
  .filter((part) => part.startsWith('- **'))
  .map(read);

it('every guarantee of docs/security.md names a source, a file and a test', () => {
  expect(guarantees.length).toBeGreaterThan(50);
  for (const { statement, source, files, tests } of guarantees) {
    expect(source, statement).toMatch(/^(?:ASVS \d|SP 800-63B-4 \d|RFC \d)/);
    expect(files.length, statement).toBeGreaterThan(0);
    expect(tests.length, statement).toBeGreaterThan(0);
  }
});

it('docs/security.md names files that exist', () => {
  const files = guarantees.flatMap((guarantee) => guarantee.files);
  expect(files.filter((file) => !existsSync(join(workspaceRoot, file)))).toEqual([]);
});

it('docs/security.md names tests by the titles that they have', async () => {
  expect(await missingTests(guarantees.flatMap(({ tests }) => tests))).toEqual([]);
});

/** An item of the list: the statement and its source, then a line of files and a line for each test. */
function read(item: string): Guarantee {
  const [head = '', ...lines] = item.trimEnd().split('\n');
  const [, statement = head, source = ''] = /^- \*\*(.+)\*\* (.+)$/.exec(head) ?? [];
  const files: string[] = [];
  const tests: { file: string; title: string }[] = [];
  for (const line of lines) {
    const [, kept] = /^ {2}- kept in (`[^`]+`(?:, `[^`]+`)*)$/.exec(line) ?? [];
    const [, file, title] = /^ {2}- `([^`]+)`: `([^`]+)`$/.exec(line) ?? [];
    if (kept !== undefined) files.push(...kept.split(', ').map((file) => file.slice(1, -1)));
    else if (file !== undefined && title !== undefined) tests.push({ file, title });
    else if (line !== '') throw new Error(`docs/security.md: not understood below "${statement}": ${line}`);
  }
  return { statement, source, files, tests };
}
