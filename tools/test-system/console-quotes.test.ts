import { minorDigits } from '@tenantry/money';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Effort } from './console/effort.ts';
import { finger, keyboard, mouse, tabTo } from './console/hands.ts';
import { expectFitsPhone, phone } from './console/phone.ts';
import { ConsoleStack, hasBrowser, press } from './console/stack.ts';
import { expectNothingElse, heading, signIn } from './console/visitor.ts';
import { makeContract, refusedOnTheWalk, type, walkToAcceptance } from './console/walk.ts';
import { mailedLetter } from './matrix/mailbox.ts';
import { newEmail, type Person } from './matrix/people.ts';

// From a sign-up to a quote that a customer has accepted, with the real services.

describe.skipIf(!hasBrowser)('quotes in the console', () => {
  let stack: ConsoleStack;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
  });
  afterAll(() => stack.stop());

  /** Two people who have not met yet. */
  const strangers = async (options?: BrowserContextOptions) => ({
    ...{ stack, seller: await stack.visitor(options), buyer: await stack.visitor(options) },
  });

  interface Line {
    readonly description: string;
    readonly quantity: number;
    readonly unit: string;
    readonly unitPrice: number;
  }

  const inEuros = { currency: 'EUR', vatRate: 0, vatExemptionReason: 'Reverse charge' };

  interface ReadQuote {
    readonly subtotal: number;
    readonly vatAmount: number;
    readonly totalAmount: number;
    readonly workPackages: readonly { readonly items: readonly Line[] }[];
  }

  const call = async <Data>(request: `${string} /${string}`, body: object | undefined, by: Person) =>
    (await stack.api.call<{ data: Data }>(request, body, by)).data;

  /** A draft with one package of lines, under reverse charge unless it says otherwise. */
  async function newDraft(owner: Person, lines: readonly Line[], terms: object = inEuros): Promise<string> {
    const created = async (path: string, body: object) =>
      (await call<{ id: string }>(`POST /api/quotation/quotes${path}`, body, owner)).id;
    const quoteId = await created('', {
      ...{ customerId: crypto.randomUUID(), customerName: 'Karin Åström', title: 'New roof' },
      ...terms,
    });
    const packages = `/${quoteId}/work-packages`;
    const items = `${packages}/${await created(packages, { name: 'Work' })}/items`;
    for (const line of lines) await created(items, line);
    return quoteId;
  }

  const readLines = async (by: Person, quoteId: string): Promise<readonly Line[]> => {
    const { workPackages } = await call<ReadQuote>(`GET /api/quotation/quotes/${quoteId}`, undefined, by);
    return workPackages.flatMap(({ items }) => items);
  };
  const linesOf = async (by: Person, quoteId: string) =>
    (await readLines(by, quoteId)).map(({ description }) => description).toSorted();
  const priceOf = async (by: Person, quoteId: string, name: string) =>
    (await readLines(by, quoteId)).find(({ description }) => description === name)?.unitPrice;

  it('lead from sign-up to acceptance in 25 clicks, 40 with keys, and 60 requests', async () => {
    const effort = new Effort();
    const { seller, buyer } = await strangers();
    await effort.countIn(seller.context);
    await effort.countIn(buyer.context);
    const page = await walkToAcceptance({ stack, seller, buyer, hand: mouse(effort) });
    const { clicks, keys, requests } = effort;
    console.info(`${clicks.length} clicks, ${keys.length} keys besides text`);
    expect(clicks.length, clicks.join('\n')).toBeLessThanOrEqual(25);
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

  it('are written by two concurrently, by keyboard alone: nothing is doubled, and nothing silently overwritten', async () => {
    const { owner, admin } = await stack.api.newTenant();
    const lines = ['Tiles', 'Nails', 'Scaffold'].map((description, n) => ({
      ...{ description, quantity: n + 1, unit: 'pcs', unitPrice: 10 },
    }));
    const quoteId = await newDraft(owner, lines);
    const [me, mine] = await stack.signedIn(owner, `/quotes/${quoteId}`);
    const [them, theirs] = await stack.signedIn(admin, `/quotes/${quoteId}`);
    await Promise.all([mine, theirs].map((page) => lineField(page, 'Description', 3).waitFor()));

    // Added and pasted.
    await Promise.all([
      addLine(mine, ['Gutters', '12', '', '30']),
      pasteLines(theirs, 'Felt\t5\nBattens\t6'),
    ]);
    const added = ['Battens', 'Felt', 'Gutters'];
    await expect.poll(() => linesOf(owner, quoteId)).toEqual([...added, 'Nails', 'Scaffold', 'Tiles']);
    await Promise.all([mine, theirs].map(saved));

    // Moved and deleted.
    await Promise.all([
      tabTo(mine.getByRole('button', { name: /^Move line 1:/ })).then(() => mine.keyboard.press('ArrowDown')),
      deleteLine(theirs, 2),
    ]);
    await expect.poll(() => linesOf(owner, quoteId)).toEqual([...added, 'Scaffold', 'Tiles']);
    await Promise.all([mine, theirs].map(saved));

    // The same field: the later one sees both, and decides.
    const [line, other] = [await lineCalled(mine, 'Tiles'), await lineCalled(theirs, 'Tiles')];
    await typeInto(mine, lineField(mine, 'Price', line), '13');
    await expect.poll(() => priceOf(owner, quoteId, 'Tiles')).toBe(13);
    await typeInto(theirs, lineField(theirs, 'Price', other), '14');
    await theirs.getByText('Price: someone else changed this at the same time.').waitFor();
    expect(await theirs.getByRole('list', { name: 'Lines of Work' }).locator('dd').allTextContents()).toEqual(
      ['14', '13.00'],
    );
    expect(await priceOf(owner, quoteId, 'Tiles')).toBe(13);
    await keyboard.press(theirs.getByRole('button', { name: 'Keep yours' }));
    await expect.poll(() => priceOf(owner, quoteId, 'Tiles')).toBe(14);

    // Deleted here and changed there: it stays until somebody says otherwise.
    await typeInto(theirs, lineField(theirs, 'Price', await lineCalled(theirs, 'Scaffold')), '99');
    await expect.poll(() => priceOf(owner, quoteId, 'Scaffold')).toBe(99);
    await deleteLine(mine, await lineCalled(mine, 'Scaffold'));
    await mine.getByText('You deleted this while someone else changed it.').waitFor();
    expect(await priceOf(owner, quoteId, 'Scaffold')).toBe(99);
    await keyboard.press(mine.getByRole('button', { name: 'Keep it' }));
    await Promise.all([mine, theirs].map(saved));
    expect(await linesOf(owner, quoteId)).toEqual([...added, 'Scaffold', 'Tiles']);
    await Promise.all([me.leave(), them.leave()]);
    expect([...me.faults, ...them.faults]).toEqual([]);
    for (const refusal of [...me.refusals, ...them.refusals]) expect(refusal).toMatch(/^412 /);
  });

  it.each([
    ['SEK', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'],
    ['HUF', 'Europe/Stockholm', 'Pacific/Pago_Pago'],
    ['JPY', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
  ])(
    'in %s, of an organization in %s, come to the same in the editor, PDF, letter and page of the customer',
    async (currency, timeZone, timezoneId) => {
      const owner = await stack.api.signUp();
      await stack.api.confirm(owner);
      const organization = `PATCH /api/auth/organization/${owner.organizationId}` as const;
      await stack.api.call(organization, { settings: { timeZone } }, owner);
      const lines = [
        { description: 'Tiles', quantity: 1234.5, unit: 'pcs', unitPrice: 33.335 },
        { description: 'Scaffold', quantity: 10.0005, unit: 'days', unitPrice: 12.3456 },
      ];
      const quoteId = await newDraft(owner, lines, { currency, vatRate: 25, validUntil: '2099-01-31' });
      const read = await call<ReadQuote>(`GET /api/quotation/quotes/${quoteId}`, undefined, owner);
      const digits = minorDigits(currency);
      const format = new Intl.NumberFormat('en', {
        ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
      });
      const sums = [read.subtotal, read.vatAmount, read.totalAmount].map((sum) => format.format(sum));

      const seller = await stack.visitor({ timezoneId });
      const page = await seller.open(`/quotes/${quoteId}`);
      await signIn(page, owner);
      const totals = page.locator('dl').filter({ hasText: 'Total' });
      await totals.waitFor();
      expect(await totals.locator('dd').allTextContents()).toEqual(
        sums.map((sum): unknown => expect.stringContaining(sum)),
      );
      expect(await page.getByLabel('Valid until').inputValue()).toBe('2099-01-31');

      await press(page, 'Send');
      const customer = newEmail();
      await page.getByLabel('To', { exact: true }).fill(customer);
      const pdf = await page.evaluate<number[]>(
        `fetch('/api/quotation/quotes/${quoteId}/pdf').then(async (file) => [...new Uint8Array(await file.arrayBuffer())])`,
      );
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
      await press(page, 'Send quote');
      await page.getByText(`Mailed to ${customer}`).waitFor();
      const letter = await mailedLetter(stack.services.mailDirectory, customer);
      const buyer = await stack.visitor({ timezoneId });
      const offer = await buyer.context.newPage();
      const [link = ''] = /http\S+\/offer\?token=[\w.~-]+/.exec(letter) ?? [];
      await offer.goto(link);
      const texts = {
        editorOnceSent: await page.locator('main').innerText(),
        pdf: text.join('\n'),
        offer: await offer.locator('body').innerText(),
      };
      const all = [...sums, '10.0005', '12.3456'];
      for (const [name, said] of Object.entries(texts)) {
        for (const part of all) expect(said, `${part} in ${name}`).toContain(part);
      }
      expect(letter).toMatch(new RegExp(`Total: ${currency}\\s${sums[2]}`));
      for (const said of [letter, texts.pdf, texts.offer]) expect(said).toContain('31 January 2099');
      expect(texts.editorOnceSent).toContain('31 Jan 2099');
      await expectNothingElse(buyer);
      await expectNothingElse(seller);
    },
  );

  it('show names as they are that are hostile to markup, mail, writing direction and layout', async () => {
    const owner = await stack.api.signUp();
    await stack.api.confirm(owner);
    await stack.api.call(`PATCH /api/auth/organization/${owner.organizationId}`, { name: hostile }, owner);
    await stack.api.call('PATCH /api/auth/user', { name: hostileNick }, owner);
    const customer = newEmail();
    const lead = await call<{ id: string }>('POST /api/leads', { name: hostile, email: customer }, owner);
    const quoteId = await newDraft(
      owner,
      [{ description: hostile, quantity: 1, unit: 'pcs', unitPrice: 1 }],
      { ...inEuros, ...{ customerId: lead.id, customerName: hostile, title: hostile } },
    );
    const seller = await stack.visitor(phone);
    const first = await seller.open('/');
    await signIn(first, owner);
    await heading(first, `Welcome, ${hostileNick}`);
    await expectFitsPhone(first);
    const visit = async (path: string, name = hostile) => {
      const page = await seller.open(path);
      await page.getByRole('main').getByText(name).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectFitsPhone(page);
      await page.close();
    };
    for (const path of ['/leads', '/leads/board', `/leads/${lead.id}`]) await visit(path);
    for (const path of ['/quotes', '/customers', '/activity']) await visit(path);
    await visit('/people', hostileNick);

    const page = await seller.open(`/quotes/${quoteId}`);
    await page.getByLabel('Description, line 1').waitFor();
    expect(await page.getByLabel('Description, line 1').inputValue()).toBe(hostile);
    await expectFitsPhone(page);
    await press(page, 'Send');
    await page.getByLabel('To', { exact: true }).fill(customer);
    await press(page, 'Send quote');
    await page.getByText(`Mailed to ${customer}`).waitFor();
    await visit(`/quotes/${quoteId}`);
    await visit(`/customers/${lead.id}`);

    const letter = await mailedLetter(stack.services.mailDirectory, customer);
    const [, html = ''] = letter.split('Content-Type: text/html');
    expect(html).toContain('&lt;b&gt;&quot;Å&quot;&lt;/b&gt;');
    expect(html).not.toContain('<b>');
    const buyer = await stack.visitor(phone);
    const offer = await buyer.context.newPage();
    const [link = ''] = /http\S+\/offer\?token=[\w.~-]+/.exec(letter) ?? [];
    await offer.goto(link);
    await offer.getByRole('heading', { name: hostile }).first().waitFor();
    await expectFitsPhone(offer);
    await expectNothingElse(buyer);
    await expectNothingElse(seller);
  });

  it('are revised, and both revisions stand side by side with what differs', async () => {
    const owner = await stack.api.signUp();
    await stack.api.confirm(owner);
    const quoteId = await newDraft(owner, [
      { description: 'Tiles', quantity: 10, unit: 'pcs', unitPrice: 12.5 },
      { description: 'Scaffold', quantity: 1, unit: 'pcs', unitPrice: 100 },
    ]);
    const [visitor, page] = await stack.signedIn(owner, `/quotes/${quoteId}`);
    await press(page, 'Send');
    await page.getByLabel('To', { exact: true }).fill(newEmail());
    await press(page, 'Send quote');
    await press(page, 'More');
    await page.getByRole('menuitem', { name: 'Revise' }).click();
    await page.getByLabel('Price, line 1').fill('13.75');
    await page.locator('main').getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await press(page, 'Send');
    await page.getByLabel('To', { exact: true }).fill(newEmail());
    await press(page, 'Send quote');
    await press(page, 'Compare with this one');
    await heading(page, 'Revision 1 and 2 side by side');
    const changed = page.getByRole('row').filter({ hasText: 'Changed' });
    await expect.poll(() => changed.count()).toBe(1);
    expect(await changed.getByRole('cell').allTextContents()).toEqual([
      'Tiles10 pcs × 12.50 = €125.00',
      'Tiles10 pcs × 13.75 = €137.50',
    ]);
    const total = page.getByRole('table').filter({ hasText: 'Revision 1' }).locator('tfoot td');
    expect(await total.allTextContents()).toEqual(['€225.00', '€237.50']);
    await expectNothingElse(visitor);
  });
});

/** Markup, letters from right to left and an order of theirs that never ends, a picture, and no place to break a line. */
const hostileNick = '<b>"Å"</b> \u202eשלום 😀';
const hostile = `${hostileNick} ${'W'.repeat(70)}`;

const saved = (page: Page): Promise<void> =>
  page.locator('main').getByRole('status').getByText('Saved', { exact: true }).waitFor();

const lineField = (page: Page, field: string, line: number) =>
  page.getByLabel(`${field}, line ${line}`, { exact: true });

/** Enter leads from the last line to the blank one behind it. */
async function goToBlankLine(page: Page): Promise<void> {
  await tabTo(lineField(page, 'Description', 3));
  await page.keyboard.press('Enter');
  await lineField(page, 'Description', 4).and(page.locator(':focus')).waitFor();
}

async function addLine(page: Page, texts: readonly string[]): Promise<void> {
  await goToBlankLine(page);
  await type(page, ...texts);
}

async function pasteLines(page: Page, rows: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await goToBlankLine(page);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(rows)})`);
  await page.keyboard.press('Control+V');
}

async function deleteLine(page: Page, line: number): Promise<void> {
  await keyboard.press(page.getByRole('button', { name: `Line ${line}: move or delete` }));
  await page.getByRole('menuitem', { name: 'Move up' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
}

/** Tab selects what is in a field: typing replaces it. */
async function typeInto(page: Page, field: ReturnType<typeof lineField>, text: string): Promise<void> {
  await tabTo(field);
  await page.keyboard.type(text);
}

/** Which line of a draft is called so, from 1. */
async function lineCalled(page: Page, description: string): Promise<number> {
  const texts = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-line] [name="description"]')].map(({ value }) => value)`,
  );
  return texts.indexOf(description) + 1;
}
