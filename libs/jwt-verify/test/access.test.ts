import { afterAll, describe, expect, it } from 'vitest';
import {
  AccessError,
  authenticate,
  authorize,
  can,
  definePermissions,
  readsGoOn,
  requireOrganization,
  requireRecentFactor,
  type Identity,
  type Member,
  type RecentFactor,
} from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/web';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { permissions } from './permissions.ts';

const issuer = await createTestIssuer();
const verifier = issuer.verifier();
afterAll(() => issuer.close());

const identityOf = async (claims: Record<string, unknown>): Promise<Identity> =>
  verifier.verify(await issuer.token(claims));

const requestWith = (authorization?: string, method = 'GET') => ({ method, headers: { authorization } });

function refusalOf(check: () => void): AccessError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(AccessError);
    return error as AccessError;
  }
}

describe('who sends a request', () => {
  it.each([
    ['Bearer', 'Bearer'],
    ['in any case', 'bEARER'],
  ])('is told by its bearer token: %s', async (_name, scheme) => {
    const token = await issuer.token({ sub: 'user-1' });
    const identity = await authenticate(verifier, requestWith(`${scheme} ${token}`));
    expect(identity.userId).toBe('user-1');
  });

  it.each([undefined, '', 'Basic cm9iaW46cHc=', 'Bearer', 'Bearertoken'])(
    'is unauthenticated without one: %j gives the bare challenge of RFC 6750 section 3.1',
    async (authorization) => {
      await expect(authenticate(verifier, requestWith(authorization))).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        statusCode: 401,
        headers: { 'www-authenticate': 'Bearer' },
        expose: true,
      });
    },
  );

  it.each(['', ' ', 'x', 'a.b.c', 'two tokens'])('is unauthenticated with a bad token: %j', async (token) => {
    await expect(authenticate(verifier, requestWith(`Bearer ${token}`))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      headers: { 'www-authenticate': expect.stringContaining('error="invalid_token"') as string },
      cause: { code: 'TOKEN_MALFORMED' },
    });
  });

  it('is unknown while keys are unavailable: 503 and when to come again', async () => {
    const away = issuer.verifier({ jwks: 'http://127.0.0.1:1/jwks' });
    const request = requestWith(`Bearer ${await issuer.token()}`);
    await expect(authenticate(away, request)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      statusCode: 503,
      headers: { 'retry-after': '5' },
    });
  });
});

describe('without news of revocations', () => {
  it('reads continue and writes stop after 30 s', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE']) expect(readsGoOn(Infinity, method)).toBe(true);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'get', '']) {
      expect(readsGoOn(30_000, method)).toBe(true);
      expect(readsGoOn(30_001, method)).toBe(false);
    }
  });

  it('the caller may choose otherwise', async () => {
    const stale = issuer.verifier({ revocations: 'http://127.0.0.1:1/feed' });
    const token = await issuer.token();
    const write = requestWith(`Bearer ${token}`, 'POST');
    await expect(authenticate(stale, requestWith(`Bearer ${token}`))).resolves.toBeDefined();
    await expect(authenticate(stale, write)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      statusCode: 503,
      cause: { code: 'REVOCATIONS_UNAVAILABLE' },
    });
    await expect(authenticate(stale, write, { onStale: () => true })).resolves.toBeDefined();
    await expect(
      authenticate(stale, requestWith(`Bearer ${token}`), { onStale: () => false }),
    ).rejects.toMatchObject({ statusCode: 503 });
  });
});

