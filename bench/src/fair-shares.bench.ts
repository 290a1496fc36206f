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
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspaceRoot } from '@tenantry/dev-database';
import { newCaller, type Caller } from './fair-shares/client.ts';
import { startFlooding } from './fair-shares/flooding.ts';
import { floods, type Asked, type Flood } from './fair-shares/floods.ts';
import { percentiles, report, sized } from './figures.ts';

interface Stack {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const seconds = sized(10, 1);
const accountsPerAddress = sized(8, 2);
const probeEveryMs = 50;
/** As the gateway has it, of an address and of a user. */
const standardLimit = 600;
const unlimited = '1000000000';
/** Limits on what the floods ask for; that on requests of any kind is the gateway's. */
const limits = [
  ...['SIGN_IN', 'PDFS', 'PASSWORDS', 'PASSWORDS_PER_ADDRESS'].map((name) => `${name}_PER_MINUTE`),
  ...['SIGN_IN', 'SIGN_UP', 'USERS', 'USERS_PER_ORGANIZATION', 'USERS_PER_ADDRESS'].map(
    (name) => `${name}_PER_HOUR`,
  ),
].map((name) => `RATE_LIMIT_${name}`);

const directory = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
const source = new URL('../../tools/src/start/stack.ts', import.meta.url);
const { startStack } = (await import(source.href)) as { startStack: (options: object) => Promise<Stack> };
const log = { write: () => undefined, release: () => undefined };
const progress = {
  step: (_name: string, work: () => unknown) => work(),
  note: () => undefined,
  end: () => undefined,
};
const flooding = startFlooding();
const [only] = process.argv.slice(2);
const chosen = floods.filter(({ name }) => only === undefined || name === only);
try {
  await measureAll(chosen, '', unlimited);
  await measureAll(
    chosen.filter(({ costsLittle }) => costsLittle),
    `, at most ${standardLimit} requests a minute`,
    String(standardLimit),
  );
} finally {
  await flooding.stop();
  rmSync(directory, { recursive: true });
}
process.exit();

/** Measures floods on a stack of their own, whose gateway allows so many requests a minute. */
async function measureAll(some: readonly Flood[], under: string, perMinute: string): Promise<void> {
  if (some.length === 0) return;
  const { url, stop } = await startStack({
    ...{ workspaceRoot, directory, run: 'source', fresh: true, log, progress },
    env: {
      ...process.env,
      ...{ PORT: '0', LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1/32' },
      ...Object.fromEntries(limits.map((name) => [name, unlimited])),
      RATE_LIMIT_PER_MINUTE: perMinute,
    },
    signal: new AbortController().signal,
    onGiveUp: (error: Error) => {
      throw error;
    },
  });
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
