import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  firstPackage,
  invalid,
  itemsUrl,
  notFound,
  quoteOf,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  type AnsweredQuote,
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

const urlOf = (id: string) => `${quotesUrl}/${id}`;
const packageUrl = (quote: AnsweredQuote, n = 0) =>
  `${urlOf(quote.id)}/work-packages/${quote.workPackages[n]?.id ?? ''}`;
const lineUrl = (quote: AnsweredQuote, n = 0) =>
  `${packageUrl(quote)}/items/${firstPackage(quote).items[n]?.id ?? ''}`;
const frozen = { status: 409, data: null, code: 'CONFLICT', fields: [] };

describe('a draft', () => {
  it.each(['PUT', 'PATCH'] as const)(
    'is changed by %s: what is absent stays, totals follow',
    async (method) => {
      const quote = await quoteOf(member, [[[1, 100]]], { description: 'Felt' });
      const answer = await member.send(method, urlOf(quote.id), {
        body: { title: 'Old roof', vatRate: 12, validUntil: '2099-12-31' },
      });
      expect(answer.status).toBe(200);
      const changed = await readQuote(member, quote.id);
      expect(changed).toMatchObject({
        ...{ title: 'Old roof', description: 'Felt', validUntil: '2099-12-31T23:59:59.999Z' },
        ...{ subtotal: 100, vatRate: 12, vatAmount: 12, totalAmount: 112, number: quote.number },
      });
      expect(changed).toMatchObject(answer.body.data);
    },
  );

  it('that is changed to what it is stays as it is: no row in the trail, no other entity tag [S-187]', async () => {
    const admin = await service.member({ role: 'admin' });
    const customer = { customerName: 'Åström AB' };
    const { id } = await quoteOf(admin, [[[1, 100]], [[2, 50]]], { description: 'Felt', ...customer });
    const quote = await readQuote(admin, id);
    const trail = async () => (await admin.send('GET', '/api/quotation/audit')).body.meta;
    const [before, recorded] = [await admin.send('GET', urlOf(id)), await trail()];
    const { title, description, validUntil, vatRate, currency, customerId } = quote;
    const [first] = firstPackage(quote).items;
    const changes: [method: 'PUT' | 'PATCH', url: string, body: object][] = [
      ['PUT', urlOf(id), { title, description, validUntil, vatRate, currency, customerId }],
      ['PATCH', urlOf(id), { title }],
      ['PATCH', packageUrl(quote), { name: firstPackage(quote).name }],
      ['PATCH', lineUrl(quote), { quantity: first?.quantity, unitPrice: first?.unitPrice }],
      ['PUT', `${urlOf(id)}/work-package-order`, { ids: quote.workPackages.map((one) => one.id) }],
      ['PUT', `${packageUrl(quote)}/item-order`, { ids: [first?.id] }],
      ['PATCH', `/api/quotation/customers/${customerId}`, { name: quote.customerName }],
    ];
    for (const [method, url, body] of changes) {
      const answer = await admin.send(method, url, { body });
      expect({ url, status: answer.status }, answer.text).toEqual({ url, status: 200 });
    }
    expect((await admin.send('GET', urlOf(id))).headers['etag']).toBe(before.headers['etag']);
    expect(await readQuote(admin, id)).toEqual(quote);
    expect(await trail()).toEqual(recorded);
  });

  it('may get another customer, under its name', async () => {
    const customerId = randomUUID();
    await createQuote(member, {
      customerId,
      customerName: 'Åström AB',
      customerEmail: 'karin@astrom.example',
    });
    const id = await createQuote(member);
    await member.send('PATCH', urlOf(id), { body: { customerId } });
    const customer = { customerName: 'Åström AB', customerEmail: 'karin@astrom.example' };
    expect(await readQuote(member, id)).toMatchObject({ customerId, ...customer });
  });

  it('changes its currency only before it has a line', async () => {
    const id = await createQuote(member);
    expect((await member.send('PATCH', urlOf(id), { body: { currency: 'EUR' } })).status).toBe(200);
    const packageId = await addPackage(member, id);
    const { id: line } = await addLine(member, { quoteId: id, packageId }, { unitPrice: 0 });
    expect(refusal(await member.send('PATCH', urlOf(id), { body: { currency: 'SEK' } }))).toEqual(frozen);
    await member.send('DELETE', `${itemsUrl({ quoteId: id, packageId })}/${line}`);
    expect((await member.send('PATCH', urlOf(id), { body: { currency: 'SEK' } })).status).toBe(200);
  });

  it('charges no VAT for a reason, until that is taken away', async () => {
    const id = await createQuote(member, { vatRate: 0, vatExemptionReason: 'Reverse charge' });
    const patch = (body: object) => member.send('PATCH', urlOf(id), { body });
    expect(refusal(await patch({ vatRate: 25 }))).toEqual(invalid('vatExemptionReason'));
    expect((await patch({ vatRate: 25, vatExemptionReason: null })).body.data).toMatchObject({
      vatRate: 25,
      vatExemptionReason: null,
    });
  });

  it('is refused a rate that takes its total beyond 15 digits', async () => {
    const line = [9_999_999.9999, 99_999.9999] as const;
    const quote = await quoteOf(member, [[line, line, line, line, line, line, line, line, line]], {
      vatRate: 0,
    });
    const answer = await member.send('PATCH', urlOf(quote.id), { body: { vatRate: 25 } });
    expect(refusal(answer)).toEqual(invalid('vatRate'));
  });

  it('is deleted: it is in no list, its id is unknown, and its number is not given again', async () => {
    const caller = await service.member();
    const numbers = [];
    for (let n = 0; n < 2; n++) {
      const answer = await caller.send('POST', quotesUrl, {
        body: { customerId: randomUUID(), title: 'Roof' },
      });
      numbers.push(answer.body.data.number.slice(-4));
      expect((await caller.send('DELETE', urlOf(answer.body.data.id))).status).toBe(204);
      expect(refusal(await caller.send('GET', urlOf(answer.body.data.id)))).toEqual(notFound);
      expect(refusal(await caller.send('DELETE', urlOf(answer.body.data.id)))).toEqual(notFound);
    }
    expect(numbers).toEqual(['0001', '0002']);
    expect((await caller.send('GET', quotesUrl)).body.meta.total).toBe(0);
  });

  it.each([
    ['nothing', {}, ['body']],
    ['a null title', { title: null }, ['title']],
    ['a total', { totalAmount: 1 }, ['totalAmount']],
    ['a status', { status: 'sent' }, ['status']],
    ['several at once', { title: '', vatRate: 101, x: 1 }, ['title', 'vatRate', 'x']],
  ])('is not changed by %s', async (_, body, fields) => {
    const answer = refusal(await member.send('PATCH', urlOf(await createQuote(member)), { body }));
    expect({ ...answer, fields: answer.fields.toSorted() }).toEqual(invalid(...fields));
  });
});

