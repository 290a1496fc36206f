import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdAnswers } from './console/connection.ts';
import { keyboard, tabTo } from './console/hands.ts';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import { newEmail, type Person, type Tenant } from './matrix/people.ts';

// What happens to a page while it is open, and what each role is shown, with the real services.

describe.skipIf(!hasBrowser)('pages of the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;
  let leadId: string;
  let quoteId: string;
  let lineText: () => Promise<string | undefined>;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
    leadId = await create('/leads', { name: 'Karin Åström', email: newEmail() }, team.owner);
    quoteId = await create('/quotation/quotes', { ...quote, customerId: leadId }, team.owner);
    const packages = `/quotation/quotes/${quoteId}/work-packages`;
    const packageId = await create(packages, { name: 'Work' }, team.owner);
    const tiles = { description: 'Tiles', quantity: 10, unit: 'pcs', unitPrice: 12.5 };
    await create(`${packages}/${packageId}/items`, tiles, team.owner);
    lineText = async () => (await read(quoteId)).workPackages[0]?.items[0]?.description;
  });
  afterAll(() => stack.stop());

  const quote = { customerName: 'Karin Åström', title: 'New roof', currency: 'EUR', vatRate: 25 };
  const create = async (path: string, body: object, by: Person) =>
    (await stack.api.call<{ data: { id: string } }>(`POST /api${path}`, body, by)).data.id;
  const read = async (id: string) =>
    (await stack.api.call<{ data: ReadQuote }>(`GET /api/quotation/quotes/${id}`, undefined, team.owner))
      .data;

  it('work without a connection: what was seen is readable, what is typed is kept, and sent by itself', async () => {
    const [visitor, page] = await stack.signedIn(team.owner, '/leads');
    const lead = page.getByRole('link', { name: 'Karin Åström' });
    const quoteLink = page.getByRole('link', { name: 'New roof' });
    await lead.waitFor();
    await page.getByRole('link', { name: 'Quotes', exact: true }).click();
    await quoteLink.waitFor();
    await visitor.context.setOffline(true);
    await page.getByText('You are offline. You can still read what is open.').waitFor();
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await lead.waitFor();
    await page.goBack();
    await quoteLink.waitFor();

    await visitor.context.setOffline(false);
    await quoteLink.click();
    await page.getByLabel('Description, line 1').waitFor();
    await visitor.context.setOffline(true);
    await page.getByLabel('Description, line 1').fill('Tiles of slate');
    await page.getByRole('status').getByText('Not saved', { exact: true }).waitFor();
    expect(await lineText()).toBe('Tiles');

    await visitor.context.setOffline(false);
    await page.locator('main').getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await lineText()).toBe('Tiles of slate');
    await expectNothingElse(visitor);
  });

  it('ask before Back, or closing the tab, loses what was typed', async () => {
    const [visitor, page] = await stack.signedIn(team.owner, '/quotes');
    const title = page.getByLabel('Title', { exact: true });
    const question = page.getByRole('dialog', { name: 'You have unsaved changes' });
    await page.getByRole('link', { name: 'New quote' }).first().click();
    await heading(page, 'New quote');
    await title.click();
    await page.keyboard.type('Gutters');
    await page.goBack();
    await press(page, 'Stay');
    await question.waitFor({ state: 'detached' });
    expect(await title.inputValue()).toBe('Gutters');
    expect(new URL(page.url()).pathname).toBe('/quotes/new');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const warning = await asked;
    expect(warning.type()).toBe('beforeunload');
    await warning.dismiss();
    expect(await title.inputValue()).toBe('Gutters');

    await page.goBack();
    await press(page, 'Leave without saving');
    await heading(page, 'Quotes');
    expect(new URL(page.url()).pathname).toBe('/quotes');
    page.on('dialog', () => visitor.faults.push('nothing is lost any more'));
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    await expectNothingElse(visitor);
  });

  it('keep what was typed when the session is ended elsewhere, and send it after signing in again', async () => {
    const person = await stack.api.signUp();
    const [visitor, page] = await stack.signedIn(person, '/leads/new');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Grace Hopper');
    await page.getByLabel('E-mail', { exact: true }).fill('grace@customers.example');

    const [elsewhere, account] = await stack.signedIn(person, '/account/security');
    await press(account, 'End all others');
    await account.getByText(/sessions? (was|were) ended\.$/).waitFor();
    await expectNothingElse(elsewhere);

    await isRefused(page, '/api/leads');
    await press(page, 'Create lead');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByText(`Sign in again as ${person.email}`).waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Grace Hopper');
    await press(page, 'Create lead');
    await heading(page, 'Grace Hopper');
    await page.getByRole('link', { name: 'grace@customers.example' }).waitFor();
    await visitor.leave();
    expect(visitor.faults).toEqual([]);
    expect(new Set(visitor.refusals.map((refusal) => refusal.slice(0, 3)))).toEqual(new Set(['401']));
  });

  it('show nothing of another organization, and no refusal as an empty list, by keyboard alone', async () => {
    const other = await stack.api.newTenant();
    const person = await stack.api.signUp();
    const { token } = await other.invite(person.email);
    await stack.api.call('POST /api/auth/invitations/accept', { token }, person);
    await fill(person, person.organizationId, 'First');
    await fill(other.owner, other.organizationId, 'Second');
    const [visitor, page] = await stack.signedIn(person, '/leads');
    await page.getByRole('link', { name: 'Lead of the First' }).waitFor();
    const second = await visitor.open('/quotes');
    await second.getByRole('link', { name: 'Roof of the First' }).waitFor();

    // What was asked for in the first organization is answered when the second is active.
    const held = await holdAnswers(page, '**/api/leads?*');
    await page.keyboard.press('/');
    await page.keyboard.type('First');
    await held.hasHeld;
    await switchTo(page, 'Second');
    await page.getByRole('button', { name: 'Organization: Second' }).waitFor();
    await heading(page, 'Welcome, Robin');
    const shown = await watchFor(page, 'of the First');
    await held.release();
    await goTo(page, 'l');
    await page.getByRole('link', { name: 'Lead of the Second' }).waitFor();
    await page.getByText('1 lead', { exact: true }).waitFor();

    const dialog = second.getByRole('dialog', { name: 'You changed organization in another tab' });
    await dialog.waitFor();
    expect(await second.getByRole('link', { name: 'Roof of the First' }).isVisible()).toBe(false);
    await keyboard.press(dialog.getByRole('button', { name: 'Continue in the new one' }));
    await heading(second, 'Welcome, Robin');
    await goTo(second, 'q');
    await second.getByRole('link', { name: 'Roof of the Second' }).waitFor();
    expect(await second.getByText('of the First').count()).toBe(0);
    await second.close();

    // A former member is told so.
    const membership = `/api/auth/organization/${other.organizationId}/members/${person.id}` as const;
    await stack.api.call(`DELETE ${membership}`, undefined, other.owner);
    await isRefused(page, '/api/quotation/quotes');
    await goTo(page, 'q');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    expect(await page.getByRole('heading', { name: 'No quotes yet' }).count()).toBe(0);
    expect(await shown()).toEqual([]);
    const shownAgain = await watchFor(page, 'of the Second');
    await tabTo(ended.getByLabel('Password', { exact: true }));
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Organization: First' }).waitFor();
    await goTo(page, 'q');
    await page.getByRole('link', { name: 'Roof of the First' }).waitFor();
    expect(await shownAgain()).toEqual([]);
    await visitor.leave();
    expect(visitor.faults).toEqual([]);
  });

  /** Names an organization, and gives it a lead and a quote of that name. */
  async function fill(by: Person, organizationId: string, name: string): Promise<void> {
    await stack.api.call(`PATCH /api/auth/organization/${organizationId}`, { name }, by);
    await create('/leads', { name: `Lead of the ${name}`, email: newEmail() }, by);
    const customerId = crypto.randomUUID();
    await create('/quotation/quotes', { ...quote, customerId, title: `Roof of the ${name}` }, by);
  }

  it.concurrent.each(['owner', 'admin', 'member'] as const)(
    'are walked as %s without a refusal',
    async (role) => {
      const [visitor, page] = await stack.signedIn(team[role], '/');
      const ownMenu = page.getByRole('button', { name: 'Robin: account and sign-out' });
      await ownMenu.waitFor();
      for (const path of await paths()) {
        await page.goto(stack.origin + path);
        // Somebody who is signed out is refused nothing either.
        await ownMenu.waitFor();
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
      }
      await expectNothingElse(visitor);
    },
  );

  /** Every address of the console, of what there is. */
  async function paths(): Promise<string[]> {
    const table = await readFile(join(workspaceRoot, 'apps/console/src/pages.tsx'), 'utf8');
    const found = Array.from(table.matchAll(/ path: '([^']+)'/g), ([, path = '']) => path);
    expect(found.length).toBeGreaterThan(20);
    return found.flatMap((path) => {
      const id = path.startsWith('/quotes') ? quoteId : leadId;
      const one = path.replace(/\{?-?\$id\}?/, id);
      return path.includes('{-') ? [path.replace(/\/\{-.*/, ''), one] : [one];
    });
  }
});

