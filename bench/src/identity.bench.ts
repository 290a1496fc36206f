/**
 * auth-service beside Better Auth, one process each on the same PostgreSQL server, in alternating rounds, as ratios:
 *
 *     npm run bench -- identity [rounds] [seconds] [callers]
 *
 * Goals: session read 10 times Better Auth's get-session or more, refresh 5 times its token, sign-in 0.95 or more of
 * what bcrypt alone allows on these cores. Ours rotates a token in the database at every refresh; theirs signs one.
 */
import { loadavg } from 'node:os';
import {
  decided,
  median,
  percentiles,
  report as reportFigure,
  residentMb,
  sized,
  spread,
} from './figures.ts';
import { processorTicks } from './gateway/contenders.ts';
import {
  startBareBcrypt,
  startBetterAuth,
  startOurs,
  type Action,
  type Contender,
} from './identity/contenders.ts';
import { putLoadOn, type Caller } from './identity/load.ts';

const [rounds = sized(5, 1), seconds = sized(3, 0.5), callerCount = sized(16, 2)] = process.argv
  .slice(2)
  .map(Number);

interface Goal {
  readonly ratio: number;
  /** Whom we are compared with. */
  readonly to: readonly string[];
}

interface Figure {
  readonly perSecond: number;
  /** Of the server's own process, per request: the steadier figure on a busy machine. */
  readonly processorMs: number;
  readonly times: readonly number[];
}

/** A clock tick of the kernel. */
const tickMs = 10;

const documented = 'Better Auth, as documented';
const unsigned = 'Better Auth, unsigned reads';
const bcrypt = 'bare bcrypt, cost 12';
const goals: Readonly<Record<Action, Goal | undefined>> = {
  'session read': { ratio: 10, to: [documented, unsigned] },
  refresh: { ratio: 5, to: [documented] },
  switch: undefined,
  'list of organizations': undefined,
  'sign-in': { ratio: 0.95, to: [bcrypt] },
};

const contenders: Contender[] = [];
try {
  contenders.push(await startOurs());
  for (const variant of ['as documented', 'unsigned reads', 'tuned'] as const) {
    contenders.push(await startBetterAuth(variant));
  }
  contenders.push(await startBareBcrypt());
  console.log(
    `${rounds} alternating rounds of ${seconds} s, ${callerCount} callers; load of the machine ${load()}`,
  );
  for (const action of Object.keys(goals) as Action[]) await measure(action);
  for (const { name, pid = 0 } of contenders) {
    reportFigure({ what: `memory of ${name} afterwards`, value: `${residentMb(pid)} MB` });
  }
  console.log(`load of the machine ${load()}`);
} finally {
  await Promise.all(contenders.map(({ stop }) => stop()));
}
process.exit();

/** Prints requests a second of everybody, and our ratio to each of the others in the same round. */
async function measure(action: Action): Promise<void> {
  const taking = contenders.filter(({ name }) => takesPart(name, action));
  const callers = new Map<Contender, Caller[]>();
  for (const contender of taking) {
    callers.set(
      contender,
      await Promise.all(Array.from({ length: callerCount }, () => contender.caller(action))),
    );
  }
  const figures = new Map(taking.map(({ name }) => [name, [] as Figure[]]));
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const contender of taking) {
      const figure = await measureRound(contender, callers.get(contender) ?? []);
      if (round >= 0) figures.get(contender.name)?.push(figure);
    }
  }
  report(action, figures);
}

/** Where a variant does nothing differently it is left out. */
function takesPart(name: string, action: Action): boolean {
  if (name === unsigned) return action === 'session read';
  return name !== bcrypt || action === 'sign-in';
}

async function measureRound({ origin, pid = 0 }: Contender, callers: readonly Caller[]): Promise<Figure> {
  const before = processorTicks(pid) ?? Number.NaN;
  const { requests, seconds: took, times } = await putLoadOn(origin, callers, seconds);
  const ticks = (processorTicks(pid) ?? Number.NaN) - before;
  return { perSecond: requests / took, processorMs: (ticks * tickMs) / requests, times };
}

function report(action: Action, figures: ReadonlyMap<string, readonly Figure[]>): void {
  const [[name = '', own = []] = [], ...others] = figures;
  console.log(`\n${action}\n${line(name, own)}`);
  for (const [other, theirs] of others) {
    const ratios = own.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN));
    const byProcessor = own.map(
      ({ processorMs }, round) => (theirs[round]?.processorMs ?? Number.NaN) / processorMs,
    );
    console.log(line(other, theirs));
    const goal = goals[action]?.to.includes(other) ? goals[action].ratio : undefined;
    reportFigure({
      what: `${action}, to ${other}`,
      value:
        `${spread(ratios)}; by processor time ${spread(byProcessor)}, ` +
        `${processorOf(own)} / ${processorOf(theirs)} ms; ${percentiles(own.flatMap(({ times }) => times))}`,
      ...(goal !== undefined && { goal: String(goal), reached: decided(ratios, median(ratios) >= goal) }),
    });
  }
}

function processorOf(figures: readonly Figure[]): string {
  return median(figures.map(({ processorMs }) => processorMs)).toFixed(2);
}

function line(name: string, figures: readonly Figure[]): string {
  const perSecond = median(figures.map((figure) => figure.perSecond)).toFixed(1);
  const processorMs = median(figures.map((figure) => figure.processorMs)).toFixed(2);
  return `  ${name.padEnd(28)}${perSecond.padStart(8)}/s ${processorMs.padStart(8)} ms of processor`;
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? '';
}
