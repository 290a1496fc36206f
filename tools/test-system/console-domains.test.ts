import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyboard } from './console/hands.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import { addRecord } from './matrix/name-server.ts';
import type { Tenant } from './matrix/people.ts';

// How an organization proves its domain in the console, and a colleague joins by it, with the real services and a name server.

describe.skipIf(!hasBrowser)('domains in the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
  });
  afterAll(() => stack.stop());

  const press = (page: Page, role: 'button' | 'link', name: string): Promise<void> =>
    keyboard.press(page.getByRole(role, { name, exact: true }));

  it('an owner proves one by keyboard alone, lets people join, and a colleague does', async () => {
    const domain = `acme-${randomUUID()}.example`;
    const [visitor, page] = await stack.signedIn(team.owner, '/organization');
    await heading(page, 'Organization');
    await press(page, 'link', 'Domains and single sign-on');
    await heading(page, 'Domains and single sign-on');
    await keyboard.enter(page.getByLabel('Domain', { exact: true }));
    await page.keyboard.type(domain.toUpperCase());
    await page.keyboard.press('Enter');
    await page.locator('h2:focus', { hasText: `${domain} Not proven` }).waitFor();

    await press(page, 'button', `Check now: ${domain}`);
    await page.getByRole('alert').filter({ hasText: 'The record was not found.' }).waitFor();
    const value =
      (await page
        .locator('dd')
        .filter({ hasText: /^[\w-]{43}$/ })
        .textContent()) ?? '';
    await addRecord(stack.services.zoneDirectory, { name: `_tenantry-challenge.${domain}`, value });
    await press(page, 'button', `Check now: ${domain}`);
    await page.getByRole('heading', { name: `${domain} Proven` }).waitFor();

    const joins = page.getByLabel(`Anyone with a confirmed address in ${domain} may join as a member`);
    await keyboard.enter(joins);
    await page.keyboard.press('Space');
    await page.getByText(`People with an address in ${domain} may join now.`).waitFor();
    const refused = '409 POST /api/auth/organization/*/domains/*/verify';
    expect(visitor.refusals.map((each) => each.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*'))).toEqual([
      refused,
    ]);
    await expectNothingElse(visitor, visitor.refusals);

    const colleague = await stack.api.signUp({ email: `robin@${domain}` });
    const [early, before] = await stack.signedIn(colleague, '/');
    await heading(before, 'Welcome, Robin');
    expect(await before.getByRole('button', { name: 'Join', exact: true }).count()).toBe(0);
    await expectNothingElse(early);

    await stack.api.confirm(colleague);
    const [later, home] = await stack.signedIn(colleague, '/');
    await press(home, 'button', 'Join');
    await home.getByRole('button', { name: 'Join', exact: true }).waitFor({ state: 'detached' });
    const { members } = await stack.api.call<{ members: readonly { email: string; role: string }[] }>(
      `GET /api/auth/organization/${team.organizationId}/members`,
      undefined,
      team.owner,
    );
    expect(members.find(({ email }) => email === colleague.email)?.role).toBe('member');
    await expectNothingElse(later);
  });
});
