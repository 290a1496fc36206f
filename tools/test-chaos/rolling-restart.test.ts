import { isThorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy, type Client, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';

/** From gateway to service: long enough for a request to meet the end of the connection that it is sent on. */
const distanceMs = 25;

describe('a rolling restart under load', () => {
  let deployment: Deployment;
  let load: Load;

  beforeAll(async () => {
    deployment = await deploy({
      gateways: 2,
      replicas: { 'auth-service': 2, 'leads-service': 2 },
      linked: true,
      settings: { all: { SHUTDOWN_GRACE_SECONDS: '1' } },
    });
    for (const service of ['leads-service', 'auth-service'] as const) {
      for (const link of deployment.links('gateway', service)) link.delay(distanceMs);
    }
    const urls = deployment.gateways.map(({ url }) => url);
    load = await startLoad({ urls, people: 8 });
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
  });

  it.each<Client>(isThorough ? ['leads-service', 'auth-service', 'gateway'] : ['leads-service'])(
    'of %s fails no request of any method [S-158]',
    async (service) => {
      const beganAt = performance.now();
      for (const replica of deployment.of(service)) {
        await load.rounds(2);
        expect(await replica.terminate()).toBe(0);
        await load.rounds(2);
        await replica.start();
      }
      await load.rounds(2);
      const answers = load.since(beganAt);
      expect(answers.length).toBeGreaterThan(150);
      expect(failuresAmong(answers)).toEqual([]);
    },
  );

  it('loses nothing that was acknowledged, and makes nothing twice', async () => {
    await load.stop();
    await load.expectNothingLost();
  });
});
