import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { jwtAccess, recheck, refusal } from '@tenantry/jwt-verify/web';
import { permissions } from './permissions.ts';

const issuer = await createTestIssuer();
const access = jwtAccess(issuer.verifier(), { permissions });
afterAll(() => issuer.close());

const authorization = async (claims = {}) => ({ authorization: `Bearer ${await issuer.token(claims)}` });

describe('a protected handler', () => {
  it('gets the request, who calls, and whatever else its platform passes', async () => {
    const handle = access.protect((request: Request, { userId }, context: { readonly region: string }) =>
      Response.json({ url: request.url, userId, ...context }),
    );
    const request = new Request('http://service.test/a', { headers: await authorization({ sub: 'u' }) });
    expect(await (await handle(request, { region: 'oslo' })).json()).toEqual({
      url: 'http://service.test/a',
      userId: 'u',
      region: 'oslo',
    });
  });

  it('answers refusals, and no other error', async () => {
    const broken = access.protect(async () => {
      throw new Error('broken');
    });
    const refused = await broken(new Request('http://service.test/'));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/json']);
    const request = new Request('http://service.test/', { headers: await authorization() });
    await expect(broken(request)).rejects.toThrow('broken');
    expect(() => refusal('text')).toThrow('text');
  });
});

describe('headers alone', () => {
  it('are enough to say who calls', async () => {
    const headers = new Headers(await authorization({ sub: 'u', organizationId: 'o' }));
    expect(await access.signedIn(headers)).toMatchObject({ userId: 'u' });
    expect((await access.requires('invoices:read')(headers)).organizationId).toBe('o');
    await expect(access.signedIn(new Headers())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('count as a write while revocations are stale, as they name no method', async () => {
    const stale = jwtAccess(issuer.verifier({ revocations: 'http://127.0.0.1:1/feed', background: true }));
    const headers = await authorization();
    await expect(stale.signedIn(new Request('http://service.test/', { headers }))).resolves.toBeDefined();
    await expect(stale.signedIn(new Headers(headers))).rejects.toMatchObject({ statusCode: 503 });
  });
});

describe('a body that is whole only when the session has ended', () => {
  const sid = 'session-1';
  const admitted = async () => {
    const own = await createTestIssuer();
    onTestFinished(() => own.close());
    const request = new Request('http://service.test/', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await own.token({ sid })}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: '1',
    });
    await jwtAccess(own.verifier()).signedIn(request);
    const end = () => own.revoke({ kind: 'session', sid, until: Math.floor(Date.now() / 1_000) + 900 });
    return { request, end };
  };
  const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

  it.each(readers.filter((name) => name in Request.prototype))('is refused by %s() [S-141]', async (name) => {
    expect(await (await admitted()).request[name]()).toBeDefined();
    const { request, end } = await admitted();
    end();
    await expect(request[name]()).rejects.toMatchObject({ statusCode: 401, reason: 'TOKEN_REVOKED' });
  });

  it('is refused by `recheck`, if it is read as a stream', async () => {
    const { request, end } = await admitted();
    end();
    for await (const piece of request.body ?? []) expect(piece).toBeDefined();
    await expect(recheck(request)).rejects.toMatchObject({ statusCode: 401, reason: 'TOKEN_REVOKED' });
  });

  it('fails as it does without a check, if it cannot be read', async () => {
    const { request } = await admitted();
    await request.text();
    await expect(request.text()).rejects.toThrow(TypeError);
  });
});

it('headers alone are asked again by `recheck`', async () => {
  const own = await createTestIssuer();
  onTestFinished(() => own.close());
  const headers = new Headers({ authorization: `Bearer ${await own.token({ sid: 'session-1' })}` });
  await jwtAccess(own.verifier()).signedIn(headers);
  own.revoke({ kind: 'session', sid: 'session-1', until: Math.floor(Date.now() / 1_000) + 900 });
  await expect(recheck(headers)).rejects.toMatchObject({ statusCode: 401 });
});

describe('a check', () => {
  it('of a permission gives the member, or refuses', async () => {
    const deletesInvoices = access.requires('invoices:delete');
    const request = async (claims: object) =>
      new Request('http://service.test/', { headers: await authorization(claims) });
    expect(await deletesInvoices(await request({ role: 'owner', organizationId: 'o' }))).toMatchObject({
      organizationId: 'o',
    });
    await expect(deletesInvoices(await request({ role: 'member' }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(deletesInvoices(await request({ organizationId: null }))).rejects.toMatchObject({
      code: 'NO_ACTIVE_ORGANIZATION',
    });
    expect(() => access.requires('invoices:delet' as 'invoices:delete')).toThrow('No permission');
  });
});

it('a request that has a header named "get" is not mistaken for headers of the web', async () => {
  const { authenticate } = await import('@tenantry/jwt-verify');
  const headers = { ...(await authorization({ sub: 'u' })), get: 'x' };
  await expect(authenticate(issuer.verifier(), { headers })).resolves.toMatchObject({ userId: 'u' });
});
