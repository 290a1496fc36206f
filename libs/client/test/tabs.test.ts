import { describe, expect, it, vi } from 'vitest';
import { createTenantry, type PageOptions } from '@tenantry/client';
import { FakeApi, pagesOf } from './support/fake-api.ts';

/** Two tabs of one browser: they share the cookies, and so the session. */
function tabs(options: PageOptions = {}) {
  const api = new FakeApi();
  const baseUrl = `http://${crypto.randomUUID()}.example`;
  const open = (handlers: PageOptions = {}) => createTenantry({ baseUrl, fetch: api.fetch, ...handlers });
  return { api, one: open(), other: open(options) };
}

describe.skipIf(typeof document === 'undefined')('two tabs', () => {
  it('renew their session one after the other, so that the second finds it renewed', async () => {
    const { api, one, other } = tabs();
    api.on('GET /api/leads', pagesOf(1));
    api.standing.isExpired = true;
    await Promise.all([one.listLeads(), other.listLeads(), one.listUsers().catch(() => undefined)]);
    expect(api.requests('POST /api/auth/refresh')).toHaveLength(1);
  });

  it('are told of a sign-out, a switch and a sign-in in each other', async () => {
    const heard = { onSignedOut: vi.fn(), onOrganizationChanged: vi.fn(), onSignedIn: vi.fn() };
    const { api, one, other } = tabs(heard);
    await Promise.all([one.getStart(), other.getStart()]);
    api.on('POST /api/auth/organization/switch', () => ({ body: { session: api.renew() } }));
    await one.switchOrganization({ body: { organizationId: 'looms' } });
    await expect.poll(() => heard.onOrganizationChanged).toHaveBeenCalledTimes(1);
    await one.signOut();
    await expect.poll(() => heard.onSignedOut.mock.calls).toEqual([['SIGNED_OUT']]);
    await one.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
    await expect.poll(() => heard.onSignedIn).toHaveBeenCalledTimes(1);
  });

  it('of two addresses know nothing of each other', async () => {
    const onSignedOut = vi.fn();
    const [mine, theirs] = [tabs(), tabs({ onSignedOut })];
    await theirs.other.getStart();
    await mine.one.signOut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(onSignedOut).not.toHaveBeenCalled();
  });
});
