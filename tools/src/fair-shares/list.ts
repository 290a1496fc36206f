/** Something that is bounded and shared by everyone, as docs/fair-shares.md has it. */
export interface SharedThing {
  readonly name: string;
  /** By whom, its bound, what floods it; `bench` where one does. */
  readonly told: ReadonlyMap<string, string>;
  /** As `file: name`. */
  readonly code: readonly string[];
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** What docs/fair-shares.md lists. */
export interface FairSharesList {
  readonly shared: readonly SharedThing[];
  /** Bounds of one thing, as `file: name`. */
  readonly others: readonly string[];
}

/** @throws Error for a line that it does not understand */
export function readFairShares(markdown: string): FairSharesList {
  const [, shared = '', others = ''] =
    /\n## Shared\n([^]*)\n## Bounds of one thing\n([^]*)$/.exec(markdown) ?? [];
  return {
    shared: shared.split('\n### ').slice(1).map(readThing),
    others: itemsIn(others).flatMap((line) => codeIn(line.slice(2)) ?? notUnderstood(line)),
  };
}

function readThing(section: string): SharedThing {
  const [name = ''] = section.split('\n');
  const told = new Map<string, string>();
  const code: string[] = [];
  const tests: SharedThing['tests'][number][] = [];
  for (const line of itemsIn(section)) {
    const [, what, text] = /^- (shared by|bound|flood|bench): (.+)$/.exec(line) ?? [];
    const [, file, title] = /^- `([^`]+)`: `([^`]+)`$/.exec(line) ?? [];
    const named = line.startsWith('- in ') ? codeIn(line.slice(5)) : undefined;
    if (what !== undefined && text !== undefined) told.set(what, text);
    else if (named) code.push(...named);
    else if (file !== undefined && title !== undefined) tests.push({ file, title });
    else notUnderstood(line);
  }
  return { name, told, code, tests };
}

const itemsIn = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '));

/** A file and the names in it, each in backquotes. */
function codeIn(text: string): string[] | undefined {
  const [, file, names] = /^`([^`]+)`: (`[^`]+`(?:, `[^`]+`)*)$/.exec(text) ?? [];
  return names?.split(', ').map((name) => `${file}: ${name.slice(1, -1)}`);
}

function notUnderstood(line: string): never {
  throw new Error(`docs/fair-shares.md: not understood: ${line}`);
}
