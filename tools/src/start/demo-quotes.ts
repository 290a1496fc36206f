import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './demo-api.ts';
import type { DemoQuote, DemoState } from './demo-data.ts';

/** Who a quote is for: a lead. */
export interface DemoCustomer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const quotesPath = '/api/quotation/quotes';
const letterWithinMs = 15_000;
const pauseMs = 100;

/** Adds quotes to the organization that the API acts in; those that are there stay. */
export async function seedQuotes(
  api: Api,
  quotes: readonly DemoQuote[],
  customers: ReadonlyMap<string, DemoCustomer>,
): Promise<void> {
  for (const quote of quotes) {
    const search = encodeURIComponent(quote.title);
    const found = await api.get<{ meta: { total: number } }>(`${quotesPath}?search=${search}`);
    const customer = customers.get(quote.customer);
    if (found.meta.total === 0 && customer) await seedQuote(api, quote, customer);
  }
}

interface Made {
  readonly data: { readonly id: string };
}

async function seedQuote(
  api: Api,
  { title, state, validDays, lines }: DemoQuote,
  customer: DemoCustomer,
): Promise<void> {
  const { data: quote } = await api.post<Made>(quotesPath, {
    customerId: customer.id,
    customerName: customer.name,
    customerEmail: customer.email,
    title,
    ...(validDays !== undefined && { validUntil: dayIn(validDays) }),
    ...(state === 'expired' && { validUntil: dayIn(-20) }),
  });
  const path = `${quotesPath}/${quote.id}`;
  const { data: workPackage } = await api.post<Made>(`${path}/work-packages`, { name: 'Materials and work' });
  for (const [description, quantity, unit, unitPrice] of lines) {
    const line = { description, quantity, unit, unitPrice };
    await api.post(`${path}/work-packages/${workPackage.id}/items`, line);
  }
  if (state === 'draft') return;
  await api.post(`${path}/send`, { recipientEmail: customer.email, message: 'As discussed.' });
  await letterLeft(api, path);
  await move(api, { path, state, customer });
}

/** As YYYY-MM-DD. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Waits for the letter with a quote: it would not leave any more once the quote is answered or revised. */
async function letterLeft(api: Api, path: string): Promise<void> {
  const deadline = Date.now() + letterWithinMs;
  while (Date.now() < deadline) {
    const { data } = await api.get<{ data: readonly { state: string }[] }>(`${path}/deliveries`);
    if (data.every(({ state }) => state !== 'waiting')) return;
    await sleep(pauseMs);
  }
}

/** What becomes of a quote that was sent. */
async function move(
  api: Api,
  {
    path,
    state,
    customer,
  }: { readonly path: string; readonly state: DemoState; readonly customer: DemoCustomer },
): Promise<void> {
  if (state === 'accepted' || state === 'contract') {
    await answer(api, path, ['accept', { name: customer.name }]);
    if (state === 'contract') await api.post(`${path}/contract`, {});
  }
  if (state === 'rejected') await answer(api, path, ['reject', { reason: 'Another offer was cheaper.' }]);
  if (state === 'revised') await api.post(`${path}/revise`, {});
}

/** As the customer does, on the page behind a link. */
async function answer(
  api: Api,
  path: string,
  [verb, fields]: readonly [verb: 'accept' | 'reject', fields: Readonly<Record<string, string>>],
): Promise<void> {
  const { data } = await api.post<{ data: { url: string } }>(`${path}/link`, {});
  const token = new URL(data.url).searchParams.get('token') ?? '';
  await api.postForm(`/api/quotation/offer/${verb}`, { token, ...fields });
}
