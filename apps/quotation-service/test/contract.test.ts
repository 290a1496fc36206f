import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  itemsUrl,
  matching,
  quotesUrl,
  startService,
  timestamp,
  uuid,
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

const meta = { timestamp, requestId: matching(/./) };

describe('the published contract', () => {
  it('POST /api/quotation/quotes answers 201 with id and number', async () => {
    const body = {
      customerId: randomUUID(),
      title: 'New roof',
      description: 'Felt and tiles',
      validUntil: '2099-12-31T23:59:59Z',
    };
    const answer = await member.send('POST', quotesUrl, { body });
    expect(answer.status).toBe(201);
    const number = matching(new RegExp(`^Q-${new Date().getUTCFullYear()}-\\d{4}$`));
    expect(answer.body).toEqual({ data: { id: uuid, number }, error: null, meta });
    expect(answer.headers['location']).toBe(`${quotesUrl}/${answer.body.data.id}`);
  });

  it('POST …/work-packages answers 201 with id', async () => {
    const quoteId = await createQuote(member);
    const answer = await member.send('POST', `${quotesUrl}/${quoteId}/work-packages`, {
      body: { name: 'Roof', description: 'All of it' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ data: { id: uuid }, error: null, meta });
  });

  it('POST …/items answers 201 with id and totalPrice', async () => {
    const quoteId = await createQuote(member);
    const packageId = await addPackage(member, quoteId);
    const answer = await member.send('POST', itemsUrl({ quoteId, packageId }), {
      body: {
        articleNumber: 'R-100',
        description: 'Roofing felt',
        quantity: 7.25,
        unit: 'hours',
        unitPrice: 485.5,
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ data: { id: uuid, totalPrice: 3519.88 }, error: null, meta });
  });

  it('GET /api/quotation/quotes/{id} answers the quote with its packages, items and totals', async () => {
    const customerId = randomUUID();
    const quoteId = await createQuote(member, { customerId, customerName: 'Åström AB', description: 'Felt' });
    const packageId = await addPackage(member, quoteId, { description: 'All of it' });
    const line = { articleNumber: 'R-100', description: 'Felt', quantity: 3, unit: 'sqm', unitPrice: 33.335 };
    const { id } = await addLine(member, { quoteId, packageId }, line);
    const answer = await member.send('GET', `${quotesUrl}/${quoteId}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        ...{ id: quoteId, number: matching(/^Q-/), customerId, customerName: 'Åström AB', title: 'New roof' },
        description: 'Felt',
        workPackages: [
          {
            ...{ id: packageId, name: 'Roof', description: 'All of it' },
            items: [{ id, ...line, totalPrice: 100.01 }],
            subtotal: 100.01,
          },
        ],
        ...{ subtotal: 100.01, vatRate: 25, vatAmount: 25, totalAmount: 125.01, currency: 'SEK' },
        ...{ status: 'draft', validUntil: timestamp, createdAt: timestamp, updatedAt: timestamp },
        ...{ customerEmail: null, customerAddress: null, customerVatNumber: null, revision: 1 },
        ...{ vatExemptionReason: null, sentAt: null, supersededBy: null },
        ...{ allowedTransitions: ['sent'], decision: null, contractedAt: null, openedAt: null },
      },
      error: null,
      meta,
    });
  });

  it('GET /api/quotation/quotes answers the list form, with total, page and pageSize', async () => {
    const caller = await service.member();
    const customerId = randomUUID();
    const id = await createQuote(caller, { customerId });
    await createQuote(caller);
    const answer = await caller.send('GET', `${quotesUrl}?customerId=${customerId}&status=draft`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        {
          ...{ id, number: matching(/^Q-/), customerId, customerName: '', title: 'New roof', totalAmount: 0 },
          ...{ currency: 'SEK', status: 'draft', validUntil: timestamp, createdAt: timestamp },
        },
      ],
      error: null,
      meta: { total: 1, page: 1, pageSize: 10 },
    });
  });

  it('POST …/send answers 200 with status and sentAt', async () => {
    const id = await createQuote(member);
    const answer = await member.send('POST', `${quotesUrl}/${id}/send`, {
      body: { recipientEmail: 'karin@astrom.example', message: 'As discussed.' },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { status: 'sent', sentAt: timestamp }, error: null, meta });
  });
});
