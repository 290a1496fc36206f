import type { ErrorObject } from 'ajv';

/** By rule, the rules that are redundant beside it for the same value. */
const covered: Readonly<Record<string, readonly string[]>> = {
  // For a value that is not in a list, that finding is enough, whatever its type.
  enum: ['type'],
  const: ['type'],
  // For a text with control characters, its format is irrelevant.
  text: ['format', 'pattern'],
};

/** Rules that an empty text breaks: of several one is enough. */
const ofAnEmptyText = ['minLength', 'pattern', 'format'];

/** Drops findings that another finding covers better. */
export function withoutNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept = withoutUnionNoise(errors);
  const noise = new Set(
    kept.flatMap(({ keyword, instancePath }) =>
      (covered[keyword] ?? []).map((other) => `${other} ${instancePath}`),
    ),
  );
  const emptied = new Set<string>();
  return kept.filter(({ keyword, instancePath, data }) => {
    if (noise.has(`${keyword} ${instancePath}`)) return false;
    if (data !== '' || !ofAnEmptyText.includes(keyword)) return true;
    const isSaid = emptied.has(instancePath);
    emptied.add(instancePath);
    return !isSaid;
  });
}

/**
 * A failed union reports every branch and then itself: keeps what the branch says that the value was probably meant
 * for, or that the value has none of the branches' types.
 *
 * Ajv reports branches right before their union and inner unions before outer ones, so one pass is enough.
 */
function withoutUnionNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (!isUnion(error)) {
      kept.push(error);
      continue;
    }
    for (const said of likelyBranch(error, takeBranches(kept, error))) kept.push(said);
  }
  return kept;
}

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Takes the errors of a union's branches off the end. */
function takeBranches(kept: ErrorObject[], union: ErrorObject): Map<string, ErrorObject[]> {
  const branches = new Map<string, ErrorObject[]>();
  for (let error = kept.at(-1); error && isBelow(error, union); error = kept.at(-1)) {
    const [branch = ''] = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1);
    const said = branches.get(branch) ?? [];
    said.push(error);
    branches.set(branch, said);
    kept.pop();
  }
  for (const said of branches.values()) said.reverse();
  return branches;
}

function isBelow({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): boolean {
  return (
    schemaPath.startsWith(`${union.schemaPath}/`) &&
    (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`))
  );
}

function likelyBranch(union: ErrorObject, branches: ReadonlyMap<string, ErrorObject[]>): ErrorObject[] {
  const mistyped = (error: ErrorObject) =>
    error.keyword === 'type' && error.instancePath === union.instancePath;
  const possible = [...branches.values()].filter((said) => !said.some(mistyped));
  const [first, ...others] = possible;
  if (!first) return [ofNoType(union, [...branches.values()].flat().filter(mistyped).reverse())];
  return others.reduce((best, said) => (rank(said) < rank(best) ? said : best), first);
}

/** The branch with the fewest findings is the one intended; a different constant means another branch. */
function rank(said: readonly ErrorObject[]): number {
  const constants = said.filter(({ keyword }) => keyword === 'const').length;
  return constants * 1_000_000 + said.length;
}

function ofNoType(union: ErrorObject, mistyped: readonly ErrorObject[]): ErrorObject {
  if (mistyped.length === 0) return union;
  const types = new Set(mistyped.flatMap(({ params }) => String(params['type']).split(',')));
  return { ...union, keyword: 'type', params: { type: [...types].join(',') } };
}
