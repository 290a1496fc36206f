import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';

/** A test by its file and its title, with the titles around it before a `>`, all without ids. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** A test, with the ids of guarantees that its title and those around it end with: `[S-12]` or `[S-12, S-30]`. */
export interface ProvingTest extends NamedTest {
  readonly ids: readonly string[];
}

/** Those of some tests that do not exist. */
export function missingTests(named: readonly NamedTest[]): NamedTest[] {
  const titles = new Map<string, Set<string>>();
  for (const { file } of named) titles.set(file, titles.get(file) ?? titlesIn(file));
  return named.filter(({ file, title }) => !titles.get(file)?.has(title));
}

function titlesIn(file: string): Set<string> {
  const path = join(workspaceRoot, file);
  if (!existsSync(path)) return new Set();
  return new Set(testsIn(file, readFileSync(path, 'utf8')).map(({ title }) => title));
}

/** The tests of a file whose titles are literals, in their order. */
export function testsIn(file: string, source: string): ProvingTest[] {
  const tests: ProvingTest[] = [];
  const visit = (node: ts.Node, around: readonly Title[]): void => {
    const named = ts.isCallExpression(node) ? titleOf(node) : undefined;
    const titles = named ? [...around, named] : around;
    if (named?.by === 'test') {
      tests.push({
        file,
        title: titles.map(({ title }) => title).join(' > '),
        ids: titles.flatMap(({ ids }) => ids),
      });
    }
    ts.forEachChild(node, (child) => visit(child, titles));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest), []);
  return tests;
}

interface Title {
  readonly by: 'group' | 'test';
  readonly title: string;
  readonly ids: readonly string[];
}

/** What a call names, if it is one of `it`, `test` or `describe`, also by way of `.each(…)` or `.skipIf(…)`. */
function titleOf({ expression, arguments: [first] }: ts.CallExpression): Title | undefined {
  if (first === undefined || !ts.isStringLiteralLike(first)) return undefined;
  let callee: ts.Expression = expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !['describe', 'it', 'test'].includes(callee.text)) return undefined;
  const [, title = first.text, ids = ''] = /^(.*) \[(S-\d+(?:, S-\d+)*)\]$/.exec(first.text) ?? [];
  return { by: callee.text === 'describe' ? 'group' : 'test', title, ids: ids.split(', ').filter(Boolean) };
}
