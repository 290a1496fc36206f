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
}

interface Shown {
  readonly statement: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

const guarantees = (await itemsOf('docs/security.md')).map(readGuarantee);
const shown = (await itemsOf('docs/security-tests.md')).map(readTests);

it('every guarantee of docs/security.md names a source and a file', () => {
  expect(guarantees.length).toBeGreaterThan(50);
  for (const { statement, source, files } of guarantees) {
    expect(source, statement).toMatch(/^(?:ASVS \d|SP 800-63B-4 \d|RFC \d)/);
    expect(files.length, statement).toBeGreaterThan(0);
  }
});

it('docs/security.md names files that exist', () => {
  const files = guarantees.flatMap((guarantee) => guarantee.files);
  expect(files.filter((file) => !existsSync(join(workspaceRoot, file)))).toEqual([]);
});

it('docs/security-tests.md names a test of every guarantee, in the same order', () => {
  expect(shown.map(({ statement }) => statement)).toEqual(guarantees.map(({ statement }) => statement));
  expect(shown.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

it('docs/security-tests.md names tests by the titles that they have', async () => {
  expect(await missingTests(shown.flatMap(({ tests }) => tests))).toEqual([]);
});

/** The items of a list, each with the lines below it. */
async function itemsOf(file: string): Promise<(readonly string[])[]> {
  const text = await readFile(join(workspaceRoot, file), 'utf8');
  return text
    .split(/\n(?=- \*\*|## )/)
    .filter((part) => part.startsWith('- **'))
    .map((part) => part.trimEnd().split('\n'));
}

/** The statement and its source, then a line of files. */
function readGuarantee([head = '', ...lines]: readonly string[]): Guarantee {
  const [, statement = head, source = ''] = /^- \*\*(.+)\*\* (.+)$/.exec(head) ?? [];
  const files = lines.flatMap((line) => {
    const [, kept] = /^ {2}- kept in (`[^`]+`(?:, `[^`]+`)*)$/.exec(line) ?? [];
    if (kept === undefined) throw new Error(`docs/security.md: not understood below "${statement}": ${line}`);
    return kept.split(', ').map((file) => file.slice(1, -1));
  });
  return { statement, source, files };
}

/** The statement, then a line for each test. */
function readTests([head = '', ...lines]: readonly string[]): Shown {
  const [, statement = head] = /^- \*\*(.+)\*\*$/.exec(head) ?? [];
  const tests = lines.map((line) => {
    const [, file, title] = /^ {2}- `([^`]+)`: `([^`]+)`$/.exec(line) ?? [];
    if (file === undefined || title === undefined) {
      throw new Error(`docs/security-tests.md: not understood below "${statement}": ${line}`);
    }
    return { file, title };
  });
  return { statement, tests };
}
