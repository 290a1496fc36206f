import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
import { clock, forge, good, matrix, serviceClaims, type Mutation } from './mutations.ts';
import { services, type RunningService } from './services.ts';

const { nowSeconds } = forge;
let verifier: Verifier;
beforeAll(() => {
  const { issuer, jwks } = forge;
  verifier = createVerifier({ issuer, jwks, revocations: false, logger: { warn: () => undefined }, clock });
});
afterAll(() => verifier.close());

/** Whether a token can be sent as it is: some characters are not for headers, and blanks at the end are dropped. */
function isSendable([, token]: Mutation): boolean {
  try {
    return new Headers({ authorization: `Bearer ${token}` }).get('authorization') !== `Bearer ${good}`;
  } catch {
    return false;
  }
}
const mutations = Object.values(matrix).flat();

describe.each(Object.entries(services))('%s', (_name, start) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await start(verifier);
  });
  afterAll(() => service.close());

  const as = (token: string, method = 'GET') => ({ method, headers: { authorization: `Bearer ${token}` } });
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

  it('lets anyone call what is public, and no one else what is not [S-85]', async () => {
    expect(await (await service.send('/public')).json()).toEqual({ identity: null });
    for (const path of ['/me', '/invoices']) {
      const refused = await service.send(path);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await codeOf(refused)).toBe('UNAUTHENTICATED');
    }
  });

  it('says who calls, and in which organization', async () => {
    const me = await service.send('/me', as(good));
    expect(await me.json()).toEqual({ userId: forge.claims['sub'] });
    const invoices = await service.send('/invoices', as(good));
    expect(await invoices.json()).toEqual({ organizationId: forge.claims['organizationId'] });
  });

  it('goes by permissions of its own', async () => {
    const owner = forge.token({ role: 'owner' });
    expect(await (await service.send('/invoices', as(owner, 'DELETE'))).json()).toEqual({ deleted: true });
    for (const role of ['member', 'admin', 'constructor', null]) {
      const refused = await service.send('/invoices', as(forge.token({ role }), 'DELETE'));
      expect([refused.status, await codeOf(refused)]).toEqual([403, 'FORBIDDEN']);
      expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
    const nowhere = forge.token({ role: 'owner', organizationId: null });
    const refused = await service.send('/invoices', as(nowhere));
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'NO_ACTIVE_ORGANIZATION']);
    expect((await service.send('/me', as(nowhere))).status).toBe(200);
  });

  it('answers every refusal in one shape, with its reason', async () => {
    const now = { iat: nowSeconds - 900, exp: nowSeconds - 100 };
    const refusals = [
      [await service.send('/me'), { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' }],
      [await service.send('/me', as(forge.token(now))), { code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' }],
      [await service.send('/invoices', as(forge.token({ role: 'admin' }))), { code: 'FORBIDDEN' }],
    ] as const;
    for (const [response, expected] of refusals) {
      expect(response.headers.get('content-type')).toContain('application/json');
      const { message, ...rest } = (await response.json()) as { message: string };
      expect([rest, typeof message]).toEqual([expected, 'string']);
    }
  });

  it('asks for a recent authentication, after the permission', async () => {
    const old = { auth_time: nowSeconds - 301 };
    const owner = await service.send('/invoices', as(forge.token({ role: 'owner', ...old }), 'DELETE'));
    expect([owner.status, await codeOf(owner)]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    expect(owner.headers.get('www-authenticate')).toContain('max_age="300"');
    const member = await service.send('/invoices', as(forge.token({ role: 'member', ...old }), 'DELETE'));
    expect(member.status).toBe(403);
  });

  it('lets a key do what its base role and its scope have, and nothing that needs a user [S-96]', async () => {
    const key = (changed: object) =>
      forge.token({ ...serviceClaims, base: 'manager', scope: '*', ...changed });
    const answer = async (token: string, method = 'GET', path = '/invoices') => {
      const response = await service.send(path, as(token, method));
      return response.ok ? 'let in' : [response.status, await codeOf(response)];
    };
    expect(await answer(key({}))).toBe('let in');
    expect(await answer(key({}), 'POST')).toBe('let in');
    const reading = key({ scope: 'invoices:read' });
    expect(await answer(reading)).toBe('let in');
    expect(await answer(reading, 'POST')).toEqual([403, 'FORBIDDEN']);
    expect(await answer(key({ base: 'member' }), 'POST')).toEqual([403, 'FORBIDDEN']);
    expect(await answer(key({ auth_time: nowSeconds }), 'DELETE')).toEqual([403, 'USER_REQUIRED']);
    expect(await answer(key({}), 'GET', '/me')).toEqual([403, 'USER_REQUIRED']);
  });

  it('answers an unknown path with an error', async () => {
    expect((await service.send('/unknown')).status).toBeGreaterThanOrEqual(400);
  });

  it('refuses every mutated token [S-85]', async () => {
    for (const [name, token] of mutations.filter(isSendable)) {
      const response = await service.send('/me', as(token));
      expect([name, response.status, await codeOf(response)]).toEqual([name, 401, 'UNAUTHENTICATED']);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
});

describe('the mutations that no client can send', () => {
  it('are few', () => {
    const unsendable = mutations.filter((mutation) => !isSendable(mutation)).map(([name]) => name);
    expect(unsendable).toEqual([
      'a line break after',
      'a line break within, signed',
      'a NUL within',
      'a full-width letter',
    ]);
  });
});
