import {
  blankPackage,
  endingBlank,
  isBlank,
  newKey,
  type Draft,
  type DraftLine,
  type DraftPackage,
  type LineField,
} from './draft.ts';

/** Edits of a draft: each returns a new draft. */
type Edit = (draft: Draft) => Draft;

const inPackage =
  (key: string, change: (workPackage: DraftPackage) => DraftPackage): Edit =>
  (draft) => ({ ...draft, packages: draft.packages.map((one) => (one.key === key ? change(one) : one)) });

/** Where a line is. */
export interface LinePlace {
  readonly packageKey: string;
  readonly lineKey: string;
}

const inLines = (packageKey: string, change: (lines: readonly DraftLine[]) => readonly DraftLine[]): Edit =>
  inPackage(packageKey, (one) => ({ ...one, lines: endingBlank(change(one.lines)) }));

/** Types into a line. */
export const typeLine = (
  { packageKey, lineKey }: LinePlace,
  typed: Partial<Record<LineField, string>>,
): Edit =>
  inLines(packageKey, (lines) => lines.map((line) => (line.key === lineKey ? { ...line, ...typed } : line)));

/** Takes a line out. */
export const removeLine = ({ packageKey, lineKey }: LinePlace): Edit =>
  inLines(packageKey, (lines) => lines.filter(({ key }) => key !== lineKey));

/** Puts a line that was taken out back in its place, as a new one: the API may have deleted it. */
export const putLine = (
  { packageKey }: Pick<LinePlace, 'packageKey'>,
  line: DraftLine,
  index: number,
): Edit => inLines(packageKey, (lines) => lines.toSpliced(index, 0, asNew(line)));

/** Puts lines behind a line, or in its place where it is blank. */
export const insertLines = ({ packageKey, lineKey }: LinePlace, added: readonly DraftLine[]): Edit =>
  inLines(packageKey, (lines) =>
    lines.flatMap((line) => {
      if (line.key !== lineKey) return [line];
      return isBlank(line) ? added : [line, ...added];
    }),
  );

/** Moves a line to another place among those of its package; the blank one stays last. */
export const moveLine = ({ packageKey, lineKey }: LinePlace, to: number): Edit =>
  inLines(packageKey, (lines) => {
    const typed = lines.filter((line, index) => index < lines.length - 1 || !isBlank(line));
    return [...moved(typed, lineKey, to), ...lines.slice(typed.length)];
  });

/** Types into the name or the description of a package. */
export const typePackage = (key: string, typed: Partial<Pick<DraftPackage, 'name' | 'description'>>): Edit =>
  inPackage(key, (one) => ({ ...one, ...typed, isProposed: false }));

/** Adds a package behind the others. */
export const addPackage =
  (name: string): Edit =>
  (draft) => ({ ...draft, packages: [...draft.packages, blankPackage(name)] });

/** Takes a package out, with its lines. */
export const removePackage =
  (key: string): Edit =>
  (draft) => ({ ...draft, packages: draft.packages.filter((one) => one.key !== key) });

/** Puts a package that was taken out back in its place, with its lines, as a new one. */
export const putPackage =
  (workPackage: DraftPackage, index: number): Edit =>
  (draft) => {
    const added = { ...asNew(workPackage), lines: workPackage.lines.map(asNew) };
    return { ...draft, packages: draft.packages.toSpliced(index, 0, added) };
  };

const asNew = <Item extends DraftLine | DraftPackage>(item: Item): Item => ({
  ...item,
  key: newKey(),
  id: undefined,
});

/** Moves a package to another place. */
export const movePackage =
  (key: string, to: number): Edit =>
  (draft) => ({ ...draft, packages: moved(draft.packages, key, to) });

/** Has a quote begin with a package to type into. */
export const beginning =
  (name: string): Edit =>
  (draft) =>
    draft.packages.length > 0 ? draft : addPackage(name)(draft);

function moved<Item extends { readonly key: string }>(items: readonly Item[], key: string, to: number) {
  const item = items.find((one) => one.key === key);
  if (!item || to < 0 || to >= items.length) return items;
  return items.filter((one) => one !== item).toSpliced(to, 0, item);
}
