import { median, percentiles, report, residentMb, spread } from './figures.ts';
import { processorTicks } from './gateway/contenders.ts';
import { putLoadOn, type Caller } from './identity/load.ts';

/** One side of a contest: its address, its processes, and who calls it. */
export interface Side {
  readonly name: string;
  readonly url: string;
  readonly pids: readonly number[];
  /** Of each process, from its start to its first answer. */
  readonly startMs: readonly number[];
  readonly callers: readonly Caller[];
}

/** How long a contest takes. */
export interface ContestOptions {
  readonly rounds: number;
  readonly seconds: number;
}

interface Round {
  readonly perSecond: number;
  /** Of the processes of the side, the database's not counted. */
  readonly processorMs: number;
  readonly times: readonly number[];
}

/** What it came to: ours to theirs, of the same round. */
export interface Contest {
  readonly byRequests: readonly number[];
  readonly byProcessor: readonly number[];
}

/** A clock tick of the kernel. */
const tickMs = 10;

/** Puts load on both in turn and reports each; the first round warms up. */
export async function contest(
  ours: Side,
  theirs: Side,
  { rounds, seconds }: ContestOptions,
): Promise<Contest> {
  const measured: { ours: Round; theirs: Round }[] = [];
  for (let round = -1; round < rounds; round++) {
    const both = { ours: await measure(ours, seconds), theirs: await measure(theirs, seconds) };
    if (round >= 0) measured.push(both);
  }
  for (const side of ['ours', 'theirs'] as const) {
    describe(
      side === 'ours' ? ours : theirs,
      measured.map((round) => round[side]),
    );
  }
  return {
    byRequests: measured.map((round) => round.ours.perSecond / round.theirs.perSecond),
    byProcessor: measured.map((round) => round.theirs.processorMs / round.ours.processorMs),
  };
}

async function measure({ url, pids, callers }: Side, seconds: number): Promise<Round> {
  const ticks = () => pids.reduce((sum, pid) => sum + (processorTicks(pid) ?? Number.NaN), 0);
  const before = ticks();
  const { requests, seconds: took, times } = await putLoadOn(url, callers, seconds);
  return { perSecond: requests / took, processorMs: ((ticks() - before) * tickMs) / requests, times };
}

function describe({ name, pids, startMs }: Side, rounds: readonly Round[]): void {
  const perSecond = spread(
    rounds.map((round) => round.perSecond),
    0,
  );
  const processorMs = median(rounds.map((round) => round.processorMs)).toFixed(2);
  const memory = pids.map(residentMb).reduce((sum, megabytes) => sum + megabytes, 0);
  report({
    what: name,
    value:
      `${perSecond} requests a second, ${percentiles(rounds.flatMap(({ times }) => times))}, ` +
      `${processorMs} ms of processor, ${memory} MB, started in ${startMs.join(' + ')} ms`,
  });
}
