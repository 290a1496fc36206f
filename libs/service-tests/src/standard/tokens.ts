import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createVerifier } from '@tenantry/jwt-verify';
import { mutatedAccessTokens, signedToken, type TokenParts } from '@tenantry/test-kit';
import { expect, it, onTestFinished } from 'vitest';
import { refusal } from '../callers.ts';
import type { Standing } from './standing.ts';
import { rowCounts } from './tables.ts';

/** A token that is wrong in one way opens nothing. */
export function tokenTests(standing: () => Standing): void {
  it('refuses every access token that differs in one thing from a good one, and writes nothing [S-82]', async () => {
    const parts = goodToken();
    const { running, operations } = await startWith(standing(), parts);
    const mutations = mutatedAccessTokens(parts);
    const before = await rowCounts(running.testDatabase);
    expect(mutations.length).toBeGreaterThan(50);
    for (const { method, url } of operations) {
      const send = (token: string) => running.caller(`Bearer ${token}`).send(method, url);
      expect([401, 403], 'the good token is let in').not.toContain((await send(signedToken(parts))).status);
      for (const [change, token] of mutations) {
        const answer = await send(token);
        const refused = { status: 401, data: null, code: 'UNAUTHENTICATED' };
        expect(refusal(answer), `${method} ${url} with ${change}`).toMatchObject(refused);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
    }
    expect(await rowCounts(running.testDatabase)).toEqual(before);
  });
}

async function startWith({ start, operations }: Standing, { claims, publicKey }: TokenParts) {
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' };
  const running = await start({
    verifier: createVerifier({ issuer: String(claims['iss']), jwks: { keys: [key] }, revocations: false }),
  });
  onTestFinished(() => running.close());
  // Until then it may write settings into its database.
  await expect.poll(async () => (await running.app.inject('/api/health/ready')).statusCode).toBe(200);
  return { running, operations: operations.filter(({ access }) => access !== 'public') };
}

function goodToken(): TokenParts {
  const now = Math.floor(Date.now() / 1_000);
  return {
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    header: { alg: 'ES256', kid: 'signing', typ: 'at+jwt' },
    claims: {
      iss: 'https://auth.test/api/auth',
      aud: 'tenantry',
      sub: randomUUID(),
      sid: randomUUID(),
      email: 'robin@example.com',
      name: 'Robin',
      organizationId: randomUUID(),
      organizationName: 'Example',
      role: 'owner',
      amr: ['pwd'],
      auth_time: now,
      iat: now,
      exp: now + 900,
    },
  };
}
