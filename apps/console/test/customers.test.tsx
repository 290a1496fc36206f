import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { apiWithCustomerFiles } from './support/customer-files.ts';
import { Refusal, type FakeApi } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiWithQuote, customer, enveloped, listed, sentQuote } from './support/quotes.ts';

const path = '/api/quotation/customers/karin';
const update = `PATCH ${path}`;
const name = page.getByLabelText('Name', { exact: true });
const email = page.getByLabelText('E-mail address');
const button = (text: string) => page.getByRole('button', { name: text, exact: true });

/** Has somebody else change the customer, so that a change of what was read before is refused. */
function changedElsewhere(api: FakeApi, changes: object): FakeApi {
  return api.on(update, () => {
    api.on(`GET ${path}`, tagged({ ...customer, ...changes }, '"2"')).on(update, enveloped(customer));
    return new Refusal(412, 'PRECONDITION_FAILED');
  });
}

const tagged = (data: object, etag: string) => Response.json(enveloped(data), { headers: { etag } });

const apiWithCustomer = () => apiWithQuote().on(`GET ${path}`, tagged(customer, '"1"'));

describe('the record of a customer', () => {
  const accepted = { ...sentQuote, id: 'another', title: 'Gutters', status: 'accepted', totalAmount: 1250 };
  const quotes = [
    { ...sentQuote, openedAt: '2026-11-23T12:00:00Z' },
    { ...accepted, sentAt: '2026-11-01T12:00:00Z', decidedAt: '2026-11-24T12:00:00Z' },
  ];

  test('has their quotes with state and days, what they accepted, and what happened last', async () => {
    await open('/customers/karin', apiWithCustomer().on('GET /api/quotation/quotes', listed(quotes)));
    const row = page.getByRole('row').filter({ hasText: 'Gutters' });
    await expect.element(row).toHaveTextContent('Accepted');
    await expect.element(page.getByText(/^SEK.1,250.00 accepted$/)).toBeVisible();
    const history = page.getByRole('region', { name: 'What happened last' }).getByRole('link');
    expect(history.elements().map(({ textContent }) => textContent)).toEqual([
      'Gutters was accepted',
      'New roof was opened',
      'New roof was sent',
      'Gutters was sent',
    ]);
  });
});

