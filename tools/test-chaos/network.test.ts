import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough, type TcpLink } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy, type Client, type Deployment, type Target } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { openFiles } from './support/process.ts';

const people = 16;
const seconds = 1_000;
/** UPSTREAM_TIMEOUT_SECONDS of the gateway; and what a machine that is busy may add. */
const requestMsMax = 10 * seconds + 2 * seconds;
/** What clients do not notice takes no longer than this, on a busy machine. */
const noticedMsMax = 3 * seconds;
/** Longer than a service waits for an answer of its database, and the gateway for a service. */
const frozenMs = 12 * seconds;

interface Case {
  readonly from: Client;
  readonly to: Target;
  /** With what requests may fail while nothing arrives, if they may. */
  readonly frozen: readonly number[];
  /** With what those may that are under way when the connections break. */
  readonly reset: readonly number[];
}

const cases: readonly Case[] = [
  { from: 'gateway', to: 'leads-service', frozen: [503, 504], reset: [502, 503] },
  { from: 'gateway', to: 'auth-service', frozen: [503, 504], reset: [502, 503] },
  { from: 'leads-service', to: 'postgres', frozen: [503, 504], reset: [503] },
  { from: 'auth-service', to: 'postgres', frozen: [503, 504], reset: [503] },
  { from: 'auth-service', to: 'redis', frozen: [], reset: [] },
  { from: 'gateway', to: 'redis', frozen: [], reset: [] },
  { from: 'auth-service', to: 'mail', frozen: [], reset: [] },
  { from: 'leads-service', to: 'auth-service', frozen: [], reset: [] },
];
/** The short run covers the first database alone. */
const told = cases.filter(({ from, to }) => isThorough || (from === 'leads-service' && to === 'postgres'));

describe('a bad network under load', () => {
  let mail: MailServer;
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    mail = await startMailServer();
    deployment = await deploy({
      replicas: { 'auth-service': 1, 'leads-service': 1 },
      linked: true,
      mailPort: mail.port,
    });
    load = await startLoad({ urls: [deployment.url], people });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await mail.stop();
  });

  const each = (links: readonly TcpLink[], trouble: (link: TcpLink) => void) => {
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) trouble(link);
  };
  const filesOpen = () => deployment.all().map(({ process }) => openFiles(process.pid));
  const pids = () => deployment.all().map(({ process }) => process.pid);

  /** Failures are of these kinds alone, none took too long, and a second after the end there are none. */
  function expectOnly(statuses: readonly number[], beganAt: number, healedAt: number): void {
    for (const { deed, status, tookMs, text } of load.since(beganAt)) {
      expect(tookMs, deed).toBeLessThan(statuses.length > 0 ? requestMsMax : noticedMsMax);
      if (status >= 200 && status < 300) continue;
      expect(statuses, `${deed} ${status} after ${tookMs} ms: ${text}`).toContain(status);
    }
    expect(failuresAmong(load.since(healedAt + 1 * seconds))).toEqual([]);
  }

  it.each(told)(
    'between $from and $to that resets connections fails what was under way, at most',
    async (link) => {
      const before = pids();
      const beganAt = performance.now();
      for (let time = 1; time <= 3; time += 1) {
        each(deployment.links(link.from, link.to), ({ reset }) => reset());
        await load.rounds(1);
      }
      const healedAt = performance.now();
      await sleep(1 * seconds);
      await load.rounds(2);
      expectOnly(link.reset, beganAt, healedAt);
      expect(pids()).toEqual(before);
    },
  );

  it.skipIf(!isThorough).each(cases)('between $from and $to that is slow fails no request', async (link) => {
    const beganAt = performance.now();
    each(deployment.links(link.from, link.to), ({ delay }) => delay(60));
    await load.rounds(1);
    each(deployment.links(link.from, link.to), ({ heal, throttle }) => {
      heal();
      throttle(30_000);
    });
    await load.rounds(1);
    each(deployment.links(link.from, link.to), ({ heal }) => heal());
    await load.rounds(1);
    expectOnly([], beganAt, beganAt);
  });

  it.each(told)(
    'between $from and $to that is frozen keeps no request beyond its time-out, and lets nothing grow [S-164]',
    async (link) => {
      await load.rounds(2);
      const before = filesOpen();
      const beganAt = performance.now();
      each(deployment.links(link.from, link.to), ({ freeze }) => freeze());
      const sizes: number[][] = [];
      while (performance.now() - beganAt < frozenMs) {
        await sleep(500);
        sizes.push(filesOpen());
      }
      each(deployment.links(link.from, link.to), ({ heal }) => heal());
      const healedAt = performance.now();
      await sleep(1 * seconds);
      await load.rounds(3);
      expectOnly(link.frozen, beganAt, healedAt);
      // Where it may fail it does, or nothing was frozen.
      expect(failuresAmong(load.since(beganAt)).length > 0).toBe(link.frozen.length > 0);
      for (const [index, files] of before.entries()) {
        // A connection for each request under way, at most, to either side.
        expect(Math.max(...sizes.map((size) => size[index] ?? 0))).toBeLessThanOrEqual(files + 2 * people);
      }
    },
  );

  it('loses nothing that was acknowledged, makes nothing twice, and sends every letter', async () => {
    await load.stop();
    await load.expectNothingLost();
    expect(load.answers.filter(({ status }) => status === 401)).toEqual([]);
    // Of the sign-up of everyone.
    await expect.poll(() => new Set(mail.letters.map(({ to }) => to)).size).toBe(people);
  });
});
