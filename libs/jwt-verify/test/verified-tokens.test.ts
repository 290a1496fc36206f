import { afterEach, describe, expect, it } from 'vitest';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { eventually } from './eventually.ts';
import { VerifiedTokens, type VerifiedToken } from '../src/verifier/verified-tokens.ts';

const entry = (token: string): VerifiedToken => ({
  token,
  identity: {} as VerifiedToken['identity'],
  issuer: undefined as unknown as VerifiedToken['issuer'],
  usableUntilMs: 0,
  revocationsVersion: 0,
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('the store of verified tokens', () => {
  it('never holds more than its size, whatever comes', () => {
    const tokens = new VerifiedTokens(100);
    let most = 0;
    for (let n = 0; n < 10_000; n++) {
      tokens.add(entry(`t${n}`));
      if (n % 3 === 0) tokens.get(`t${n - 70}`);
      most = Math.max(most, tokens.size);
    }
    expect(most).toBeGreaterThan(50);
    expect(most).toBeLessThanOrEqual(100);
  });

  it('keeps what is in use while others come and go', () => {
    const tokens = new VerifiedTokens(100);
    const used = entry('used');
    tokens.add(used);
    for (let n = 0; n < 10_000; n++) {
      tokens.add(entry(`t${n}`));
      if (n % 20 === 0) expect(tokens.get('used')).toBe(used);
    }
    expect(tokens.get('t0')).toBeUndefined();
  });

  it('knows a token by all of it, not by its signature alone', () => {
    const tokens = new VerifiedTokens(100);
    const signature = 's'.repeat(86);
    tokens.add(entry(`header.payload.${signature}`));
    expect(tokens.get(`header.payload.${signature}`)).toBeDefined();
    expect(tokens.get(`header.another.${signature}`)).toBeUndefined();
    expect(tokens.get(signature)).toBeUndefined();
  });

  it('of size 0 holds nothing', () => {
    const tokens = new VerifiedTokens(0);
    tokens.add(entry('a'));
    expect(tokens.get('a')).toBeUndefined();
    expect(tokens.size).toBe(0);
  });
});

describe('a token verified before', () => {
  it('gives the same identity without another look at its signature', async () => {
    const issuer = await createTestIssuer();
    const verifier = issuer.verifier();
    const token = await issuer.token();
    const first = await verifier.verify(token);
    // Another string of the same characters, as the next request brings it.
    expect(await verifier.verify(Buffer.from(token).toString())).toBe(first);
    expect(verifier.verifyNow(token)).toBe(first);
  });

  it('expires all the same, to the second', async () => {
    let nowMs = 1_800_000_000_000;
    const issuer = await createTestIssuer({ clock: () => nowMs });
    const verifier = issuer.verifier();
    const token = await issuer.token({ exp: 1_800_000_060 });
    await verifier.verify(token);
    nowMs += 64_999;
    await expect(verifier.verify(token)).resolves.toBeDefined();
    nowMs += 1;
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('is refused again and again once revoked', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const verifier = issuer.verifier();
    await verifier.ready();
    const token = await issuer.token({ sub: 'u' });
    await verifier.verify(token);
    const nowSeconds = Math.floor(Date.now() / 1000);
    issuer.revoke({ kind: 'user', sub: 'u', issuedBefore: nowSeconds + 60, until: nowSeconds + 900 });
    await eventually(() => verifier.revocations.entries === 1);
    for (let n = 0; n < 3; n++) expect(() => verifier.verifyNow(token)).toThrow('revoked');
  });

  it('is not one that was refused: nothing refused is remembered', async () => {
    let nowMs = 1_800_000_000_000;
    const issuer = await createTestIssuer({ clock: () => nowMs });
    const verifier = issuer.verifier();
    const token = await issuer.token({ iat: 1_800_000_010, exp: 1_800_000_100 });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_NOT_YET_VALID' });
    nowMs += 5000;
    await expect(verifier.verify(token)).resolves.toBeDefined();
  });
});
