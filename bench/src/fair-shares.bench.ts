/**
 * How long another tenant's requests take while one tenant, then one address with many accounts, floods what they share:
 *
 *     npm run bench -- fair-shares
 *     npm run bench -- fair-shares "PDF threads"
 *
 * Goal: none is refused, and their p99 is at most twice the one alone, plus one unit of the flood's work. The flood comes from a
 * process of its own. All of it runs on one machine, so it takes processors from the services as well: what decides is tested by
 * order (docs/fair-shares.md). The limits on requests are lifted, so that sharing alone protects others; floods of what costs
 * little are measured with the gateway's limit in place as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newCaller, type Caller } from './fair-shares/client.ts';
import { startFlooding } from './fair-shares/flooding.ts';
import { floods, type Asked, type Flood } from './fair-shares/floods.ts';
import { percentiles, report, sized } from './figures.ts';
import { startStack } from './stack.ts';

const seconds = sized(10, 1);
const accountsPerAddress = sized(8, 2);
const probeEveryMs = 50;
/** As the gateway has it, of an address and of a user. */
const standardLimit = 600;

const flooding = startFlooding();
const [only] = process.argv.slice(2);
const chosen = floods.filter(({ name }) => only === undefined || name === only);
try {
  await measureAll(chosen, '', {});
  await measureAll(
    chosen.filter(({ costsLittle }) => costsLittle),
    `, at most ${standardLimit} requests a minute`,
    { RATE_LIMIT_PER_MINUTE: String(standardLimit) },
  );
} finally {
  await flooding.stop();
}
process.exit();

/** Measures floods on a stack of their own. */
async function measureAll(some: readonly Flood[], under: string, env: Record<string, string>): Promise<void> {
  if (some.length === 0) return;
  const { url, stop } = await startStack(env);
  try {
    for (const flood of some) await measure(flood, url, under);
  } finally {
    await stop();
  }
}

async function measure(flood: Flood, url: string, under: string): Promise<void> {
  const probe = await flood.probe(url, await newCaller(url, '192.0.2.1'));
  const attackers: Caller[] = [];
  for (let n = 0; n < accountsPerAddress; n += 1) attackers.push(await newCaller(url, '198.51.100.1'));
  for (let n = 0; n < 5; n += 1) await probe();
  const alone = await probing(probe);
  const unitMs = await flooding.prepare(flood.name, url, attackers);
  for (const [who, some] of [
    ['one tenant', 1],
    [`one address with ${accountsPerAddress} accounts`, accountsPerAddress],
  ] as const) {
    await flooding.begin(some);
    await sleep(1_000);
    const beside = await probing(probe);
    const answers = await flooding.end();
    const boundMs = 2 * p99(alone.times) + unitMs;
    report({
      what: `${flood.name}${under}, flooded by ${who}`,
      value: `${percentiles(beside.times)}, ${beside.refused} of ${beside.times.length} refused; alone ${percentiles(alone.times)}; a unit of the flood ${unitMs.toFixed(0)} ms; its answers ${answers.map(([status, n]) => `${n} × ${status}`).join(', ')}`,
      goal: `none refused, p99 under ${boundMs.toFixed(0)} ms`,
      reached: beside.refused === 0 && p99(beside.times) <= boundMs,
    });
    await sleep(1_000);
  }
}

/** Asks one after the other for a while; gives the times in order, and how many were not answered as asked. */
async function probing(probe: Asked) {
  const times: number[] = [];
  let refused = 0;
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    if ((await probe()) > 299) refused += 1;
    times.push(performance.now() - startedAt);
    await sleep(probeEveryMs);
  }
  return { times: times.sort((a, b) => a - b), refused };
}

function p99(times: readonly number[]): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? Number.NaN;
}
