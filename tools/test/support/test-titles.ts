import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';

/** A test by its file and its title, with the titles around it before a `>`. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** Those of some tests that do not exist. */
export async function missingTests(named: readonly NamedTest[]): Promise<NamedTest[]> {
  const titles = new Map<string, Set<string>>();
  for (const { file } of named) titles.set(file, titles.get(file) ?? (await titlesIn(file)));
  return named.filter(({ file, title }) => !titles.get(file)?.has(title));
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
