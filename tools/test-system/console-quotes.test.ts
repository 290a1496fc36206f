import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Effort } from './console/effort.ts';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import { mailedLink } from './matrix/mailbox.ts';
import { newEmail, newPassword } from './matrix/people.ts';

// From a sign-up to a quote that a customer has accepted, with the real services.

const seconds = 1_000;

describe.skipIf(!hasBrowser)('quotes in the console', { timeout: 180 * seconds }, () => {
  let stack: ConsoleStack;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
  }, 240 * seconds);
  afterAll(() => stack.stop());

  const mailed = (to: string, path: RegExp) => mailedLink(stack.services.mailDirectory, to, path);

  /** Types texts one after the other, with Tab in between. */
  async function type(page: Page, ...texts: readonly string[]): Promise<void> {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
  }
  const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();

  it('lead from sign-up to acceptance in 40 clicks and keys, and 60 requests', async () => {
    const [seller, customer] = [newEmail(), newEmail()];
    const effort = new Effort();
    const visitor = await stack.visitor();
    await effort.countIn(visitor.context);

    const signUp = await visitor.open('/sign-up');
    await signUp.locator('input[name="name"]:focus').waitFor();
    await type(signUp, 'Ada Lovelace', seller, newPassword());
    await signUp.keyboard.press('Enter');
    await heading(signUp, 'Welcome, Ada Lovelace');
    await signUp.close();

    const page = await visitor.context.newPage();
    await page.goto(await mailed(seller, /\/verify-email#token=[\w.~-]+/));
    await press(page, 'Confirm');
    await page.getByRole('link', { name: 'Go on' }).click();
    await heading(page, 'Welcome, Ada Lovelace');

    await page.getByRole('link', { name: 'Say who you are' }).click();
    // A click, which would open a list that the browser draws outside of the page.
    effort.clicks.push('Currency');
    await page.getByLabel('Currency').focus();
    await type(page, 'Swedish Krona', '25');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByLabel('Street or box').click();
    await type(page, 'Storgatan 5', '', '', '114 55', 'Stockholm', 'Sweden', 'SE556012579001');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('Saved', { exact: true }).count()).toBe(2);

    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await press(page, 'New lead');
    await page.locator('input[name="name"]:focus').waitFor();
    await type(page, 'Karin Åström', customer);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'New quote' }).click();
    await page.locator('h1:focus', { hasText: 'New quote' }).waitFor();
    await expect.poll(() => page.getByLabel('Customer', { exact: true }).inputValue()).toBe('Karin Åström');
    await type(page, '', '', 'New roof');
    await page.keyboard.press('Enter');

    await page.getByLabel('Description, line 1').click();
    await type(page, 'Roof tiles', '420', '', '89.90');
    await page.keyboard.press('Enter');
    await page.locator('textarea[aria-label="Description, line 2"]:focus').waitFor();
    await type(page, 'Scaffold', '2', '', '7,450.25');
    // 420 × 89.90 = 37,758.00 and 2 × 7,450.25 = 14,900.50; VAT 25 % of 52,658.50 is 13,164.63, as 13,164.625 rounds.
    await page.getByText('SEK 65,823.13').first().waitFor();
    await saved(page);
    await page.reload();
    expect(await page.getByLabel('Description, line 2').inputValue()).toBe('Scaffold');
    await page.getByText('SEK 65,823.13').first().waitFor();

    const pdf = page.waitForResponse((answer) => answer.url().endsWith('/pdf'));
    await press(page, 'Preview');
    expect((await pdf).headers()['content-type']).toBe('application/pdf');
    await page.locator('iframe[title="The quote as PDF"][src^="blob:"]').waitFor();
    await press(page, 'Send');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your organization has no logo.').waitFor();
    expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe(customer);
    await dialog.getByRole('button', { name: 'Send quote' }).click();
    await page.getByText(`Mailed to ${customer}`).waitFor();

    const buyer = await stack.visitor();
    await effort.countIn(buyer.context);
    const offer = await buyer.context.newPage();
    await offer.goto(await mailed(customer, /\/api\/quotation\/offer\?token=[\w.~-]+/));
    await offer.getByText('SEK 65,823.13').first().waitFor();
    await offer.getByLabel('Your name').click();
    await offer.keyboard.type('Karin Åström');
    await offer.keyboard.press('Enter');
    await offer.getByText(/^Accepted by Karin Åström on/).waitFor();
    await expectNothingElse(buyer);

    await page.getByText('Accepted by Karin Åström').waitFor({ timeout: 20 * seconds });
    await page.getByText('Opened by the customer').waitFor();
    const { clicks, keys, requests } = effort;
    expect([...clicks, ...keys].length, [...clicks, ...keys].join('\n')).toBeLessThanOrEqual(40);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(60);

    await press(page, 'Make contract');
    await page.getByText('Contract made').waitFor();
    // A lead is no customer before its first quote is created, and an accepted quote has no contract at first.
    await expectNothingElse(visitor, [
      expect.stringMatching(/^404 GET \/api\/quotation\/customers\/[\w-]+$/),
      expect.stringMatching(/^404 GET \/api\/quotation\/quotes\/[\w-]+\/contract$/),
    ]);
  });

  it('are revised, and both revisions stand side by side with what differs', async () => {
    const owner = await stack.api.signUp();
    await stack.api.confirm(owner);
    const created = async (path: string, body: object) =>
      (await stack.api.call<{ data: { id: string } }>(`POST /api/quotation/quotes${path}`, body, owner)).data
        .id;
    const quoteId = await created('', {
      ...{ customerId: crypto.randomUUID(), customerName: 'Karin Åström', title: 'New roof' },
      ...{ currency: 'EUR', vatRate: 0, vatExemptionReason: 'Reverse charge' },
    });
    const packages = `/${quoteId}/work-packages`;
    const items = `${packages}/${await created(packages, { name: 'Work' })}/items`;
    await created(items, { description: 'Tiles', quantity: 10, unit: 'pcs', unitPrice: 12.5 });
    await created(items, { description: 'Scaffold', quantity: 1, unit: 'pcs', unitPrice: 100 });
    const [visitor, page] = await stack.signedIn(owner, `/quotes/${quoteId}`);
    await press(page, 'Send');
    await page.getByLabel('To', { exact: true }).fill(newEmail());
    await press(page, 'Send quote');
    await press(page, 'More');
    await press(page, 'Revise');
    await page.getByLabel('Price, line 1').fill('13.75');
    await saved(page);
    await press(page, 'Send');
    await page.getByLabel('To', { exact: true }).fill(newEmail());
    await press(page, 'Send quote');
    await press(page, 'Compare with this one');
    await heading(page, 'Revision 1 and 2 side by side');
    const changed = page.getByRole('row').filter({ hasText: 'Changed' });
    expect(await changed.count()).toBe(1);
    expect(await changed.getByRole('cell').allTextContents()).toEqual([
      'Tiles10 pcs × 12.5 = 125',
      'Tiles10 pcs × 13.75 = 137.5',
    ]);
    const total = page.getByRole('table').filter({ hasText: 'Revision 1' }).locator('tfoot td');
    expect(await total.allTextContents()).toEqual(['€225.00', '€237.50']);
    await expectNothingElse(visitor);
  });
});
