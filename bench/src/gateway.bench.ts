/**
 * The gateway beside nginx with one worker, @fastify/http-proxy and bare undici: same service, small JSON answer,
 * alternating rounds, as ratios within one run. Needs nginx and wrk on the PATH:
 *
 *     npm run bench -- gateway [rounds] [connections]
 *
 * Goal: under 60 µs of processor time a request, at most three times nginx's, and ahead of every Node proxy. Requests a
 * second hold on a machine that does nothing else: on a busy one they depend on which processes share a core, and
 * processor time is the steadier figure.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decided, median, report, residentMb, sized, spread } from './figures.ts';
import {
  processorTicks,
  startGateway,
  startNginx,
  startPeer,
  startService,
  stopAll,
  type Contender,
} from './gateway/contenders.ts';

const [rounds = sized(9, 1), connections = sized(64, 4)] = process.argv.slice(2).map(Number);
const goal = { microsecondsMax: 60, timesNginxMax: 3 };

for (const [program, flag] of [
  ['nginx', '-v'],
  ['wrk', '-v'],
] as const) {
  if (spawnSync(program, [flag]).error) {
    console.error(`This bench needs ${program} on the PATH and did not find it: nothing was measured.`);
    process.exit(1);
  }
}

interface Figure {
  readonly perSecond: number;
  /** Clock ticks (10 ms) of processor time per request; NaN where it cannot be read. */
  readonly ticksPerRequest: number;
}

/** An answer that is not 2xx makes the figure worthless. */
function load({ name, port, pid }: Contender, seconds: number): Figure {
  const before = processorTicks(pid) ?? Number.NaN;
  const report = execFileSync(
    'wrk',
    ['-t1', `-c${connections}`, `-d${seconds}s`, `http://127.0.0.1:${port}/api/leads`],
    { encoding: 'utf8' },
  );
  const ticks = (processorTicks(pid) ?? Number.NaN) - before;
  if (/Non-2xx|Socket errors/.test(report)) throw new Error(`${name} failed requests:\n${report}`);
  const requests = Number(/(\d+) requests in/.exec(report)?.[1]);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]),
    ticksPerRequest: ticks / requests,
  };
}

const directory = mkdtempSync(join(tmpdir(), 'tenantry-gateway-bench-'));
const directoryFor = (name: string): string => {
  const path = join(directory, name);
  mkdirSync(path);
  return path;
};

try {
  const service = await startService(directoryFor('service'));
  const contenders = [
    await startNginx(directoryFor('nginx'), service),
    await startGateway(service),
    await startGateway(service, 'info'),
    await startPeer('undici dispatch under Fastify', 'undici-peer.ts', service),
    await startPeer('@fastify/http-proxy', 'http-proxy-peer.ts', service),
  ];
  for (const contender of contenders) load(contender, 2);

  const figures = contenders.map(() => [] as Figure[]);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) figures[index]?.push(load(contender, 1));
  }

  console.log(`${rounds} alternating rounds, ${connections} connections; ratios to nginx of the same round`);
  const nginx = figures[0] ?? [];
  const microsecondsOf = (own: readonly Figure[]) => own.map(({ ticksPerRequest }) => 1e4 * ticksPerRequest);
  const ofNginx = median(microsecondsOf(nginx));
  for (const [index, { name, pid }] of contenders.entries()) {
    const own = figures[index] ?? [];
    const ratios = own.map(({ perSecond }, round) => perSecond / (nginx[round]?.perSecond ?? Number.NaN));
    const microseconds = microsecondsOf(own);
    const times = median(microseconds) / ofNginx;
    const isOurs = index === 1 || index === 2;
    const isReached = median(microseconds) < goal.microsecondsMax && times <= goal.timesNginxMax;
    report({
      what: name,
      value:
        `${spread(
          own.map(({ perSecond }) => perSecond),
          0,
        )} requests a second, ${spread(ratios)} of nginx's; ` +
        `${spread(microseconds, 1)} µs of processor, ${times.toFixed(1)} times nginx's; ${residentMb(pid)} MB`,
      ...(isOurs && {
        goal: `under ${goal.microsecondsMax} µs and ${goal.timesNginxMax} times nginx's`,
        reached: decided(microseconds, isReached),
      }),
    });
  }
} finally {
  await stopAll();
  rmSync(directory, { recursive: true, force: true });
}
