import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testsIn, type ProvingTest } from './test-titles.ts';

/** A guarantee of docs/security.md. */
export interface Guarantee {
  /** Such as `S-12`. */
  readonly id: string;
  readonly statement: string;
  /** The clauses of the standards that it follows. */
  readonly source: string;
  /** The files that keep it. */
  readonly files: readonly string[];
}

/** The guarantees of docs/security.md, in their order. @throws Error for a line that it does not understand */
export function readGuarantees(markdown: string): Guarantee[] {
  return markdown
    .split(/\n(?=- |## )/)
    .filter((part) => /^- .*\*\*/.test(part))
    .map((part) => readGuarantee(part.trimEnd().split('\n')));
}

function readGuarantee([head = '', ...lines]: readonly string[]): Guarantee {
  const [, id, statement, source] = /^- (S-\d+) \*\*(.+)\*\* (.+)$/.exec(head) ?? [];
  if (id === undefined || statement === undefined || source === undefined) return notUnderstood(head);
  const files = lines.flatMap((line) => {
    const [, kept] = /^ {2}- kept in (`[^`]+`(?:, `[^`]+`)*)$/.exec(line) ?? [];
    return kept?.split(', ').map((file) => file.slice(1, -1)) ?? notUnderstood(line);
  });
  return { id, statement, source, files };
}

function notUnderstood(line: string): never {
  throw new Error(`docs/security.md: not understood: ${line}`);
}

/** The tests in a checkout that name a guarantee, by file. */
export function provingTests(root: string): ProvingTest[] {
  const files = globSync('{apps,libs,bench,tools}/*/**/*.ts{,x}', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist', '**/generated', '**/__screenshots__'],
  });
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return source.includes(' [S-') ? testsIn(file, source).filter(({ ids }) => ids.length > 0) : [];
  });
}

/** What is wrong, as a sentence each: an id that stands twice, a guarantee without a test, a test that names no guarantee. */
export function problemsOf(
  guarantees: readonly Pick<Guarantee, 'id'>[],
  tests: readonly ProvingTest[],
): string[] {
  const ids = guarantees.map(({ id }) => id);
  const proven = new Set(tests.flatMap((test) => test.ids));
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} stands twice in docs/security.md.`),
    ...ids.filter((id) => !proven.has(id)).map((id) => `${id} has no test: no title ends with [${id}].`),
    ...tests.flatMap(({ file, title, ids: named }) =>
      named
        .filter((id) => !ids.includes(id))
        .map((id) => `${file}: "${title}" names ${id}, which docs/security.md does not have.`),
    ),
  ];
}
