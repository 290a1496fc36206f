import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createVerifier, type VerifierOptions } from '@tenantry/jwt-verify';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { createForge } from './forge.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const nowSeconds = Math.floor(Date.now() / 1000);
const oslo = createForge('https://oslo.test/api/auth', nowSeconds);
const bergen = createForge('https://bergen.test/api/auth', nowSeconds);
const trusted = [oslo, bergen].map(({ issuer, jwks }) => ({ issuer, jwks, revocations: false as const }));

function verifierOf(options: VerifierOptions) {
  const warnings: string[] = [];
  const verifier = createVerifier({ logger: { warn: (message) => warnings.push(message) }, ...options });
  closing.push(() => verifier.close());
  return { verifier, warnings };
}

describe('several issuers', () => {
  it('are each trusted for the tokens of their own keys, and not for another’s [S-84]', async () => {
    // The same kid on both sides: the issuer decides whose it is.
    const { verifier } = verifierOf({ issuers: trusted });
    await expect(verifier.verify(oslo.token())).resolves.toMatchObject({ claims: { iss: oslo.issuer } });
    await expect(verifier.verify(bergen.token())).resolves.toMatchObject({ claims: { iss: bergen.issuer } });
    await expect(verifier.verify(oslo.token({ iss: bergen.issuer }))).rejects.toMatchObject({
      code: 'TOKEN_SIGNATURE_INVALID',
    });
    await expect(verifier.verify(bergen.token({ iss: 'https://else.test' }))).rejects.toMatchObject({
      statusCode: 401,
    });
  });

  it('have keys and revocations of their own: one that is away stops no other', async () => {
    const here = await createTestIssuer({ server: true });
    const away = await createTestIssuer({ server: true });
    closing.push(
      () => here.close(),
      () => away.close(),
    );
    const { verifier } = verifierOf({
      issuers: [here, away].map(({ issuer, server }) => ({
        issuer,
        jwks: server!.jwksUrl,
        revocations: server!.revocationsUrl,
      })),
    });
    await away.server!.stop();
    const until = nowSeconds + 900;
    here.revoke({ kind: 'session', sid: 'same', until });
    await expect(verifier.verify(await here.token())).resolves.toBeDefined();
    await expect(verifier.verify(await here.token({ sid: 'same' }))).rejects.toMatchObject({
      code: 'TOKEN_REVOKED',
    });
    await expect(verifier.verify(await away.token({ sid: 'same' }))).rejects.toMatchObject({
      code: 'KEYS_UNAVAILABLE',
    });
    expect(verifier.keys.staleMs).toBe(Infinity);
    expect(verifier.revocations).toMatchObject({ staleMs: Infinity, entries: 1 });
    await expect(verifier.ready({ timeoutMs: 0 })).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });
});

describe('several audiences', () => {
  it('are each accepted, compared exactly, and only as text', async () => {
    const { verifier } = verifierOf({ ...trusted[0]!, audience: ['tenantry', 'billing'] });
    await expect(verifier.verify(oslo.token({ aud: 'tenantry' }))).resolves.toBeDefined();
    await expect(verifier.verify(oslo.token({ aud: 'billing' }))).resolves.toBeDefined();
    for (const aud of ['Billing', 'billing ', ['billing'], undefined, null, '']) {
      await expect(verifier.verify(oslo.token({ aud }))).rejects.toMatchObject({ claim: 'aud' });
    }
  });
});

describe('a misconfigured verifier', () => {
  it.each([
    ['a trailing slash', `${oslo.issuer}/`],
    ['localhost', 'http://localhost:3000/api/auth'],
  ])('with %s in its issuer says once what it expected and what it got [S-83]', async (_case, issuer) => {
    const { verifier, warnings } = verifierOf({ ...trusted[0]!, issuer });
    for (let n = 0; n < 3; n++) {
      await expect(verifier.verify(oslo.token())).rejects.toMatchObject({
        code: 'TOKEN_CLAIM_INVALID',
        message: 'A claim of the access token is missing or not accepted: iss.',
      });
    }
    expect(warnings).toEqual([
      expect.stringContaining(
        `refused for its claim iss: expected "${issuer}", actual "https://oslo.test/api/auth"`,
      ),
    ]);
  });

  it('says the same of its audience, and of several', async () => {
    const { verifier, warnings } = verifierOf({ issuers: trusted, audience: ['a', 'b'] });
    await expect(verifier.verify(oslo.token())).rejects.toMatchObject({ claim: 'aud' });
    await expect(verifier.verify(oslo.token({ iss: 'x'.repeat(1000) }))).rejects.toMatchObject({
      claim: 'iss',
    });
    expect(warnings).toEqual([
      expect.stringContaining('claim aud: expected one of ["a","b"], actual "tenantry"'),
      expect.stringContaining(
        'claim iss: expected one of ["https://oslo.test/api/auth","https://bergen.test',
      ),
    ]);
    expect(warnings[1]!.length).toBeLessThan(800);
  });

  it('cannot be made to say anything by a token that is not signed with its keys', async () => {
    const { verifier, warnings } = verifierOf(trusted[0]!);
    const [header, , signature] = oslo.token().split('.');
    const payload = Buffer.from(JSON.stringify({ ...oslo.claims, iss: 'forged\nline' })).toString(
      'base64url',
    );
    await expect(verifier.verify(`${header}.${payload}.${signature}`)).rejects.toMatchObject({
      code: 'TOKEN_SIGNATURE_INVALID',
    });
    expect(warnings).toEqual([]);
  });

  it('says so when its keys or its feed cannot be read, without their query, but not while both may be starting', async () => {
    const asked = { '/jwks': 0, '/feed': 0 };
    const starting = createServer(({ url = '' }, response) => {
      asked[url.replace(/\?.*/, '') as keyof typeof asked] += 1;
      response.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    closing.push(() => starting.close());
    await once(starting, 'listening');
    const at = `http://127.0.0.1:${(starting.address() as AddressInfo).port}`;
    const clock = { aheadMs: 0 };
    const { verifier, warnings } = verifierOf({
      issuer: oslo.issuer,
      jwks: `${at}/jwks?secret`,
      revocations: `${at}/feed?secret`,
      clock: () => Date.now() + clock.aheadMs,
      background: true,
    });
    await expect(verifier.verify(oslo.token())).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    await expect.poll(() => Math.min(asked['/jwks'], asked['/feed'])).toBeGreaterThan(5);
    expect(warnings).toEqual([]);
    clock.aheadMs = 30_000;
    await expect.poll(() => warnings.length).toBe(2);
    expect([...warnings].sort()).toEqual([
      expect.stringMatching(/^Session revocations cannot be read from http:\/\/127\.0\.0\.1:\d+\/feed: /),
      expect.stringMatching(/^Token keys cannot be read from http:\/\/127\.0\.0\.1:\d+\/jwks: /),
    ]);
    expect(warnings.join()).not.toContain('secret');
  });
});
