import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyboard } from './console/hands.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import type { Tenant } from './matrix/people.ts';

// How a program gets its access in the console, and loses it, with the real services.

describe.skipIf(!hasBrowser)('keys in the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
  });
  afterAll(() => stack.stop());

  const press = (page: Page, role: 'button' | 'link', name: string): Promise<void> =>
    keyboard.press(page.getByRole(role, { name, exact: true }));

  const type = async (page: Page, label: string, text: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  const statusOf = async (path: string, key: string): Promise<number> =>
    (await fetch(`${stack.origin}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

  it('a program gets a key by keyboard alone, uses it, and is refused once it is deleted', async () => {
    const [visitor, page] = await stack.signedIn(team.admin, '/organization/security');
    await heading(page, 'Organization');
    await press(page, 'link', 'Service accounts and keys');
    await heading(page, 'No program has access yet');

    await press(page, 'button', 'New service account');
    await type(page, 'Name', 'Website form');
    await page.locator('h2:focus', { hasText: 'Website form' }).waitFor();
    await press(page, 'button', 'New key for Website form');
    await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Server in Uppsala');
    // Not everything, but what is chosen: the first of all.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByLabel('Read leads', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy key' }).and(page.locator(':focus')).waitFor();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(await page.getByLabel('Try it in a terminal').inputValue()).toBe(
      `curl "${stack.origin}/api/leads" -H "Authorization: Bearer ${key}"`,
    );
    await page.keyboard.press('Escape');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(`ends in ${key.slice(-4)}`).waitFor();
    await page.getByText('Read leads').waitFor();

    expect(await statusOf('/api/leads', key)).toBe(200);
    expect(await statusOf('/api/users', key)).toBe(403);

    await press(page, 'button', 'Delete the key Server in Uppsala');
    await press(page, 'button', 'Delete key');
    await page.getByText('No keys: no program can use this account yet.').waitFor();
    await expect.poll(() => statusOf('/api/leads', key)).toBe(401);
    await expectNothingElse(visitor);
  });
});