describe('permissions', () => {
  it('go by your table: a role it does not name carries none', async () => {
    const identities = await Promise.all(
      ['owner', 'member', 'admin', 'constructor'].map((role) => identityOf({ role })),
    );
    const allowed = (permission: 'invoices:read' | 'invoices:write') =>
      identities.map(
        (identity) => refusalOf(() => authorize(identity, permission, permissions)) === undefined,
      );
    expect(allowed('invoices:read')).toEqual([true, true, false, false]);
    expect(allowed('invoices:write')).toEqual([true, false, false, false]);
    expect(can('member', 'invoices:read', permissions)).toBe(true);
    expect(can('member', 'invoices:write', permissions)).toBe(false);
  });

  it.each([null, '', 'Owner', 'superuser', 'constructor', '__proto__'])(
    'are none for the role %j',
    (role) => {
      expect(can(role, 'invoices:read', permissions)).toBe(false);
    },
  );

  it('are refused with 403 and what is missing', async () => {
    const member = await identityOf({ role: 'member' });
    expect(refusalOf(() => authorize(member, 'invoices:read', permissions))).toBeUndefined();
    expect(refusalOf(() => authorize(member, 'invoices:delete', permissions))).toMatchObject({
      code: 'FORBIDDEN',
      statusCode: 403,
      headers: { 'www-authenticate': expect.stringContaining('error="insufficient_scope"') as string },
    });
  });

  it('need an active organization, whatever the role', async () => {
    const nowhere = await identityOf({ role: 'owner', organizationId: null });
    expect(refusalOf(() => authorize(nowhere, 'invoices:read', permissions))).toMatchObject({
      code: 'NO_ACTIVE_ORGANIZATION',
      statusCode: 403,
    });
  });

  it('go by your rule, which sees who asks for what, in an organization alone', async () => {
    const asked: unknown[] = [];
    const rule = (holder: Member, permission: 'reports:read') => {
      asked.push([holder.organizationId, permission]);
      return holder.claims['department'] === 'sales';
    };
    const inSales = await identityOf({ organizationId: 'o', department: 'sales' });
    expect(refusalOf(() => authorize(inSales, 'reports:read', rule))).toBeUndefined();
    const elsewhere = await identityOf({ organizationId: 'o', department: 'it' });
    expect(refusalOf(() => authorize(elsewhere, 'reports:read', rule))?.code).toBe('FORBIDDEN');
    const nowhere = await identityOf({ organizationId: null, department: 'sales' });
    expect(refusalOf(() => authorize(nowhere, 'reports:read', rule))?.code).toBe('NO_ACTIVE_ORGANIZATION');
    expect(asked).toEqual([
      ['o', 'reports:read'],
      ['o', 'reports:read'],
    ]);
  });

  it.each([Promise.resolve(true), 'yes', 1, undefined])(
    'are given by true alone: a rule that returns %j is a mistake, not a permission',
    async (answer) => {
      const rule = () => answer as unknown as boolean;
      expect(() => authorize(identity, 'x', rule)).toThrow(/must return true or false/);
    },
  );
  const identity = { organizationId: 'o', sessionId: 's', role: 'owner' } as Identity;
});

describe('what is no identity', () => {
  it('as a promise that was not awaited is an error that says so: no request is let in, and none is answered as forbidden', async () => {
    const promise = authenticate(verifier, requestWith(`Bearer ${await issuer.token({ role: 'owner' })}`));
    const promised = promise as unknown as Identity;
    expect(() => authorize(promised, 'invoices:read', permissions)).toThrow(
      new TypeError('This is a promise of an identity: await authenticate() first.'),
    );
    expect(() => requireRecentFactor(promised, { maxAgeSeconds: 300 })).toThrow(
      /await authenticate\(\) first/,
    );
    await promise;
  });

  it.each([undefined, null, 'user-1', {}, []])('is refused: %j', (value) => {
    expect(() => authorize(value as Identity, 'invoices:read', permissions)).toThrow(/This is no identity/);
  });
});

