import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Refusal, type FakeApi } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiWithQuote, customer, enveloped } from './support/quotes.ts';

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

describe('a customer', () => {
  test('is changed: only what was typed is sent, and it is said that it is saved', async () => {
    const api = apiWithCustomer().on(update, enveloped(customer));
    await open('/customers/karin', api);
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([{ email: 'karin@example.com' }]);
  });

  test('whose other fields somebody else has changed is saved all the same', async () => {
    const api = changedElsewhere(apiWithCustomer(), { name: 'Karin Berg' });
    await open('/customers/karin', api);
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([{ email: 'karin@example.com' }, { email: 'karin@example.com' }]);
    await expect.element(name).toHaveValue('Karin Berg');
  });

  test('that two people change concurrently shows both versions, and what was typed stays', async () => {
    const api = changedElsewhere(apiWithCustomer(), { name: 'Karin Berg' });
    await open('/customers/karin', api);
    await name.fill('Karin Ek');
    await email.fill('karin@example.com');
    await button('Save').click();
    await expect.element(page.getByRole('row', { name: 'Name Karin Berg Karin Ek' })).toBeVisible();
    await expect.element(name).toHaveValue('Karin Ek');
    await button('Take theirs').click();
    await expect.element(name).toHaveValue('Karin Berg');
    await expect.element(page.getByText('Saved.')).toBeVisible();
    expect(api.sentTo(update)).toEqual([
      { name: 'Karin Ek', email: 'karin@example.com' },
      { email: 'karin@example.com' },
    ]);
  });

  test('keeps what is typed while it is read again', async () => {
    const api = apiWithCustomer();
    await open('/customers/karin', api);
    await name.fill('Karin Ek');
    api.on(`GET ${path}`, tagged({ ...customer, name: 'Karin Berg' }, '"2"'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    dispatchEvent(new Event('visibilitychange'));
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Karin Berg');
    await expect.element(name).toHaveValue('Karin Ek');
  });
});
