import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { apiOfLeads, leadRow, one, pageOf } from './support/leads.ts';
import { open } from './support/open.tsx';
import { apiWithQuote, draftQuote, enveloped, listed, sentQuote } from './support/quotes.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabelText(name, { exact: true });

describe('the focus', () => {
  test('is in the first field of a form that a link leads to, and what is typed is not lost', async () => {
    await open('/quotes', apiWithQuote());
    await page.getByRole('link', { name: 'New quote' }).click();
    await expect.element(page.getByRole('combobox', { name: 'Customer' })).toHaveFocus();
    await expect.element(page.getByRole('heading', { name: 'New quote', level: 1 })).toBeVisible();
    await userEvent.keyboard('Karin');
    await expect.element(page.getByRole('combobox', { name: 'Customer' })).toHaveValue('Karin');
  });

  test('in the field of a customer asks once typing rests, for any part of a name', async () => {
    const api = apiWithQuote().on('GET /api/leads', pageOf([leadRow(2, { name: 'Nina Åström' })]));
    await open('/quotes/new', api);
    const field = page.getByRole('combobox', { name: 'Customer' });
    await expect.element(field).toHaveFocus();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await userEvent.keyboard('Åström');
    await expect.element(field).toHaveValue('Åström');
    const asked = () => api.requests.filter(({ query }) => query['search'] !== undefined);
    expect(asked()).toEqual([]);
    await vi.advanceTimersByTimeAsync(150);
    vi.useRealTimers();
    await expect.element(page.getByRole('option', { name: 'Nina Åström' })).toBeVisible();
    expect(asked().map(({ operation, query }) => [operation, query['search']])).toEqual([
      ['GET /api/quotation/customers', 'Åström'],
      ['GET /api/leads', 'Åström'],
    ]);
  });

  test('is back on the row that was followed, in the list as it was', async () => {
    const api = apiWithQuote(sentQuote);
    const { address, back } = await open('/quotes?view=sent&search=roof', api);
    const row = page.getByRole('link', { name: 'New roof' });
    await row.click();
    await expect.element(page.getByRole('heading', { name: 'What happened' })).toBeVisible();
    back();
    await expect.element(row).toHaveFocus();
    await row.click();
    await page.getByRole('link', { name: '← Quotes' }).click();
    await expect.element(row).toHaveFocus();
    expect(address()).toBe('/quotes?view=sent&search=roof');
  });

  test('is in the list as it was narrowed, also on another way back', async () => {
    const first = '/api/quotation/quotes/first';
    const api = apiWithQuote(sentQuote)
      .on(`GET ${first}/deliveries`, listed([]))
      .on(`GET ${first}/revisions`, listed([]));
    const { address } = await open('/quotes?view=sent', api);
    await page.getByRole('link', { name: 'New roof' }).click();
    await page.getByRole('link', { name: 'Revision 1' }).click();
    await expect.poll(address).toBe('/quotes/first');
    await page.getByRole('link', { name: '← Quotes' }).click();
    await expect.poll(address).toBe('/quotes?view=sent');
  });

  test('of a row has Escape close the panel beside it', async () => {
    await page.viewport(1280, 800);
    const api = apiOfLeads()
      .on('GET /api/leads/lead-2', one({ ...leadRow(2), notes: null }))
      .on('GET /api/leads/lead-2/history', pageOf([]));
    const { address } = await open('/leads', api);
    const row = page.getByRole('table').getByRole('link', { name: 'Lead 2' });
    await row.click();
    await expect.element(page.getByRole('region', { name: 'Lead 2' })).toBeVisible();
    (row.element() as HTMLElement).focus();
    await userEvent.keyboard('{Escape}');
    await expect.poll(address).toBe('/leads');
    await expect.element(row).toHaveFocus();
  });

  test('stays near what was closed', async () => {
    await open('/quotes/a-quote', apiWithQuote(sentQuote));
    await button('Compare with this one').click();
    await button('Close').click();
    await expect.element(page.getByRole('heading', { name: /side by side/ })).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement?.closest('main')).not.toBeNull();
  });
});

