import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Effort } from './console/effort.ts';
import { finger, keyboard, mouse } from './console/hands.ts';
import { expectFitsPhone, phone } from './console/phone.ts';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading } from './console/visitor.ts';
import { makeContract, refusedOnTheWalk, walkToAcceptance } from './console/walk.ts';
import { newEmail } from './matrix/people.ts';

// From a sign-up to a quote that a customer has accepted, with the real services.

const seconds = 1_000;

describe.skipIf(!hasBrowser)('quotes in the console', { timeout: 180 * seconds }, () => {
  let stack: ConsoleStack;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
  }, 240 * seconds);
  afterAll(() => stack.stop());

  /** Two people who have not met yet. */
  const strangers = async (options?: BrowserContextOptions) => ({
    ...{ stack, seller: await stack.visitor(options), buyer: await stack.visitor(options) },
  });

  it('lead from sign-up to acceptance in 40 clicks and keys, and 60 requests', async () => {
    const effort = new Effort();
    const { seller, buyer } = await strangers();
    await effort.countIn(seller.context);
    await effort.countIn(buyer.context);
    const page = await walkToAcceptance({ stack, seller, buyer, hand: mouse(effort) });
    const { clicks, keys, requests } = effort;
    expect([...clicks, ...keys].length, [...clicks, ...keys].join('\n')).toBeLessThanOrEqual(40);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(60);

    await makeContract(page, mouse());
    await expectNothingElse(seller, refusedOnTheWalk);
  });

  it('lead there by keyboard alone', async () => {
    const effort = new Effort();
    const walk = await strangers();
    await effort.countIn(walk.seller.context);
    await makeContract(await walkToAcceptance({ ...walk, hand: keyboard }), keyboard);
    expect(effort.clicks).toEqual([]);
    await expectNothingElse(walk.seller, refusedOnTheWalk);
  });

  it('lead there on a phone, where nothing is wider than it is or too small to touch', async () => {
    const walk = await strangers(phone);
    const page = await walkToAcceptance({ ...walk, hand: finger, look: expectFitsPhone });
    await makeContract(page, finger);
    await expectFitsPhone(page);
    await expectNothingElse(walk.seller, refusedOnTheWalk);
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
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
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
