import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';
import { expect, it } from 'vitest';

const table = (await readFile(join(workspaceRoot, 'docs/security.md'), 'utf8'))
  .split('\n')
  .filter((line) => /^\| (?!Requirement|-)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, requirement = '', source = '', kept = '', shown = '']) => ({ requirement, source, kept, shown }));

it('the table of docs/security.md names a source, a file and a test in every row', () => {
  expect(table.length).toBeGreaterThan(50);
  for (const { requirement, source, kept, shown } of table) {
    expect(source, requirement).toMatch(/ASVS \d|SP 800-63B-4 \d|RFC \d/);
    for (const entry of kept.split('<br>')) expect(entry, requirement).toMatch(/^`[^`]+`$/);
    for (const entry of shown.split('<br>')) expect(entry, requirement).toMatch(/^`[^`]+`: `[^`]+`$/);
  }
});

it('the table of docs/security.md names files that exist', () => {
  const files = table.flatMap(({ kept }) => codeIn(kept));
  expect(files.filter((file) => !existsSync(join(workspaceRoot, file)))).toEqual([]);
});

it('the table of docs/security.md names tests by the titles that they have', async () => {
  const named = table.flatMap(({ shown }) => shown.split('<br>').map(codeIn));
  const titles = new Map<string, Set<string>>();
  for (const [file = ''] of named) titles.set(file, await titlesIn(file));
  expect(named.filter(([file = '', title = '']) => !titles.get(file)?.has(title))).toEqual([]);
});

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
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
