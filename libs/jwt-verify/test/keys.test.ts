import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVerifier, type AroundReading, type TokenErrorCode, type Verifier } from '@tenantry/jwt-verify';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { retryDelayMs } from '../src/platform/backoff.ts';
import { eventually } from './eventually.ts';
import { createForge } from './forge.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function served(options: Parameters<typeof createTestIssuer>[0] = {}) {
  const issuer = await createTestIssuer({ server: true, ...options });
  closing.push(() => issuer.close());
  return { issuer, server: issuer.server! };
}

/** A verifier of keys that this listener publishes. */
async function keysFrom(listener: RequestListener, issuer: string): Promise<Verifier> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const jwks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  const verifier = createVerifier({ issuer, jwks, revocations: false });
  closing.push(() => {
    verifier.close();
    server.closeAllConnections();
    server.close();
  });
  return verifier;
}

const codeOf = (verifying: Promise<unknown>): Promise<TokenErrorCode | 'accepted'> =>
  verifying.then(
    () => 'accepted' as const,
    (error: unknown) => (error as { code: TokenErrorCode }).code,
  );

const published = (body: unknown): RequestListener => {
  return (_request, response) => response.end(JSON.stringify(body));
};

describe('the keys', () => {
  it('are read from <issuer>/jwks when nothing else is said', async () => {
    const { issuer, server } = await served();
    const verifier = createVerifier({ issuer: issuer.issuer, revocations: false });
    closing.push(() => verifier.close());
    await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
    expect(server.keyRequests).toBe(1);
  });

  it('are read once by a hundred concurrent first requests', async () => {
    const { issuer, server } = await served();
    const verifier = issuer.verifier();
    const tokens = await Promise.all(Array.from({ length: 100 }, () => issuer.token()));
    await Promise.all(tokens.map((token) => verifier.verify(token)));
    expect(server.keyRequests).toBe(1);
  });

  it('are known before they sign: rotation under load refuses no token and fetches nothing during a request', async () => {
    const { issuer, server } = await served();
    const verifier = issuer.verifier({ keyRefreshSeconds: 0.05, cacheSize: 0 });
    const old = await issuer.token();
    await verifier.ready();
    for (let turn = 0; turn < 3; turn++) {
      await issuer.rotateKey();
      const requestsBefore = server.keyRequests;
      await eventually(() => server.keyRequests >= requestsBefore + 2);
      const token = await issuer.token();
      for (let use = 0; use < 20; use++) expect(verifier.verifyNow(token)).not.toBeInstanceOf(Promise);
      expect(verifier.verifyNow(old)).not.toBeInstanceOf(Promise);
    }
  });

  it('are fetched immediately for a key that was not announced', async () => {
    const { issuer } = await served();
    const verifier = issuer.verifier();
    await verifier.ready();
    await issuer.rotateKey();
    await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
  });

  it('and revocations are read within what is called around a reading', async () => {
    const { issuer } = await served();
    const readings: string[] = [];
    const around: AroundReading = async (what, read) => {
      const result = await read();
      readings.push(what);
      return result;
    };
    await issuer
      .verifier({ around, revocations: new URL('/internal/revocations', issuer.issuer).href })
      .ready();
    expect(new Set(readings)).toEqual(new Set(['keys', 'revocations']));
  });

  it('stop working when withdrawn, for tokens verified before as well', async () => {
    const { issuer } = await served();
    const verifier = issuer.verifier({ keyRefreshSeconds: 0.05 });
    const token = await issuer.token();
    await verifier.verify(token);
    issuer.removeKey(await issuer.rotateKey());
    await eventually(async () => (await codeOf(verifier.verify(token))) === 'TOKEN_KEY_UNKNOWN');
    await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
  });

  it('are read again in time for a withdrawn key to be refused 60 s later, with nothing configured [S-88]', async () => {
    const { issuer, server } = await served();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const verifier = createVerifier({ issuer: issuer.issuer, revocations: false });
    closing.push(() => verifier.close());
    const token = await issuer.token();
    await verifier.verify(token);
    issuer.removeKey(await issuer.rotateKey());
    vi.advanceTimersByTime(31_000);
    while (server.keyRequests < 2) await new Promise(setImmediate);
    vi.useRealTimers();
    await eventually(async () => (await codeOf(verifier.verify(token))) === 'TOKEN_KEY_UNKNOWN');
  });

  it('of a forged kid cause one fetch in 30 s, however many come [S-81]', async () => {
    let nowMs = Date.now();
    const { issuer, server } = await served({ clock: () => nowMs });
    const verifier = issuer.verifier();
    await verifier.ready();
    const flood = async () => {
      const forged = Array.from({ length: 50 }, (_, n) => issuer.token({}, { kid: `forged-${n}` }));
      return Promise.all((await Promise.all(forged)).map((token) => codeOf(verifier.verify(token))));
    };
    expect(new Set(await flood())).toEqual(new Set(['TOKEN_KEY_UNKNOWN']));
    await flood();
    expect(server.keyRequests).toBe(2);
    nowMs += 29_999;
    await flood();
    expect(server.keyRequests).toBe(2);
    nowMs += 1;
    await flood();
    expect(server.keyRequests).toBe(3);
  });
});