describe('work packages and lines', () => {
  it('are changed, ids kept, and the sums follow', async () => {
    const quote = await quoteOf(member, [
      [
        [1, 10],
        [2, 20],
      ],
      [[3, 30]],
    ]);
    await member.send('PUT', packageUrl(quote), { body: { name: 'Felt' } });
    await member.send('PATCH', lineUrl(quote, 1), { body: { quantity: 0.5 } });
    const changed = await readQuote(member, quote.id);
    expect(firstPackage(changed)).toMatchObject({
      ...{ id: firstPackage(quote).id, name: 'Felt', subtotal: 20 },
      items: [{ totalPrice: 10 }, { id: firstPackage(quote).items[1]?.id, quantity: 0.5, totalPrice: 10 }],
    });
    expect(changed).toMatchObject({ subtotal: 110, vatAmount: 27.5, totalAmount: 137.5 });
  });

  it('are deleted, and the sums follow', async () => {
    const quote = await quoteOf(member, [
      [
        [1, 0.1],
        [1, 0.2],
      ],
      [[3, 30]],
    ]);
    expect((await member.send('DELETE', lineUrl(quote, 0))).status).toBe(204);
    expect(await readQuote(member, quote.id)).toMatchObject({ subtotal: 90.2, totalAmount: 112.75 });
    expect((await member.send('DELETE', packageUrl(quote, 1))).status).toBe(204);
    expect(await readQuote(member, quote.id)).toMatchObject({ subtotal: 0.2, totalAmount: 0.25 });
    expect((await member.send('DELETE', lineUrl(quote, 1))).status).toBe(204);
    expect(await readQuote(member, quote.id)).toMatchObject({ subtotal: 0, totalAmount: 0 });
  });

  it('are put in order', async () => {
    const quote = await quoteOf(member, [
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      [],
      [],
    ]);
    const lines = firstPackage(quote)
      .items.map(({ id }) => id)
      .toReversed();
    const packages = quote.workPackages.map(({ id }) => id).toReversed();
    const lineOrder = await member.send('PUT', `${packageUrl(quote)}/item-order`, { body: { ids: lines } });
    expect(lineOrder.status).toBe(200);
    await member.send('PUT', `${urlOf(quote.id)}/work-package-order`, { body: { ids: packages } });
    const ordered = await readQuote(member, quote.id);
    expect(ordered.workPackages.map(({ id }) => id)).toEqual(packages);
    expect(ordered.workPackages[2]?.items.map(({ id }) => id)).toEqual(lines);
    const place = { quoteId: quote.id, packageId: firstPackage(quote).id };
    const { id } = await addLine(member, place);
    const last = (await readQuote(member, quote.id)).workPackages[2]?.items.at(-1);
    expect(last?.id).toBe(id);
  });

  it('are put in no order that misses one, names one twice or another one', async () => {
    const quote = await quoteOf(member, [
      [
        [1, 1],
        [2, 1],
      ],
    ]);
    const [one = '', two = ''] = firstPackage(quote).items.map(({ id }) => id);
    for (const ids of [[one], [one, one], [one, two, two], [one, randomUUID()], []]) {
      const answer = await member.send('PUT', `${packageUrl(quote)}/item-order`, { body: { ids } });
      expect(refusal(answer)).toEqual(invalid('ids'));
    }
  });

  it('are 100 and 500 at most', async () => {
    const id = await createQuote(member);
    for (let n = 0; n < 100; n++) await addPackage(member, id);
    const more = await member.send('POST', `${urlOf(id)}/work-packages`, { body: { name: 'More' } });
    expect(refusal(more)).toEqual(invalid('workPackages'));
    const place = { quoteId: id, packageId: firstPackage(await readQuote(member, id)).id };
    for (let n = 0; n < 500; n++) await addLine(member, place);
    const body = { description: 'More', quantity: 1, unit: 'sqm', unitPrice: 1 };
    expect(refusal(await member.send('POST', itemsUrl(place), { body }))).toEqual(invalid('items'));
    expect((await readQuote(member, id)).subtotal).toBe(5_000);
  });

  it('of another package, quote or organization are not there', async () => {
    const [quote, other] = [await quoteOf(member, [[[1, 1]], []]), await quoteOf(member, [[[1, 1]]])];
    const line = firstPackage(quote).items[0]?.id ?? '';
    const wrong = [
      `${packageUrl(quote, 1)}/items/${line}`,
      `${packageUrl(other)}/items/${line}`,
      `${packageUrl(quote)}/items/${randomUUID()}`,
      `${urlOf(other.id)}/work-packages/${firstPackage(quote).id}`,
    ];
    for (const url of wrong) expect(refusal(await member.send('DELETE', url)), url).toEqual(notFound);
    const stranger = await service.member();
    for (const url of [packageUrl(quote), lineUrl(quote), urlOf(quote.id)]) {
      expect(refusal(await stranger.send('DELETE', url)), url).toEqual(notFound);
    }
    expect(await readQuote(member, quote.id)).toEqual(quote);
  });
});