describe('a recent authentication (RFC 9470)', () => {
  const now = Math.floor(Date.now() / 1000);
  const ask = async (claims: Record<string, unknown>, more: Partial<RecentFactor> = {}) => {
    const identity = await identityOf(claims);
    return refusalOf(() =>
      requireRecentFactor(identity, { maxAgeSeconds: 300, clock: () => now * 1000, ...more }),
    );
  };

  it('is enough up to its age, not beyond [S-32]', async () => {
    expect(await ask({ amr: ['pwd', 'otp'], auth_time: now - 300 })).toBeUndefined();
    expect(await ask({ amr: ['pwd', 'otp'], auth_time: now - 301 })).toMatchObject({
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      reason: 'SECOND_FACTOR_REQUIRED',
      statusCode: 401,
      headers: {
        'www-authenticate': expect.stringMatching(
          /^Bearer error="insufficient_user_authentication", .*acr_values="aal2", max_age="300"$/,
        ) as string,
      },
    });
  });

  it('lies ahead by no more than clocks differ, or it would never grow old', async () => {
    expect(await ask({ amr: ['pwd', 'otp'], auth_time: now + 5 })).toBeUndefined();
    for (const ahead of [6, 3_600, now * 1_000]) {
      expect((await ask({ amr: ['pwd', 'otp'], auth_time: now + ahead }))?.statusCode).toBe(401);
    }
  });

  it('is asked for when the token does not say when the user authenticated', async () => {
    expect((await ask({ amr: ['pwd', 'otp'], auth_time: undefined }))?.statusCode).toBe(401);
  });

  it('is the password, for a user without a second factor', async () => {
    expect(await ask({ amr: ['pwd'], auth_time: now - 10 })).toBeUndefined();
    expect(await ask({ amr: ['pwd'], auth_time: now - 301 })).toMatchObject({
      statusCode: 401,
      reason: 'SIGN_IN_REQUIRED',
    });
  });

  it('of aal1 never counts as a second factor, whatever the token names in amr [S-33]', async () => {
    const byRole = { withoutSecondFactor: 'role' } as const;
    for (const amr of [['email'], ['fed'], ['pwd', 'otp'], ['pop', 'mfa'], ['pwd', 'email'], []]) {
      expect((await identityOf({ acr: 'aal1', amr })).level).toBe('aal1');
      expect(await ask({ acr: 'aal1', amr, auth_time: now - 301 })).toMatchObject({
        reason: 'SIGN_IN_REQUIRED',
        headers: { 'www-authenticate': expect.stringContaining('acr_values="aal1"') as string },
      });
      expect(await ask({ acr: 'aal1', amr, auth_time: now - 9000 }, byRole)).toBeUndefined();
    }
  });

  it('of aal2 is a second factor, also where amr names a password alone', async () => {
    const byRole = { withoutSecondFactor: 'role' } as const;
    for (const amr of [['pwd'], ['pop', 'mfa']]) {
      const asked = await ask({ acr: 'aal2', amr, auth_time: now - 301 }, byRole);
      expect(asked?.reason).toBe('SECOND_FACTOR_REQUIRED');
    }
  });

  it('is read of amr where the token says no level of ours [S-33]', async () => {
    for (const acr of [undefined, null, 'aal3', 'urn:mace:incommon:iap:silver']) {
      expect((await identityOf({ acr, amr: ['pwd'] })).level).toBe('aal1');
      expect((await identityOf({ acr, amr: ['pwd', 'otp'] })).level).toBe('aal2');
    }
    await expect(identityOf({ acr: 2 })).rejects.toMatchObject({ code: 'TOKEN_CLAIM_INVALID' });
  });

  it('may be waived for such a user, and for no other', async () => {
    const byRole = { withoutSecondFactor: 'role' } as const;
    expect(await ask({ amr: ['pwd'], auth_time: now - 9000 }, byRole)).toBeUndefined();
    expect((await ask({ amr: ['pwd', 'otp'], auth_time: now - 9000 }, byRole))?.statusCode).toBe(401);
    expect((await ask({ amr: ['pwd', 'future'], auth_time: now - 9000 }, byRole))?.statusCode).toBe(401);
  });
});

describe('the organization that a path names', () => {
  it('must be the active one', async () => {
    const identity = await identityOf({ organizationId: 'organization-1' });
    requireOrganization(identity, 'organization-1');
    expect(identity.organizationId).toBe('organization-1');
    for (const other of ['organization-2', 'ORGANIZATION-1', '']) {
      expect(refusalOf(() => requireOrganization(identity, other))).toMatchObject({
        statusCode: 403,
        code: 'FORBIDDEN',
        reason: 'ORGANIZATION_NOT_ACTIVE',
      });
    }
  });

  it('is never the one of a token without an organization', async () => {
    const identity = await identityOf({ organizationId: null });
    for (const any of ['organization-1', 'null', '']) {
      expect(refusalOf(() => requireOrganization(identity, any))?.code).toBe('NO_ACTIVE_ORGANIZATION');
    }
    expect(() => requireOrganization(undefined as unknown as Identity, 'organization-1')).toThrow(TypeError);
  });
});

describe('a table of permissions that stands by itself', () => {
  it('keeps its names by definePermissions, so that a misspelt one does not compile', async () => {
    const table = definePermissions({ owner: ['invoices:read'], member: ['invoices:read'] });
    const identity: Identity = await identityOf({ role: 'member' });
    authorize(identity, 'invoices:read', table);
    // @ts-expect-error not one of the table
    expect(refusalOf(() => authorize(identity, 'invoices:raed', table))?.code).toBe('FORBIDDEN');
    // @ts-expect-error not one of the table
    expect(can('member', 'invoices:raed', table)).toBe(false);
  });

  it('does not compile when TypeScript has forgotten its names', async () => {
    const table = { owner: ['invoices:read'], member: ['invoices:read'] };
    const identity: Identity = await identityOf({ role: 'member' });
    // @ts-expect-error its names are mere text
    authorize(identity, 'invoices:read', table);
    // @ts-expect-error its names are mere text
    jwtAccess(verifier, { permissions: table });
    jwtAccess(verifier, { permissions: (_holder, permission: string) => permission === 'any' });
  });
});
