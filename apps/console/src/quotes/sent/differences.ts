import type { api } from '@tenantry/client';

/** A line of a quote beside the one that it was, or is to be. */
export interface Difference {
  readonly kind: 'same' | 'changed' | 'added' | 'removed';
  readonly packageName: string;
  readonly before: api.LineItem | undefined;
  readonly after: api.LineItem | undefined;
}

interface PlacedLine {
  readonly packageName: string;
  readonly line: api.LineItem;
}

const linesOf = ({ workPackages }: Pick<api.Quote, 'workPackages'>): readonly PlacedLine[] =>
  workPackages.flatMap(({ name, items }) => items.map((line) => ({ packageName: name, line })));

/** What a line is about: a revision has the same lines under other ids. */
const subjectOf = ({ packageName, line }: PlacedLine): string =>
  [packageName, line.articleNumber, line.description].join('\n');

const isSame = (one: api.LineItem, other: api.LineItem): boolean =>
  one.quantity === other.quantity && one.unit === other.unit && one.unitPrice === other.unitPrice;

/**
 * The lines of two revisions side by side, in the order of the later one: those about the same in the same order belong together,
 * and of what is left between them, one that goes and one that comes are a change of each other.
 */
export function differencesOf(
  before: Pick<api.Quote, 'workPackages'>,
  after: Pick<api.Quote, 'workPackages'>,
): readonly Difference[] {
  const [olds, news] = [linesOf(before), linesOf(after)];
  const differences: Difference[] = [];
  let [from, to] = [0, 0];
  for (const [oldAt, newAt] of [...commonTo(olds, news), [olds.length, news.length] as const]) {
    differences.push(...between(olds.slice(from, oldAt), news.slice(to, newAt)));
    const [old, now] = [olds[oldAt], news[newAt]];
    if (old && now) differences.push(pair(old, now));
    [from, to] = [oldAt + 1, newAt + 1];
  }
  return differences;
}

function pair(old: PlacedLine, now: PlacedLine): Difference {
  const isEqual = subjectOf(old) === subjectOf(now) && isSame(old.line, now.line);
  const kind = isEqual ? 'same' : 'changed';
  return { kind, packageName: now.packageName, before: old.line, after: now.line };
}

function between(olds: readonly PlacedLine[], news: readonly PlacedLine[]): readonly Difference[] {
  return Array.from({ length: Math.max(olds.length, news.length) }, (_, index) => {
    const [old, now] = [olds[index], news[index]];
    if (old && now) return pair(old, now);
    const kind = now ? 'added' : 'removed';
    const packageName = now?.packageName ?? old?.packageName ?? '';
    return { kind, packageName, before: old?.line, after: now?.line };
  });
}

/** The places of the longest sequence of lines about the same, in both. */
function commonTo(olds: readonly PlacedLine[], news: readonly PlacedLine[]) {
  const [mine, theirs] = [olds.map(subjectOf), news.map(subjectOf)];
  const lengths = Array.from({ length: mine.length + 1 }, () => new Uint16Array(theirs.length + 1));
  const lengthAt = (one: number, other: number) => lengths[one]?.[other] ?? 0;
  for (let one = mine.length - 1; one >= 0; one -= 1) {
    for (let other = theirs.length - 1; other >= 0; other -= 1) {
      const row = lengths[one];
      if (!row) continue;
      row[other] =
        mine[one] === theirs[other]
          ? lengthAt(one + 1, other + 1) + 1
          : Math.max(lengthAt(one + 1, other), lengthAt(one, other + 1));
    }
  }
  const common: (readonly [number, number])[] = [];
  for (let one = 0, other = 0; one < mine.length && other < theirs.length;) {
    if (mine[one] === theirs[other]) {
      common.push([one, other]);
      one += 1;
      other += 1;
    } else if (lengthAt(one + 1, other) >= lengthAt(one, other + 1)) one += 1;
    else other += 1;
  }
  return common;
}
