import { median, report } from './figures.ts';

/** One way of answering requests. */
export interface Side {
  readonly answer: (number: number) => Promise<unknown>;
  /** Waits for what the requests of a block have left to be done, which counts as theirs. */
  readonly settle?: (() => Promise<void>) | undefined;
}

/** What is compared, and how often. */
export interface Comparison {
  readonly without: Side;
  readonly with: Side;
  readonly pairs: number;
  /** Requests of a block. */
  readonly requests: number;
}

/** Microseconds of processor time for each request: the estimate, and what it lies within for 95 %. */
export interface AddedCost {
  readonly estimate: number;
  readonly from: number;
  readonly to: number;
  /** Of a request without. */
  readonly base: number;
}

/**
 * What one side costs more than the other, in processor time of this process with all its threads: what waits, and what
 * other processes do meanwhile, does not count.
 *
 * Blocks of both alternate, and each pair begins with the other side than the one before. Where others use the machine,
 * it runs at half its speed for seconds at a time; both blocks of a pair do so alike. So it is the ratio of a pair that
 * counts, of what a request without costs in the quickest tenth of its blocks. The first tenth of the pairs warms up.
 * Garbage is collected in one block of several, which a median leaves out.
 */
export async function addedCost(comparison: Comparison): Promise<AddedCost> {
  const { without, with: added, pairs, requests } = comparison;
  const ratios: number[] = [];
  const bases: number[] = [];
  const warmUp = Math.ceil(pairs / 10);
  for (let pair = -warmUp; pair < pairs; pair += 1) {
    const costs = new Map<Side, number>();
    for (const side of pair % 2 === 0 ? [without, added] : [added, without])
      costs.set(side, await costOfBlock(side, requests));
    const base = costs.get(without) ?? Number.NaN;
    if (pair < 0) continue;
    bases.push(base);
    ratios.push((costs.get(added) ?? Number.NaN) / base - 1);
  }
  const base = bases.toSorted((a, b) => a - b)[Math.floor(bases.length / 10)] ?? Number.NaN;
  const [from, to] = intervalOf(ratios);
  return { estimate: base * median(ratios), from: base * from, to: base * to, base };
}

async function costOfBlock({ answer, settle }: Side, requests: number): Promise<number> {
  const before = process.cpuUsage();
  for (let number = 0; number < requests; number += 1) await answer(number);
  await settle?.();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

/**
 * Holds the true median in 95 of 100 runs, by the sign test: it asks nothing of how the values are distributed.
 */
function intervalOf(values: readonly number[]): [from: number, to: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const reach = 0.98 * Math.sqrt(sorted.length);
  const last = sorted.length - 1;
  const [from, to] = [Math.max(0, Math.floor(middle - reach)), Math.min(last, Math.ceil(middle + reach))];
  return [sorted[from] ?? Number.NaN, sorted[to] ?? Number.NaN];
}

/** Prints what was measured; an interval around the goal decides nothing. */
export function reportAddedCost(what: string, { estimate, from, to, base }: AddedCost, goal: number): void {
  report({
    what: `processor time that ${what}`,
    value: `${estimate.toFixed(1)} µs (95 %: ${from.toFixed(1)} to ${to.toFixed(1)}), beside the ${base.toFixed(0)} µs of one without`,
    goal: `${goal} µs`,
    reached: to <= goal || (from > goal ? false : 'not decided'),
  });
}