describe('a customer', () => {
  test('is changed: only what was typed is sent, and it is said that it is saved', async () => {
    const api = apiWithCustomer().on(update, enveloped(customer));
    await open('/customers/karin', api);
    await button('Change details').click();
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([{ email: 'karin@example.com' }]);
    await expect.element(button('Change details')).toHaveFocus();
  });

  test('is a record: its fields are there once somebody changes them, and cancelling changes nothing', async () => {
    const api = apiWithCustomer();
    await open('/customers/karin', api);
    await expect.element(page.getByRole('definition').first()).toBeVisible();
    await expect.element(name).not.toBeInTheDocument();
    await button('Change details').click();
    await expect.element(name).toHaveFocus();
    await name.fill('Karin Ek');
    await button('Cancel').click();
    await expect.element(button('Change details')).toHaveFocus();
    expect(api.sentTo(update)).toEqual([]);
  });

  test('whose other fields somebody else has changed is saved all the same', async () => {
    const api = changedElsewhere(apiWithCustomer(), { name: 'Karin Berg' });
    await open('/customers/karin', api);
    await button('Change details').click();
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([{ email: 'karin@example.com' }, { email: 'karin@example.com' }]);
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Karin Berg');
  });

  test('that two people change concurrently shows both versions, and what was typed stays', async () => {
    const api = changedElsewhere(apiWithCustomer(), { name: 'Karin Berg' });
    await open('/customers/karin', api);
    await button('Change details').click();
    await name.fill('Karin Ek');
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByRole('row', { name: 'Name Karin Berg Karin Ek' })).toBeVisible();
    await expect.element(name).toHaveValue('Karin Ek');
    await button('Take theirs').click();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Karin Berg');
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([
      { name: 'Karin Ek', email: 'karin@example.com' },
      { email: 'karin@example.com' },
    ]);
  });

  test('keeps what is typed while it is read again', async () => {
    const api = apiWithCustomer();
    await open('/customers/karin', api);
    await button('Change details').click();
    await name.fill('Karin Ek');
    api.on(`GET ${path}`, tagged({ ...customer, name: 'Karin Berg' }, '"2"'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    dispatchEvent(new Event('visibilitychange'));
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Karin Berg');
    await expect.element(name).toHaveValue('Karin Ek');
  });
});

describe('a new customer', () => {
  const create = 'POST /api/quotation/customers';
  const address = page.getByLabelText('Postal address');

  test('is what was typed, opens, and names the one who may be the same', async () => {
    const api = apiWithCustomer().on(create, {
      ...enveloped({ id: 'karin' }),
      meta: { requestId: 'a-request', duplicateOf: 'other' },
    });
    api.on('GET /api/quotation/customers/other', enveloped({ ...customer, id: 'other', name: 'K. Åström' }));
    await open('/customers', api);
    await button('New customer').click();
    await expect.element(name).toHaveFocus();
    await name.fill('Karin Åström');
    await address.fill('Storgatan 5\n415 02 Göteborg');
    await page.getByLabelText('VAT number').fill('SE556677889901');
    await button('Add customer').click();
    await expect.element(page.getByRole('link', { name: 'K. Åström' })).toBeVisible();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Karin Åström');
    expect(api.sentTo(create)).toEqual([
      {
        ...{ name: 'Karin Åström', email: null, language: null },
        ...{ address: 'Storgatan 5\n415 02 Göteborg', vatNumber: 'SE556677889901' },
      },
    ]);
  });

  test('that is refused keeps what was typed, and says at which field', async () => {
    const details = [{ field: 'vatNumber', rule: 'vatNumber', message: 'must be a VAT number' }];
    const api = apiWithCustomer().on(create, new Refusal(400, 'VALIDATION_ERROR', { details }));
    await open('/customers', api);
    await button('New customer').click();
    await name.fill('Karin');
    await page.getByLabelText('VAT number').fill('SE1');
    await button('Add customer').click();
    await expect.element(page.getByText('This is not a VAT number of that country.')).toBeVisible();
    await expect.element(page.getByLabelText('VAT number')).toHaveFocus();
    await expect.element(name).toHaveValue('Karin');
  });
});

test('customers are listed in the order of the reader’s language', async () => {
  const api = apiWithQuote();
  await open('/customers', api, { language: 'sv' });
  await expect.element(page.getByRole('link', { name: customer.name })).toBeVisible();
  const [asked] = api.requests.filter(({ operation }) => operation === 'GET /api/quotation/customers');
  expect(asked?.query).toMatchObject({ sort: 'name', language: 'sv' });
});

describe('customers of a file', () => {
  const used = (column: string) => page.getByLabelText(`Column ${column} is`);
  const queryOf = ({ requests }: FakeApi, operation: string) =>
    requests.findLast((request) => request.operation === operation)?.query;

  test('are read, decided about, imported and taken back', async () => {
    const api = apiWithCustomerFiles();
    await open('/customers', api);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByLabelText('Or paste rows here').fill('Namn;E-post\nNäs AB;info@nas.example');
    await button('Use these rows').click();
    await expect.element(page.getByText('This looks like a list of customers from Fortnox.')).toBeVisible();
    await expect.element(used('Postnr')).toHaveValue('address');
    await expect.element(page.getByText('The VAT number is not valid, and is left out.')).toBeVisible();
    // Customers have no notes in which other columns could be kept.
    expect(page.getByLabelText(/Keep them in the notes/).elements()).toEqual([]);
    await used('Kundnr').selectOptions('Postal address');
    await expect
      .poll(() => queryOf(api, 'POST /api/quotation/customers/import/read'))
      .toEqual({ name: '2', email: '3', address: '4+5+6+1', vatNumber: '' });
    await page.getByLabelText('Fill what is empty in the customer').click();
    await button('Import 1 row').click();
    await expect.element(page.getByText('1 row imported.')).toBeVisible();
    expect(queryOf(api, 'POST /api/quotation/customers/import')).toMatchObject({
      ...{ mode: 'rows', duplicates: 'fill', address: '4+5+6+1' },
    });
    await expect
      .element(page.getByRole('link', { name: 'Save these rows as a file' }))
      .toHaveAttribute('href', '/api/quotation/customers/imports/import-1/left-out');
    await button('Take this import back').click();
    await button('Take it back').click();
    await expect.element(page.getByText('1 customer taken back')).toBeVisible();
    await expect
      .element(page.getByText(/1 customer stayed, because they were changed or have a quote/))
      .toBeVisible();
  });
});
