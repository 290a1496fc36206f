import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';
import { expect, it } from 'vitest';

const home = join(workspaceRoot, 'apps/console/src');
const generated = readFileSync(join(workspaceRoot, 'libs/client/src/generated/operations.ts'), 'utf8');
/** The operations that change something: `createLead: 'leads POST leads:write key'`. */
const changing = new Set(
  Array.from(generated.matchAll(/^ {2}(\w+): '\S+ (?:POST|PUT|PATCH|DELETE)\b/gm), ([, name]) => name),
);

/** Files with calls that nobody submits, or that have a guard of their own. A new one needs a reason here. */
const others: Readonly<Record<string, string>> = {
  'customer-imports.queries.ts': 'called by the queries of imports, as those of leads',
  'draft.queries.ts': 'the saver sends each step of a draft once, in turn, with a key of its own',
  'lead-imports.queries.ts':
    'called by the queries of imports: an import has one key from its beginning on, and taking one back is a mutation',
  'moves.queries.ts': 'a lead has one pending move, which says where it goes',
  'passkeys.queries.ts': 'the passkey that the browser offers below a field; the button is a mutation',
  'session-store.ts': 'renews and resumes the session without being asked',
};

interface Source {
  readonly name: string;
  readonly nodes: readonly ts.Node[];
}

const sources: readonly Source[] = globSync('**/*.{ts,tsx}', { cwd: home }).map((file) => {
  const text = readFileSync(join(home, file), 'utf8');
  const nodes: ts.Node[] = [];
  const collect = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, collect);
  };
  collect(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return { name: basename(file), nodes };
});

const callee = (node: ts.Node) => (ts.isCallExpression(node) ? node.expression.getText() : undefined);

/** `useMutation`, and the functions of a file that are made of it and take what it is to do, such as `useChange`. */
function mutationsOf({ nodes }: Source): ReadonlySet<string> {
  const wrappers = nodes.flatMap((node) => {
    if (callee(node) !== 'useMutation') return [];
    const around = ancestorOf(node, ts.isFunctionDeclaration);
    return around?.parameters.some(({ type }) => type && ts.isFunctionTypeNode(type))
      ? [around.name?.text ?? '']
      : [];
  });
  return new Set(['useMutation', ...wrappers]);
}

function ancestorOf<Found extends ts.Node>(
  node: ts.Node,
  isWanted: (at: ts.Node) => at is Found,
): Found | undefined {
  if (ts.isSourceFile(node)) return undefined;
  const { parent } = node;
  return isWanted(parent) ? parent : ancestorOf(parent, isWanted);
}

/** The calls that change something outside of every mutation. */
function unguardedIn(source: Source): readonly ts.Node[] {
  const mutations = mutationsOf(source);
  const isMutation = (at: ts.Node): at is ts.CallExpression => mutations.has(callee(at) ?? '');
  return source.nodes.filter(
    (node) =>
      ts.isPropertyAccessExpression(node) &&
      changing.has(node.name.text) &&
      node.expression.getText().toLowerCase().endsWith('tenantry') &&
      ancestorOf(node, isMutation) === undefined,
  );
}

it('everything that the console submits goes through the mutation that ignores a second press', () => {
  expect(changing.size).toBeGreaterThan(60);
  const unguarded = sources.filter((source) => unguardedIn(source).length > 0).map(({ name }) => name);
  expect(unguarded.toSorted()).toEqual(Object.keys(others).toSorted());
});

it('the console has one such mutation', () => {
  const origins = sources.flatMap(({ name, nodes }) =>
    nodes.flatMap((node) => {
      if (!ts.isImportSpecifier(node) || (node.propertyName ?? node.name).text !== 'useMutation') return [];
      const from = ancestorOf(node, ts.isImportDeclaration)?.moduleSpecifier as ts.StringLiteral;
      return [{ name, from: basename(from.text) }];
    }),
  );
  expect(origins.length).toBeGreaterThan(10);
  expect(origins.filter(({ from }) => from !== 'use-mutation.ts')).toEqual([
    { name: 'use-mutation.ts', from: 'react-query' },
  ]);
});