describe('the focus in a draft', () => {
  const path = '/api/quotation/quotes/a-quote/work-packages';
  const line = { id: 'slate', articleNumber: '', description: 'Slate', unit: 'm2' };
  const second = { ...line, quantity: 2, unitPrice: 10, totalPrice: 20 };
  const [roof] = draftQuote.workPackages;
  const withTwoLines = {
    ...draftQuote,
    workPackages: roof ? [{ ...roof, items: [...roof.items, second] }] : [],
  };
  const api = () =>
    apiWithQuote(withTwoLines)
      .on(`DELETE ${path}/roof/items/felt`, {})
      .on(`DELETE ${path}/roof`, {})
      .on(`POST ${path}`, enveloped({ id: 'new-package' }))
      .on(`POST ${path}/roof/items`, enveloped({ id: 'new-line' }))
      .on(`POST ${path}/new-package/items`, enveloped({ id: 'new-line' }))
      .on(`PUT ${path}/roof/items/order`, {});

  test('is in the name of a package that was added, and Enter leads on to its lines', async () => {
    await open('/quotes/a-quote', api());
    await button('Add a package').click();
    const added = page.getByRole('region', { name: 'Name of the package' });
    await expect.element(added.getByLabelText('Name of the package')).toHaveFocus();
    expect(page.getByText('Fill this in.').elements()).toEqual([]);
    await userEvent.keyboard('Walls{Enter}');
    await expect
      .element(page.getByRole('region', { name: 'Walls' }).getByLabelText('Description, line 1'))
      .toHaveFocus();
  });

  test('is on the next line once one is deleted, which Undo brings back', async () => {
    const fake = api();
    await open('/quotes/a-quote', fake);
    await button('Line 1: move or delete').click();
    await page.getByRole('menuitem', { name: 'Delete line' }).click();
    await expect.element(field('Description, line 1')).toHaveFocus();
    await expect.element(field('Description, line 1')).toHaveValue('Slate');
    await button('Undo').click();
    await expect.element(field('Description, line 1')).toHaveValue('Roofing felt, laid');
  });

  test('is near a package that is deleted, which Undo brings back with its lines', async () => {
    const fake = api();
    const quote = 'GET /api/quotation/quotes/a-quote';
    fake.on(`DELETE ${path}/roof`, () => {
      fake.on(quote, enveloped({ ...withTwoLines, workPackages: [] }));
      return {};
    });
    await open('/quotes/a-quote', fake);
    await button('Package Roof: move or delete').click();
    await page.getByRole('menuitem', { name: 'Delete package' }).click();
    await expect.element(button('Add a package')).toHaveFocus();
    await expect.poll(() => fake.requests.map(({ operation }) => operation)).toContain(`DELETE ${path}/roof`);
    await button('Undo').click();
    await expect.element(field('Description, line 2')).toHaveValue('Slate');
  });

  test('leaves no empty row behind where a new line was emptied again', async () => {
    await open('/quotes/a-quote', api());
    await field('Description, line 3').fill('Gutter');
    await expect.element(field('Description, line 4')).toBeVisible();
    await field('Description, line 3').fill('');
    await field('Description, line 1').click();
    await expect.element(field('Description, line 4')).not.toBeInTheDocument();
    await expect.element(field('Unit, line 3')).toHaveValue('m2');
  });

  test('shows a number as it was read once its field is left', async () => {
    await open('/quotes/a-quote', api());
    await expect.element(field('Price, line 1')).toHaveValue('485.50');
    for (const [name, typed, read] of [
      ['Price, line 3', '12,345', '12,345.00'],
      ['Quantity, line 3', '12,345', '12345'],
      ['Quantity, line 3', '1,5', '1.5'],
    ] as const) {
      await field(name).fill(typed);
      await field('Description, line 1').click();
      await expect.element(field(name)).toHaveValue(read);
    }
  });

  test('a wrong field of a line has what is wrong below it', async () => {
    await page.viewport(1280, 800);
    await open('/quotes/a-quote', api());
    await field('Description, line 3').fill('Gutter');
    await field('Description, line 1').click();
    const quantity = field('Quantity, line 3');
    await expect.element(quantity).toHaveAccessibleDescription('Fill this in.');
    const below = page.getByText('Fill this in.').first().element().getBoundingClientRect();
    const above = quantity.element().getBoundingClientRect();
    expect(below.left).toBeGreaterThanOrEqual(above.left);
    expect(below.right).toBeLessThanOrEqual(above.right + 1);
  });
});

test('one place of a navigation is the current one', async () => {
  await open('/quotes?view=sent', apiWithQuote().on('GET /api/quotation/quotes', listed([])));
  await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  for (const navigation of document.querySelectorAll('nav')) {
    const current = [...navigation.querySelectorAll('[aria-current]')].map(({ textContent }) => textContent);
    expect(current).toHaveLength(1);
  }
});

test('fields that have to be filled in are marked, and others are not', async () => {
  await open('/leads/new', apiOfLeads());
  await expect.element(field('Name')).toBeRequired();
  await expect.element(field('E-mail')).toBeRequired();
  await expect.element(field('Phone')).not.toBeRequired();
  const markOf = (name: string) =>
    getComputedStyle(field(name).element().parentElement?.querySelector('label') as Element, '::after')
      .content;
  expect([markOf('Name'), markOf('Phone')]).toEqual(['" *" / ""', 'none']);
});
