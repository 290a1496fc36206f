import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';
import { expect, it } from 'vitest';

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
  const named = guarantees.flatMap(({ tests }) => tests);
  const titles = new Map<string, Set<string>>();
  for (const { file } of named) titles.set(file, titles.get(file) ?? (await titlesIn(file)));
  expect(named.filter(({ file, title }) => !titles.get(file)?.has(title))).toEqual([]);
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

/** The titles of the tests in a file, each behind those of the groups around it. */
async function titlesIn(file: string): Promise<Set<string>> {
  const path = join(workspaceRoot, file);
  if (!existsSync(path)) return new Set();
  const titles = new Set<string>();
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const named = ts.isCallExpression(node) ? titleOf(node) : undefined;
    if (named?.by === 'group') {
      ts.forEachChild(node, (child) => visit(child, [...groups, named.title]));
      return;
    }
    if (named) titles.add([...groups, named.title].join(' > '));
    ts.forEachChild(node, (child) => visit(child, groups));
  };
  visit(ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest), []);
  return titles;
}

/** What a call names, if it is one of `it`, `test` or `describe`, also by way of `.each(…)` or `.skipIf(…)`. */
function titleOf({ expression, arguments: [title] }: ts.CallExpression) {
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  let callee: ts.Expression = expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee)) return undefined;
  if (callee.text === 'describe') return { by: 'group', title: title.text } as const;
  return ['it', 'test'].includes(callee.text) ? ({ by: 'test', title: title.text } as const) : undefined;
}