describe('with the auth service away', () => {
  it('tokens of known keys are still verified, new ones too', async () => {
    const { issuer, server } = await served();
    const verifier = issuer.verifier({ keyRefreshSeconds: 0.05 });
    await verifier.ready();
    await server.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
  });

  it('an unknown key is 503, as it may well exist', async () => {
    const { issuer, server } = await served();
    const verifier = issuer.verifier();
    await verifier.ready();
    await issuer.rotateKey();
    await server.stop();
    await expect(verifier.verify(await issuer.token())).rejects.toMatchObject({
      code: 'KEYS_UNAVAILABLE',
      statusCode: 503,
      headers: { 'retry-after': '5' },
    });
  });

  it('from the start, tokens are 503, and verified by themselves once it comes', async () => {
    const { issuer, server } = await served();
    await server.stop();
    const verifier = issuer.verifier();
    const token = await issuer.token();
    expect(await codeOf(verifier.verify(token))).toBe('KEYS_UNAVAILABLE');
    await expect(verifier.ready({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    const warn = vi.spyOn(process, 'emitWarning');
    expect(await verifier.unreadyBecause()).toBe('token keys have not been read yet');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    await server.start();
    await eventually(async () => (await codeOf(verifier.verify(token))) === 'accepted');
    await verifier.ready();
    expect(await verifier.unreadyBecause()).toBeUndefined();
  });

  it('it is asked again after 3 s at the latest, at a random moment', () => {
    const delays = [1, 2, 3, 10, 2000].map((failures) => [
      retryDelayMs(failures, () => 0),
      retryDelayMs(failures, () => 1),
    ]);
    expect(delays).toEqual([
      [125, 250],
      [250, 500],
      [500, 1000],
      [1500, 3000],
      [1500, 3000],
    ]);
  });
});

describe('the age of keys', () => {
  it('is an hour at most: then no token is accepted, one verified before included, until they are read again [S-83]', async () => {
    let nowMs = Date.now();
    const { issuer, server } = await served({ clock: () => nowMs });
    const verifier = issuer.verifier();
    await verifier.ready();
    expect(verifier.keys.staleMs).toBe(0);
    await server.stop();
    nowMs += 3_599_999;
    const token = await issuer.token();
    expect(await codeOf(verifier.verify(token))).toBe('accepted');
    expect(await verifier.unreadyBecause()).toBeUndefined();
    nowMs += 1;
    expect(await codeOf(verifier.verify(token))).toBe('KEYS_UNAVAILABLE');
    expect(verifier.keys.staleMs).toBe(3_600_000);
    expect(await verifier.unreadyBecause()).toBe('token keys are too old');
    await expect(verifier.ready()).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE', statusCode: 503 });
    await server.start();
    await eventually(async () => (await codeOf(verifier.verify(token))) === 'accepted');
    expect(await verifier.unreadyBecause()).toBeUndefined();
  });

  it('is not asked of a literal set', async () => {
    let nowMs = Date.now();
    const issuer = await createTestIssuer({ clock: () => nowMs });
    closing.push(() => issuer.close());
    const verifier = issuer.verifier();
    await verifier.ready();
    nowMs += 365 * 86_400_000;
    expect(verifier.keys.staleMs).toBe(0);
    expect(await codeOf(verifier.verify(await issuer.token()))).toBe('accepted');
  });

  it('makes a process that was suspended read them at its first request, without waiting for a timer', async () => {
    let nowMs = Date.now();
    const { issuer, server } = await served({ clock: () => nowMs });
    const verifier = issuer.verifier();
    await verifier.ready();
    nowMs += 2 * 3_600_000;
    expect(await codeOf(verifier.verify(await issuer.token()))).toBe('accepted');
    expect(server.keyRequests).toBe(2);
  });
});

describe('a published set is refused', () => {
  const forge = createForge(undefined, Math.floor(Date.now() / 1000));
  const [jwk] = forge.jwks.keys;
  const cases: readonly (readonly [string, RequestListener])[] = [
    ['that is no JWK set', published([])],
    ['without keys', published({ keys: [] })],
    ['that names one key twice', published({ keys: [jwk, jwk] })],
    ['of more than a hundred keys', published({ keys: Array(101).fill(jwk) })],
    ['larger than 256 KiB', published({ keys: [jwk], filler: 'x'.repeat(256 * 1024) })],
    ['of keys without an id', published({ keys: [{ ...jwk, kid: undefined }] })],
    ['of keys for encryption', published({ keys: [{ ...jwk, use: 'enc' }] })],
    ['of keys for other operations', published({ keys: [{ ...jwk, key_ops: ['sign'] }] })],
    ['of keys for another algorithm', published({ keys: [{ ...jwk, alg: 'ES384' }] })],
    ['of secrets', published({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'forge', alg: 'ES256' }] })],
    ['of a point that is not on the curve', published({ keys: [{ ...jwk, y: jwk?.x }] })],
    ['that is not JSON', (_request, response) => response.end('<html>')],
    ['with an error status', (_request, response) => response.writeHead(500).end(JSON.stringify(forge.jwks))],
  ];

  it.each(cases)('%s [S-81]', async (_name, listener) => {
    const verifier = await keysFrom(listener, forge.issuer);
    expect(await codeOf(verifier.verify(forge.token()))).toBe('KEYS_UNAVAILABLE');
  });

  it('that lies elsewhere: no redirect is followed [S-81]', async () => {
    const elsewhere = createServer(published(forge.jwks)).listen(0, '127.0.0.1');
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    closing.push(() => elsewhere.close());
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/jwks`;
    const verifier = await keysFrom(
      (_request, response) => response.writeHead(302, { location }).end(),
      forge.issuer,
    );
    expect(await codeOf(verifier.verify(forge.token()))).toBe('KEYS_UNAVAILABLE');
  });

  it('only as a whole: keys that are not for us are passed over, of a private key only the public part is read', async () => {
    const rsa = { kty: 'RSA', kid: 'rsa', n: 'AQAB', e: 'AQAB', alg: 'RS256' };
    const leaked = { ...forge.privateKey.export({ format: 'jwk' }), kid: 'forge' };
    const verifier = await keysFrom(published({ keys: [null, 7, rsa, leaked] }), forge.issuer);
    expect(await codeOf(verifier.verify(forge.token()))).toBe('accepted');
  });
});

describe('a closed verifier', () => {
  it('continues with what it knows and fetches nothing any more', async () => {
    const forge = createForge(undefined, Math.floor(Date.now() / 1000));
    let requests = 0;
    const answer = published(forge.jwks);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const verifier = await keysFrom((...exchange) => {
      requests += 1;
      answer(...exchange);
    }, forge.issuer);
    await verifier.ready();
    expect([requests, vi.getTimerCount()]).toEqual([1, 1]);
    verifier.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(await codeOf(verifier.verify(forge.token()))).toBe('accepted');
    expect(requests).toBe(1);
  });
});

describe('an issuer that takes the connection and never answers', () => {
  it('holds a first request for 5 s at the most', async () => {
    const forge = createForge();
    let asked = 0;
    const verifier = await keysFrom(() => void (asked += 1), forge.issuer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closing.push(() => vi.useRealTimers());
    const code = codeOf(verifier.verify(forge.token()));
    while (asked === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(4_999);
    expect(await Promise.race([code, new Promise((resolve) => setImmediate(resolve, 'held'))])).toBe('held');
    vi.advanceTimersByTime(1);
    expect(await code).toBe('KEYS_UNAVAILABLE');
  });
});

it('an issuer for tests without a server has its keys at hand', async () => {
  const issuer: TestIssuer = await createTestIssuer();
  closing.push(() => issuer.close());
  const verifier = issuer.verifier();
  await verifier.ready();
  expect(verifier.verifyNow(await issuer.token())).not.toBeInstanceOf(Promise);
});