describe('of two who change the same version', () => {
  const changes: [string, 'PATCH' | 'DELETE' | 'PUT' | 'POST', (quote: AnsweredQuote) => string, object?][] =
    [
      ['a quote', 'PATCH', ({ id }) => urlOf(id), { title: 'Other' }],
      ['a deletion', 'DELETE', ({ id }) => urlOf(id)],
      ['a package', 'PATCH', (quote) => packageUrl(quote), { name: 'Other' }],
      ['the deletion of a package', 'DELETE', (quote) => packageUrl(quote)],
      ['a line', 'PATCH', (quote) => lineUrl(quote), { quantity: 2 }],
      ['the deletion of a line', 'DELETE', (quote) => lineUrl(quote)],
      ['a new package', 'POST', ({ id }) => `${urlOf(id)}/work-packages`, { name: 'More' }],
    ];
  it.each(changes)('the second is refused: %s', async (_, method, url, body) => {
    const quote = await quoteOf(member, [[[1, 1]]]);
    const { headers } = await member.send('GET', urlOf(quote.id));
    const ifMatch = { 'if-match': String(headers['etag']) };
    await member.send('PATCH', lineUrl(quote), { body: { unit: 'hours' } });
    const sent = { headers: ifMatch, ...(body && { body }) };
    const refused = refusal(await member.send(method, url(quote), sent));
    expect(refused).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const fresh = await member.send('GET', urlOf(quote.id));
    const again = { ...sent, headers: { 'if-match': String(fresh.headers['etag']) } };
    expect((await member.send(method, url(quote), again)).status).toBeLessThan(300);
  });

  it('a change answers the version that the next one needs', async () => {
    const quote = await quoteOf(member, [[[1, 1]], []]);
    const item = { description: 'Felt', quantity: 1, unit: 'sqm', unitPrice: 10 };
    let { etag } = (await member.send('GET', urlOf(quote.id))).headers;
    for (const [method, url, body] of [
      ['PATCH', lineUrl(quote), { unit: 'hours' }],
      ['PATCH', packageUrl(quote), { name: 'Felt' }],
      ['PATCH', urlOf(quote.id), { title: 'Felt' }],
      ['POST', `${urlOf(quote.id)}/work-packages`, { name: 'More' }],
      ['POST', `${packageUrl(quote)}/items`, item],
      ['DELETE', lineUrl(quote)],
      ['DELETE', packageUrl(quote, 1)],
      ['POST', `${urlOf(quote.id)}/send`, { recipientEmail: 'karin@astrom.example' }],
    ] as const) {
      const sent = { headers: { 'if-match': String(etag) }, ...(body && { body }) };
      const answer = await member.send(method, url, sent);
      expect([method, url, answer.status < 300, answer.headers['etag'] === etag]).toEqual([
        ...[method, url],
        ...[true, false],
      ]);
      ({ etag } = answer.headers);
    }
    expect((await member.send('GET', urlOf(quote.id))).headers['etag']).toBe(etag);
  });
});

it('what was sent is frozen [S-123]', async () => {
  const quote = await quoteOf(member, [[[1, 10]]]);
  await sendQuote(member, quote.id);
  const sent = await readQuote(member, quote.id);
  const ids = firstPackage(quote).items.map(({ id }) => id);
  for (const [method, url, body] of [
    ['PATCH', urlOf(quote.id), { title: 'Other' }],
    ['PUT', urlOf(quote.id), { vatRate: 12 }],
    ['DELETE', urlOf(quote.id), undefined],
    ['PATCH', packageUrl(quote), { name: 'Other' }],
    ['DELETE', packageUrl(quote), undefined],
    ['PATCH', lineUrl(quote), { unitPrice: 1 }],
    ['DELETE', lineUrl(quote), undefined],
    ['PUT', `${packageUrl(quote)}/item-order`, { ids }],
    ['PUT', `${urlOf(quote.id)}/work-package-order`, { ids: [firstPackage(quote).id] }],
  ] as const) {
    const answer = await member.send(method, url, body && { body });
    expect(refusal(answer), `${method} ${url}`).toEqual(frozen);
  }
  expect(await readQuote(member, quote.id)).toEqual(sent);
});
