import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { onTestFinished, describe, expect, it } from 'vitest';
import { authenticate, recheck, type Verifier } from '@tenantry/jwt-verify';
import { jwtAccess as expressAccess } from '@tenantry/jwt-verify/express';
import { answerRefusals, jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { services } from './services.ts';

const sid = 'session-1';

async function newIssuer(clock?: () => number): Promise<TestIssuer> {
  const issuer = await createTestIssuer(clock && { clock });
  onTestFinished(() => issuer.close());
  return issuer;
}

const end = (issuer: TestIssuer) =>
  issuer.revoke({ kind: 'session', sid, until: Math.floor(Date.now() / 1_000) + 900 });

/** A verifier that calls back when a token is verified: by then the headers of its request have arrived. */
function watched(verifier: Verifier, onVerify: () => void): Verifier {
  const verifyNow: Verifier['verifyNow'] = (token) => {
    onVerify();
    return verifier.verifyNow(token);
  };
  return Object.create(verifier, { verifyNow: { value: verifyNow } }) as Verifier;
}

describe.each(Object.entries(services))('%s', (name, start) => {
  it('refuses a body that becomes whole when its session has ended [S-141]', async () => {
    const issuer = await newIssuer();
    const { promise: verified, resolve: onVerify } = deferred();
    const service = await start(watched(issuer.verifier(), onVerify));
    onTestFinished(() => service.close());
    const headers = {
      authorization: `Bearer ${await issuer.token({ sid, role: 'owner' })}`,
      'content-type': 'application/json',
    };
    const whole = await service.send('/invoices', { method: 'POST', headers, body: '{}' });
    expect([whole.ok, await whole.json()]).toEqual([true, { written: true }]);

    const { promise: rest, resolve: sendRest } = deferred();
    const halves = async function* () {
      yield Buffer.from('{"total":');
      await rest;
      yield Buffer.from('1}');
    };
    const init = { method: 'POST', headers, body: ReadableStream.from(halves()), duplex: 'half' } as const;
    const answer = service.send('/invoices', init);
    // Nest verifies when it has parsed the body.
    if (!name.startsWith('Nest')) await verified;
    end(issuer);
    sendRest();
    const { status } = await answer;
    expect(status).toBe(401);
  });
});

describe('a request that was let in', () => {
  const requestWith = (token: string, method = 'POST') => ({
    method,
    headers: { authorization: `Bearer ${token}` },
  });

  it('goes on, and is refused from the moment at which its session has ended [S-141]', async () => {
    const issuer = await newIssuer();
    const request = Object.freeze(requestWith(await issuer.token({ sid })));
    const identity = await authenticate(issuer.verifier(), request);
    expect(await recheck(request)).toBe(identity);
    end(issuer);
    await expect(recheck(request)).rejects.toMatchObject({ statusCode: 401, reason: 'TOKEN_REVOKED' });
  });

  it('is refused once its token has expired', async () => {
    let now = Date.now();
    const issuer = await newIssuer(() => now);
    const request = requestWith(await issuer.token());
    await authenticate(issuer.verifier(), request);
    now += 16 * 60_000;
    await expect(recheck(request)).rejects.toMatchObject({ statusCode: 401, reason: 'TOKEN_EXPIRED' });
  });

  it('is refused once revocations are too stale to write', async () => {
    const issuer = await newIssuer();
    let stale = false;
    const request = requestWith(await issuer.token());
    await authenticate(issuer.verifier(), request, { onStale: () => !stale });
    stale = true;
    await expect(recheck(request)).rejects.toMatchObject({ statusCode: 503 });
  });

  it('is refused once its authentication is no longer recent', async () => {
    let now = Date.now();
    const issuer = await newIssuer(() => now);
    const access = expressAccess(issuer.verifier(), {});
    const isRecent = access.requiresRecentFactor({ maxAgeSeconds: 300 });
    const request = requestWith(await issuer.token({ auth_time: Math.floor(now / 1_000) }));
    const passed = await new Promise((resolve) => isRecent(request as never, {} as never, resolve));
    expect(passed).toBeUndefined();
    now += 301_000;
    await expect(recheck(request)).rejects.toMatchObject({ code: 'INSUFFICIENT_USER_AUTHENTICATION' });
  });

  it('must have been let in', async () => {
    await expect(recheck({})).rejects.toThrow('never let in');
  });
});

it('Fastify asks again without `protect`, where the route says so', async () => {
  const issuer = await newIssuer();
  const access = jwtAccess(issuer.verifier());
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(answerRefusals);
  const hooks = { onRequest: access.signedIn, preValidation: access.recheck };
  app.addHook('preParsing', async () => end(issuer));
  app.post('/', hooks, async () => 'written');
  const headers = { authorization: `Bearer ${await issuer.token({ sid })}` };
  const { statusCode } = await app.inject({ method: 'POST', url: '/', headers, payload: {} });
  expect(statusCode).toBe(401);
});

it('Express lets public requests pass, of which nobody has asked anything', async () => {
  const issuer = await newIssuer();
  const access = expressAccess(issuer.verifier());
  const app = express();
  app.use(express.json(), access.recheck);
  app.get('/', (_request, response) => void response.send('public'));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(await answer.text()).toBe('public');
});

/** A promise, and what resolves it. */
function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
