import { existsSync } from 'node:fs';
import { isThorough } from '@tenantry/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAsk, signUp } from './support/client.ts';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad } from './support/load.ts';

/** Where Debian puts it, by architecture. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
if (isThorough && library === undefined) {
  console.log('Skipped: libfaketime is not installed, so every clock is right.');
}

describe.skipIf(!isThorough || library === undefined)('the clock of leads-service', () => {
  let postgres: DatabaseServer;
  let deployment: Deployment;

  beforeEach(async () => {
    postgres = await startDatabaseServer();
  });
  afterEach(async () => {
    await deployment.stop();
    await postgres.stop();
  });

  async function deployWithClock(offset: string): Promise<void> {
    const wrong = { LD_PRELOAD: library ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    deployment = await deploy({
      postgres,
      replicas: { 'auth-service': 1, 'leads-service': 1 },
      settings: { 'leads-service': wrong },
    });
    const health = await fetch(`${deployment.of('leads-service')[0]?.url}/api/health`);
    const { timestamp } = (await health.json()) as { timestamp: string };
    const offsetMs = Date.parse(timestamp) - Date.now();
    expect(Math.abs(offsetMs - Number.parseInt(offset) * 1_000)).toBeLessThan(1_000);
  }

  it.each(['+3s', '-3s', '+90s'])('may be wrong by %s, and nobody notices', async (offset) => {
    await deployWithClock(offset);
    const load = await startLoad({ urls: [deployment.url], people: 4 });
    await load.rounds(6);
    await load.stop();
    await load.expectNothingLost();
    expect(failuresAmong(load.answers)).toEqual([]);
  });

  it('refuses tokens that are not valid yet where it is 90 s behind', async () => {
    await deployWithClock('-90s');
    const ask = createAsk(() => deployment.url);
    const { token } = await signUp(ask);
    const answer = await ask({ method: 'GET', path: '/api/leads', token });
    expect(answer.status, answer.text).toBe(401);
  });
});
