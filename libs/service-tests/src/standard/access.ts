import { randomUUID } from 'node:crypto';
import { permissions } from '@tenantry/contracts';
import { expect, it } from 'vitest';
import { refusal } from '../callers.ts';
import type { Standing } from './standing.ts';

/** Who may call an operation is decided before anything else is looked at. */
export function accessTests(standing: () => Standing): void {
  const permitted = () => standing().operations.filter(({ access }) => access.includes(':'));

  it('refuses a request without a token, with a broken or an expired one', async () => {
    const { running, operations } = standing();
    const expired = await running.issuer.token({ iat: 1_700_000_000, exp: 1_700_000_900 });
    for (const { method, url, access } of operations) {
      if (access === 'public') continue;
      for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi', `Bearer ${expired}`]) {
        const answer = await running.caller(authorization).send(method, url);
        expect(refusal(answer)).toEqual({ status: 401, data: null, code: 'UNAUTHENTICATED', fields: [] });
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
    }
  });

  it('refuses a role without the permission', async () => {
    const guest = await standing().running.member({ role: 'guest' });
    for (const { method, url } of permitted()) {
      const refused = refusal(await guest.send(method, url));
      expect(refused, `${method} ${url}`).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
  });

  it('lets a key do what its base role and its scope have, and nothing else [S-98]', async () => {
    const { running } = standing();
    for (const { method, url, access } of permitted()) {
      const isLetIn = async (base: string, scope: string) => {
        const key = await running.serviceAccount({ base, scope });
        const { status, body } = await key.send(method, url);
        expect(status, `${method} ${url} of ${base} with ${scope}`).not.toBe(401);
        return !(status === 403 && body.error.code === 'FORBIDDEN');
      };
      const has = (role: 'member' | 'admin') => permissions[role].some((name) => name === access);
      const letIn = {
        whole: await isLetIn('admin', '*'),
        scoped: await isLetIn('admin', access),
        member: await isLetIn('member', access),
        otherScope: await isLetIn('admin', `${access}s`),
        otherRole: await isLetIn('guest', access),
      };
      expect(letIn, `${method} ${url}`).toEqual({
        ...{ whole: has('admin'), scoped: has('admin'), member: has('member') },
        ...{ otherScope: false, otherRole: false },
      });
    }
  });

  it('refuses a token without an active organization', async () => {
    const { running } = standing();
    const token = await running.issuer.token({ organizationId: undefined, role: undefined });
    for (const { method, url } of permitted()) {
      const refused = refusal(await running.caller(`Bearer ${token}`).send(method, url));
      expect(refused, `${method} ${url}`).toMatchObject({ status: 403, code: 'NO_ACTIVE_ORGANIZATION' });
    }
  });

  it('refuses a request that means another organization than its token, before it looks at anything else [S-134]', async () => {
    const { running } = standing();
    const member = await running.member({ role: 'owner' });
    for (const { method, url } of permitted()) {
      const means = (organization: string) =>
        member.send(method, url, { headers: { 'expected-organization': organization } });
      const other = refusal(await means(randomUUID()));
      expect(other, `${method} ${url}`).toMatchObject({ status: 409, code: 'ORGANIZATION_CHANGED' });
      const own = await means(member.organizationId.toUpperCase());
      expect(JSON.stringify(own.body), `${method} ${url}`).not.toContain('ORGANIZATION_CHANGED');
      const none = refusal(await means('none'));
      expect(none, `${method} ${url}`).toMatchObject({ status: 400 });
      expect(none.fields, `${method} ${url}`).toContain('expected-organization');
    }
    expect(/ORGANIZATION_CHANGED.*do not declare/.test(running.logs())).toBe(false);
  });
}