interface ReadQuote {
  readonly workPackages: readonly { readonly items: readonly { readonly description: string }[] }[];
}

/** Two keys, one after the other, lead to a page: `g` and `l` to leads. */
async function goTo(page: Page, key: string): Promise<void> {
  // Both are on their way at once, as the second must not come too late.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
}

/** Waits until a service has heard that the session of a page is over. */
async function isRefused(page: Page, path: string): Promise<void> {
  await expect.poll(() => page.evaluate(`fetch('${path}').then(({ status }) => status)`)).toBe(401);
}

/** Makes an organization the active one. */
async function switchTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.locator('dialog[open] input:focus').waitFor();
  await page.keyboard.type(`Switch to ${name}`);
  await page.locator('[role=option][aria-selected=true]', { hasText: `Switch to ${name}` }).waitFor();
  await page.keyboard.press('Enter');
}

/** Notes from now on what a page shows while some words are among it, however short. @returns what gives the notes */
async function watchFor(page: Page, words: string): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    window.noting?.disconnect();
    window.noted = [];
    const note = () => {
      if (document.body.innerText.includes(${JSON.stringify(words)})) noted.push(document.body.innerText);
    };
    note();
    window.noting = new MutationObserver(note);
    noting.observe(document.body, { childList: true, characterData: true, subtree: true });
  `);
  return () => page.evaluate('noted');
}
