import { setTimeout as sleep } from 'node:timers/promises';
import { isThorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/tenantry.ts';
import { createAsk, signIn, signUp, type Account, type Ask } from './support/client.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { failuresAmong, startLoad, type Load } from './support/load.ts';
import { startReplicatedServer, type ReplicatedServer } from './support/replicated-server.ts';

const seconds = 1_000;

describe.skipIf(!isThorough)('a failover to a synchronous replica under load', () => {
  let postgres: ReplicatedServer;
  let deployment: Deployment;
  let load: Load;
  let ask: Ask;
  let ada: Account;

  beforeAll(async () => {
    postgres = await startReplicatedServer();
    deployment = await deploy({ replicas: { 'auth-service': 2, 'leads-service': 2 }, postgres });
    load = await startLoad({ urls: [deployment.url], people: 8 });
    ask = createAsk(() => deployment.url);
    ada = await signUp(ask);
  });
  afterAll(async () => {
    await load.stop();
    await deployment.stop();
    await postgres.stop();
  });

  const reads = async (token: string) => (await ask({ method: 'GET', path: '/api/leads', token })).status;
  const signOut = async (token: string) =>
    (await ask({ method: 'POST', path: '/api/auth/sign-out', token })).status;

  it('is 503 until the replica is promoted, and over within 5 s after it [S-164]', async () => {
    const [revoked, kept] = [await signIn(ask, ada), await signIn(ask, ada)];
    expect([await reads(revoked.token), await reads(kept.token)]).toEqual([200, 200]);
    await load.rounds(3);

    const killedAt = performance.now();
    // Acknowledged at the last moment: the replica alone can tell of it.
    expect(await signOut(revoked.token)).toBe(200);
    await postgres.killPrimary();
    await load.rounds(1);
    await postgres.promote();
    const promotedAt = performance.now();

    await eventually(async () => expect(await reads(revoked.token)).toBe(401), 5 * seconds);
    expect(await reads(kept.token)).toBe(200);
    const later = await signIn(ask, ada);
    expect(await reads(later.token)).toBe(200);
    expect(await signOut(later.token)).toBe(200);
    await eventually(async () => expect(await reads(later.token)).toBe(401), 1 * seconds);

    await sleep(Math.max(0, promotedAt + 5 * seconds - performance.now()));
    await load.rounds(2);
    for (const { status, retryAfter, text } of load.since(killedAt)) {
      if (status < 200 || status > 299) expect([status, retryAfter], text).toEqual([503, '1']);
    }
    expect(failuresAmong(load.since(promotedAt + 5 * seconds))).toEqual([]);
  });

  it('loses nothing that was acknowledged, makes nothing twice, and signs no user out', async () => {
    await load.stop();
    await load.expectNothingLost();
    expect(load.answers.filter(({ status }) => status === 401)).toEqual([]);
  });
});
