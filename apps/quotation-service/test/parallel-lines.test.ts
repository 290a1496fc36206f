import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  itemsUrl,
  quotesUrl,
  readQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  member = await service.member();
});
afterAll(() => service.close());

/** Öre, so that the test adds whole numbers. */
const ore = (amount: number) => Math.round(amount * 100);

it('50 parallel additions, changes and removals of lines end with the right sums [S-122]', async () => {
  const quoteId = await createQuote(member);
  const places = [
    { quoteId, packageId: await addPackage(member, quoteId) },
    { quoteId, packageId: await addPackage(member, quoteId) },
  ] as const;
  const line = (n: number) => ({ quantity: 1, unitPrice: n + n / 100 });
  const before = await Promise.all(
    Array.from({ length: 30 }, (_, n) => addLine(member, places[n % 2 ? 1 : 0], line(n))),
  );
  const urlOf = (n: number) => `${itemsUrl(places[n % 2 ? 1 : 0])}/${before[n]?.id ?? ''}`;

  const work = Array.from({ length: 50 }, (_, n) => {
    if (n < 20) return member.send('DELETE', urlOf(n));
    if (n < 30) return member.send('PATCH', urlOf(n), { body: { unitPrice: 0.05 } });
    const body = { description: 'More', unit: 'sqm', ...line(n) };
    return member.send('POST', itemsUrl(places[n % 2 ? 1 : 0]), { body });
  });
  const statuses = (await Promise.all(work)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 201, 204]));

  const quote = await readQuote(member, quoteId);
  const expected =
    10 * 5 + Array.from({ length: 20 }, (_, n) => ore(line(n + 30).unitPrice)).reduce((a, b) => a + b);
  expect(ore(quote.subtotal)).toBe(expected);
  expect(ore(quote.totalAmount)).toBe(Math.round(expected * 1.25));
  for (const { items, subtotal } of quote.workPackages) {
    expect(items).toHaveLength(15);
    expect(ore(subtotal)).toBe(items.reduce((sum, { totalPrice }) => sum + ore(totalPrice), 0));
  }
});

it('a quote that is sent while lines are added has the lines and the sum of one moment [S-122]', async () => {
  const quoteId = await createQuote(member);
  const place = { quoteId, packageId: await addPackage(member, quoteId) };
  const body = { description: 'Felt', quantity: 1, unit: 'sqm', unitPrice: 1 };
  const additions = Array.from({ length: 20 }, () => member.send('POST', itemsUrl(place), { body }));
  const sending = member.send('POST', `${quotesUrl}/${quoteId}/send`, {
    body: { recipientEmail: 'karin@astrom.example' },
  });
  const statuses = (await Promise.all(additions)).map(({ status }) => status);
  expect((await sending).status).toBe(200);
  const added = statuses.filter((status) => status === 201).length;
  expect(statuses.filter((status) => status === 409)).toHaveLength(20 - added);
  const quote = await readQuote(member, quoteId);
  expect(quote).toMatchObject({ status: 'sent', subtotal: added });
  expect(quote.workPackages[0]?.items).toHaveLength(added);
});
