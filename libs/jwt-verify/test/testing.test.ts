import { afterAll, describe, expect, it } from 'vitest';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';

declare module '@tenantry/jwt-verify/testing' {
  interface TestClaims {
    /** A claim of this test's own. */
    readonly department?: string;
  }
}

const issuer = await createTestIssuer();
const verifier = issuer.verifier();
afterAll(() => issuer.close());

describe('a test issuer without a server', () => {
  it('makes tokens that have expired just now', async () => {
    await expect(verifier.verify(await issuer.expiredToken())).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
    });
  });

  it('makes tokens of sessions that have ended, and those of no other', async () => {
    const token = await issuer.token({ sub: 'u', sid: 'session-1' });
    await verifier.verify(token);
    const revoked = await issuer.revokedToken({ sub: 'u', sid: 'session-1' });
    for (const refused of [revoked, token]) {
      await expect(verifier.verify(refused)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    }
    expect((await verifier.verify(await issuer.token({ sub: 'u' }))).userId).toBe('u');
  });

  it('tells a verifier that is made later, too', async () => {
    const revoked = await issuer.revokedToken();
    await expect(issuer.verifier().verify(revoked)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
  });

  it('ends memberships', async () => {
    const [sub, organizationId] = ['user-1', 'organization-1'];
    const token = await issuer.token({ sub, organizationId });
    const now = Math.floor(Date.now() / 1000);
    issuer.revoke({ kind: 'member', sub, organizationId, issuedBefore: now + 1, until: now + 900 });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await verifier.verify(await issuer.token({ sub, organizationId: 'organization-2' }));
  });

  it('knows its claims, and those that are declared to it', async () => {
    const { claims } = await verifier.verify(await issuer.token({ role: 'admin', department: 'finance' }));
    expect(claims).toMatchObject({ role: 'admin', department: 'finance' });
    // @ts-expect-error no claim is called that
    await issuer.token({ rol: 'admin' });
    // @ts-expect-error no role is called that
    await issuer.token({ role: 'amdin' });
    // @ts-expect-error a time is a number
    await issuer.token({ exp: 'tomorrow' });
  });
});
