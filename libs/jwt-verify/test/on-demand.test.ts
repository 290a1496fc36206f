import { afterEach, describe, expect, it, vi } from 'vitest';
import { authenticate, createVerifier, type AroundReading } from '@tenantry/jwt-verify';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { createForge } from './forge.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A verifier that does nothing between requests, and the clock it goes by. */
async function onDemand() {
  let nowMs = Date.now();
  const clock = () => nowMs;
  const issuer = await createTestIssuer({ server: true, clock });
  closing.push(() => issuer.close());
  const readings: string[] = [];
  const around: AroundReading = (what, read) => {
    readings.push(what);
    return read();
  };
  const verifier = issuer.verifier({ background: false, around });
  const server = issuer.server!;
  const asked = () => [server.keyRequests, server.revocationRequests];
  const pass = (ms: number) => void (nowMs += ms);
  return { issuer, server, verifier, asked, readings, pass, until: Math.floor(nowMs / 1000) + 900 };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a verifier without a background', () => {
  it('asks nothing until its first request, which then knows keys and revocations', async () => {
    const { issuer, verifier, asked, until } = await onDemand();
    await pause(200);
    expect(asked()).toEqual([0, 0]);
    issuer.revoke({ kind: 'session', sid: 'gone', until });
    await expect(verifier.verify(await issuer.token({ sid: 'gone' }))).rejects.toMatchObject({
      code: 'TOKEN_REVOKED',
    });
    expect(asked()).toEqual([1, 1]);
  });

  it('is made without a timer, a request or anything else that Workers forbid outside a request', async () => {
    const forbidden = () => {
      throw new Error('Disallowed operation called within global scope');
    };
    const names = ['AbortController', 'setTimeout', 'setInterval', 'fetch'] as const;
    for (const name of names) vi.stubGlobal(name, forbidden);
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(forbidden);
    const { issuer, jwks } = createForge();
    const made = [jwks, undefined].map((keys) =>
      createVerifier({ issuer, jwks: keys, revocations: `${issuer}/revocations`, background: false }),
    );
    for (const verifier of made) verifier.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('lets the first write in, as it has heard of revocations by then', async () => {
    const { issuer, verifier } = await onDemand();
    const headers = { authorization: `Bearer ${await issuer.token({ sub: 'u' })}` };
    await expect(authenticate(verifier, { method: 'POST', headers })).resolves.toMatchObject({ userId: 'u' });
  });

  it('learns of a revocation at the next request 3 s later, and polls no more often', async () => {
    const { issuer, verifier, asked, pass, until } = await onDemand();
    const token = await issuer.token({ sid: 's' });
    await verifier.verify(token);
    issuer.revoke({ kind: 'session', sid: 's', until });
    pass(2999);
    await verifier.verify(token);
    expect(asked()).toEqual([1, 1]);
    pass(1);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    expect(asked()).toEqual([1, 2]);
  });

  it('reads its keys again every 30 s: a withdrawn one is refused, for tokens verified before as well', async () => {
    const { issuer, verifier, pass } = await onDemand();
    const token = await issuer.token();
    await verifier.verify(token);
    issuer.removeKey(await issuer.rotateKey());
    pass(30_000);
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_KEY_UNKNOWN' });
    await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
  });

  it('lets one of many requests fetch, while the others continue with what is known', async () => {
    const { issuer, verifier, asked, pass } = await onDemand();
    const token = await issuer.token();
    await verifier.verify(token);
    pass(30_000);
    await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)));
    expect(asked()).toEqual([2, 2]);
  });

  it('does not ask a service that is away at every request', async () => {
    const { issuer, server, verifier, pass, readings } = await onDemand();
    const token = await issuer.token();
    await verifier.verify(token);
    await server.stop();
    readings.length = 0;
    pass(30_000);
    await verifier.verify(token);
    const tried = readings.length;
    expect(tried).toBeGreaterThan(0);
    for (let n = 0; n < 100; n++) await verifier.verify(token);
    expect(readings).toHaveLength(tried);
    pass(3_570_000);
    await expect(verifier.verify(token)).rejects.toMatchObject({ statusCode: expect.any(Number) as number });
    await expect(verifier.verify(await issuer.token())).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });

  it('is ready once it has read what it needs, which asking for it begins', async () => {
    const { verifier, server } = await onDemand();
    await verifier.ready();
    expect(await verifier.unreadyBecause()).toBeUndefined();
    await server.stop();
    expect(await verifier.unreadyBecause()).toBeUndefined();
  });
});
