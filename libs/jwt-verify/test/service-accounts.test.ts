import { afterAll, describe, expect, it } from 'vitest';
import {
  AccessError,
  authorize,
  can,
  requireRecentFactor,
  requireUser,
  type Identity,
  type Member,
} from '@tenantry/jwt-verify';
import { createTestIssuer, type TestClaims } from '@tenantry/jwt-verify/testing';
import { permissions } from './permissions.ts';

const issuer = await createTestIssuer();
const verifier = issuer.verifier();
afterAll(() => issuer.close());

const serviceAccount = async (claims?: TestClaims): Promise<Identity> =>
  verifier.verify(await issuer.serviceToken(claims));
const user = async (claims: Record<string, unknown>): Promise<Identity> =>
  verifier.verify(await issuer.token(claims));

type Name = 'invoices:read' | 'invoices:write' | 'invoices:delete';

/** What a caller may do of the table. */
function granted(identity: Identity, by = permissions): Name[] {
  const names: Name[] = ['invoices:read', 'invoices:write', 'invoices:delete'];
  return names.filter((name) => refusalOf(() => authorize(identity, name, by)) === undefined);
}

function refusalOf(check: () => void): AccessError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(AccessError);
    return error as AccessError;
  }
}

describe('the token of a service account', () => {
  it('says so, with its base role and its scope', async () => {
    const scoped = await serviceAccount({ name: 'Nightly export', base: 'admin', scope: 'a:read b:read' });
    expect(scoped).toMatchObject({
      kind: 'service',
      name: 'Nightly export',
      email: '',
      role: 'scoped',
      baseRole: 'admin',
      scope: ['a:read', 'b:read'],
      factors: [],
      level: 'aal1',
      authenticatedAt: null,
      binding: null,
    });
    expect(Object.isFrozen(scoped.scope)).toBe(true);
    expect(await serviceAccount()).toMatchObject({ baseRole: 'member', scope: '*' });
  });

  it('is told from that of a user, which has neither', async () => {
    const none = { kind: 'user', baseRole: null, scope: null };
    expect(await user({})).toMatchObject(none);
    expect(await user({ kind: 'user', role: 'owner' })).toMatchObject({ ...none, role: 'owner' });
    expect(await user({ kind: null })).toMatchObject(none);
  });

  it('is revoked as a session and a membership are, by the key and by the account [S-101]', async () => {
    const [sub, organizationId] = ['account', 'organization'];
    const [deleted, lowered] = await Promise.all(
      ['key-1', 'key-2'].map((sid) => issuer.serviceToken({ sub, sid, organizationId })),
    );
    const until = Math.floor(Date.now() / 1000) + 900;
    issuer.revoke({ kind: 'session', sid: 'key-1', until });
    await expect(verifier.verify(deleted ?? '')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
    await verifier.verify(lowered ?? '');
    issuer.revoke({ kind: 'member', sub, organizationId, issuedBefore: until, until });
    await expect(verifier.verify(lowered ?? '')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
  });
});

describe('a permission of a service account', () => {
  it('is held by its base role and by its scope [S-96]', async () => {
    expect(granted(await serviceAccount({ base: 'member', scope: 'invoices:read' }))).toEqual([
      'invoices:read',
    ]);
    expect(granted(await serviceAccount({ base: 'member', scope: '*' }))).toEqual(['invoices:read']);
    expect(granted(await serviceAccount({ base: 'member', scope: 'invoices:write' }))).toEqual([]);
    expect(granted(await serviceAccount({ base: 'member', scope: 'invoices:read invoices:write' }))).toEqual([
      'invoices:read',
    ]);
    // The table has no permissions for admins.
    expect(granted(await serviceAccount({ base: 'admin', scope: '*' }))).toEqual([]);
  });

  it.each(['invoices', 'invoices:', 'invoices:rea', 'invoices:read2', 'INVOICES:READ', 'toString'])(
    'is named as a whole: the scope %j has none of them [S-96]',
    async (scope) => {
      expect(granted(await serviceAccount({ scope }))).toEqual([]);
    },
  );

  it('is refused with 403, and says of whom', async () => {
    const key = await serviceAccount({ scope: 'invoices:read' });
    expect(refusalOf(() => authorize(key, 'invoices:delete', permissions))).toMatchObject({
      code: 'FORBIDDEN',
      statusCode: 403,
      message: 'This needs the permission invoices:delete, which this key does not have.',
      headers: { 'www-authenticate': expect.stringContaining('error="insufficient_scope"') as string },
    });
  });

  it('goes by a rule in code only once its scope has it [S-96]', async () => {
    const asked: unknown[] = [];
    const rule = (holder: Member, permission: Name) => {
      asked.push([holder.baseRole, permission]);
      return true;
    };
    const key = await serviceAccount({ base: 'admin', scope: 'invoices:read' });
    expect(refusalOf(() => authorize(key, 'invoices:read', rule))).toBeUndefined();
    expect(refusalOf(() => authorize(key, 'invoices:write', rule))?.code).toBe('FORBIDDEN');
    expect(asked).toEqual([['admin', 'invoices:read']]);
    expect(refusalOf(() => authorize(key, 'invoices:read', () => false))?.code).toBe('FORBIDDEN');
  });

  it('is asked of an identity by can(), and never of the role that its token names [S-103]', async () => {
    const key = await serviceAccount({ scope: 'invoices:read' });
    expect(can(key, 'invoices:read', permissions)).toBe(true);
    expect(can(key, 'invoices:write', permissions)).toBe(false);
    expect(can(await serviceAccount({ scope: 'invoices:write' }), 'invoices:read', permissions)).toBe(false);
    expect(can(key.role, 'invoices:read', permissions)).toBe(false);
    expect(can(await user({ role: 'owner' }), 'invoices:write', permissions)).toBe(true);
    expect(can(await user({ role: 'member' }), 'invoices:write', permissions)).toBe(false);
    expect(can(await user({ role: null }), 'invoices:read', permissions)).toBe(false);
    expect(can(await user({ organizationId: null }), 'invoices:read', permissions)).toBe(false);
  });

  it('needs an organization', async () => {
    const nowhere = await serviceAccount({ organizationId: null });
    expect(refusalOf(() => authorize(nowhere, 'invoices:read', permissions))?.code).toBe(
      'NO_ACTIVE_ORGANIZATION',
    );
  });

  it('is none for verifiers that only know roles: none has the role "scoped" [S-103]', async () => {
    const { role } = await serviceAccount({ base: 'admin', scope: '*' });
    const formerRule = (table: Readonly<Record<string, readonly string[]>>, permission: string) =>
      role !== null && Object.hasOwn(table, role) && table[role]?.includes(permission) === true;
    for (const permission of permissions['owner'] ?? []) {
      expect(formerRule(permissions, permission)).toBe(false);
    }
  });
});

describe('a user whose token names the role, base or scope of a key', () => {
  it('has nothing by it [S-97]', async () => {
    const table = { ...permissions, scoped: permissions['owner'] ?? [] };
    const claims = { base: 'owner', scope: '*' };
    expect(granted(await user({ ...claims, role: 'scoped' }))).toEqual([]);
    expect(granted(await user({ ...claims, role: 'scoped' }), table)).toEqual([]);
    expect(can('scoped', 'invoices:read', table)).toBe(false);
    expect(granted(await user({ ...claims, kind: 'user', role: 'scoped' }))).toEqual([]);
    expect(granted(await user({ ...claims, role: 'member' }))).toEqual(['invoices:read']);
    expect(granted(await user({ ...claims, role: null }))).toEqual([]);
  });
});

describe('what only a user can do [S-97]', () => {
  const refused = {
    code: 'USER_REQUIRED',
    statusCode: 403,
    message: 'This needs a signed-in user: a key of a service account cannot do it.',
    headers: {},
    expose: true,
  };

  it('is refused to a key by requireUser', async () => {
    const owner = await user({ role: 'owner' });
    expect(refusalOf(() => requireUser(owner))).toBeUndefined();
    const key = await serviceAccount({ base: 'admin' });
    expect(refusalOf(() => requireUser(key))).toMatchObject(refused);
    expect(() => requireUser({} as Identity)).toThrow(/This is no identity/);
  });

  it.each([
    ['as issued', {}],
    ['that claims a factor', { amr: ['pwd', 'otp'], acr: 'aal2', auth_time: Math.floor(Date.now() / 1000) }],
    ['that claims a password', { amr: ['pwd'], acr: 'aal1', auth_time: Math.floor(Date.now() / 1000) }],
  ])(
    'is whatever needs a recent factor: a key %s has none, and no sign-in gives it one',
    async (_name, claims) => {
      const key = await serviceAccount({ base: 'admin', ...claims });
      for (const withoutSecondFactor of ['password', 'role'] as const) {
        const check = () => requireRecentFactor(key, { maxAgeSeconds: 300, withoutSecondFactor });
        expect(refusalOf(check)).toMatchObject(refused);
      }
    },
  );
});
