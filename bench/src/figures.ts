import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** One line of README.md. */
export interface Figure {
  /** What was measured, such as `session read, to Better Auth as documented`. */
  readonly what: string;
  readonly value: string;
  readonly goal?: string | undefined;
  /** Left out where there is no goal. */
  readonly reached?: boolean | 'not decided' | undefined;
}

/** What one run of a bench came to. */
export interface Results {
  readonly bench: string;
  readonly date: string;
  readonly commit: string;
  readonly processor: string;
  readonly node: string;
  /** Of the machine, at the end of the run. */
  readonly load: string;
  readonly figures: readonly Figure[];
}

const isQuick = process.env['BENCH_QUICK'] !== undefined;
const figures: Figure[] = [];

/** A size of the measurement; the second one is for `--quick`. */
export const sized = <Size>(full: Size, quick: Size): Size => (isQuick ? quick : full);

/** Prints a figure and, with `npm run bench -- record`, keeps it. */
export function report(figure: Figure): void {
  const { what, value, goal, reached } = figure;
  const verdict = goal === undefined ? '' : `  goal ${goal}: ${verdictOf(reached)}`;
  console.log(`= ${what}: ${value}${verdict}`);
  figures.push(figure);
  const file = process.env['BENCH_RESULTS'];
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(resultsOf(figures), null, 2)}\n`);
}

export const verdictOf = (reached: Figure['reached']): string =>
  reached === 'not decided' ? reached : reached === true ? 'reached' : 'missed';

/** Rounds that contradict each other decide nothing, whatever their median. */
export function decided(rounds: readonly number[], isReached: boolean, spreadMax = 1.5): Figure['reached'] {
  return Math.max(...rounds) > spreadMax * Math.min(...rounds) ? 'not decided' : isReached;
}

/** The middle of several measurements. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The middle, and the range around it. */
export function spread(values: readonly number[], digits = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

/** `p50 1.2, p99 3.4 ms` of times in milliseconds. */
export function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)}, p99 ${at(0.99)} ms`;
}

/** Resident memory of a process in MB; NaN where /proc is not. */
export function residentMb(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Math.round(Number(kilobytes) / 1_024);
  } catch {
    return Number.NaN;
  }
}

function resultsOf(reported: readonly Figure[]): Results {
  const all = cpus();
  return {
    bench: process.env['BENCH_NAME'] ?? '',
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    processor: `${all.length} × ${all[0]?.model.trim() ?? 'unknown'}`,
    node: process.version,
    load: loadavg()[0]?.toFixed(1) ?? '',
    figures: reported,
  };
}
