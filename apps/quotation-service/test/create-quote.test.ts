import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  answered,
  createQuote,
  invalid,
  itemsUrl,
  quotesUrl,
  readQuote,
  notFound,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService({ now: () => now });
  member = await service.member();
});
afterAll(() => service.close());

const minimal = { customerId: '0198a1b2-0c3d-7000-8000-4e5f60718293', title: 'New roof' };
const post = (body: unknown) => member.send('POST', quotesUrl, { body });

describe('a new quote', () => {
  it('needs a customer and a title alone', async () => {
    const id = await createQuote(member, minimal);
    expect(await readQuote(member, id)).toMatchObject({
      ...minimal,
      ...{
        description: '',
        customerName: '',
        customerEmail: null,
        status: 'draft',
        revision: 1,
        workPackages: [],
      },
      ...{ subtotal: 0, vatRate: 25, vatAmount: 0, totalAmount: 0, currency: 'SEK' },
      validUntil: '2026-12-21T23:59:59.999Z',
    });
  });

  it('has its own currency, rate and reason for no VAT', async () => {
    const quote = { currency: 'EUR', vatRate: 0, vatExemptionReason: 'Reverse charge' };
    expect(await readQuote(member, await createQuote(member, quote))).toMatchObject(quote);
  });

  it('is valid until the end of a day', async () => {
    const id = await createQuote(member, { validUntil: '2027-01-31' });
    expect((await readQuote(member, id)).validUntil).toBe('2027-01-31T23:59:59.999Z');
    const ancient = await createQuote(member, { validUntil: '0050-03-01' });
    expect((await readQuote(member, ancient)).validUntil).toBe('0050-03-01T23:59:59.999Z');
  });

  it('may be over already: it is stored, and the answer says so', async () => {
    const answer = await post({ ...minimal, validUntil: '2026-11-20' });
    expect(answer.status).toBe(201);
    expect(answer.body.meta.warnings).toMatchObject([{ code: 'VALID_UNTIL_PAST' }]);
    expect((await readQuote(member, answer.body.data.id)).validUntil).toBe('2026-11-20T23:59:59.999Z');
    expect((await post(minimal)).body.meta).not.toHaveProperty('warnings');
  });

  it('is numbered from 1 in each organization and year, whatever is refused in between', async () => {
    const caller = await service.member();
    for (const number of ['Q-2026-0001', 'Q-2026-0002']) {
      const answer = await caller.send('POST', quotesUrl, { body: minimal });
      expect(answer.body.data.number).toBe(number);
      await caller.send('POST', quotesUrl, { body: { ...minimal, currency: 'XXX' } });
    }
  });

  it('is made once under one Idempotency-Key', async () => {
    const caller = await service.member();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = [];
    for (let n = 0; n < 2; n++)
      answers.push(await caller.send('POST', quotesUrl, { body: minimal, headers }));
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect((await caller.send('GET', quotesUrl)).body.meta.total).toBe(1);
  });

  it('is recorded in the audit trail by its number, like what is done to it until it is gone', async () => {
    const userId = randomUUID();
    const admin = await service.member({ role: 'admin', sub: userId, name: 'Ingrid' });
    const id = await createQuote(admin, { description: 'Felt' });
    const { number } = (await admin.send('GET', `${quotesUrl}/${id}`)).body.data;
    const body = { title: 'Roof', description: 'Felt' };
    await admin.send('PATCH', `${quotesUrl}/${id}`, { body });
    await admin.send('DELETE', `${quotesUrl}/${id}`);
    const trail = await admin.send('GET', '/api/quotation/audit');
    const actor = { kind: 'user', userId, name: 'Ingrid' };
    const common = { actor, target: { type: 'quote', id, name: number } };
    expect(trail.body.data).toMatchObject([
      { ...common, action: 'quote.deleted', details: {} },
      { ...common, action: 'quote.updated', details: { fields: ['title'] } },
      { ...common, action: 'quote.created', details: {} },
    ]);
  });

  it('is changed in the trail from what it was to what it is, with numbers and dates alone [S-357]', async () => {
    const admin = await service.member({ role: 'admin' });
    const quoteId = await createQuote(admin, { validUntil: '2099-01-31T12:00:00Z' });
    const packageId = await addPackage(admin, quoteId);
    const line = await addLine(admin, { quoteId, packageId }, { quantity: 2, unitPrice: 100 });
    const body = {
      vatRate: 12,
      validUntil: '2099-02-28T12:00:00Z',
      title: 'For Karin',
      customerId: randomUUID(),
    };
    await admin.send('PATCH', `${quotesUrl}/${quoteId}`, { body: { ...body, customerName: 'Karin Åström' } });
    const changes = { unitPrice: 120.5, description: 'At the door of Karin' };
    await admin.send('PATCH', `${itemsUrl({ quoteId, packageId })}/${line.id}`, { body: changes });
    const asked = admin.send('GET', '/api/quotation/audit?pageSize=2');
    const trail = await answered<readonly { details: object }[]>(asked);
    expect(trail.map(({ details }) => details)).toEqual([
      {
        ...{ workPackageId: packageId, lineItemId: line.id, added: 41 },
        fields: ['description', 'unitPrice'],
        values: { unitPrice: { from: 100, to: 120.5 } },
      },
      {
        fields: ['customerId', 'customerName', 'title', 'validUntil', 'vatRate'],
        values: {
          validUntil: { from: '2099-01-31T12:00:00.000Z', to: '2099-02-28T12:00:00.000Z' },
          vatRate: { from: 25, to: 12 },
        },
      },
    ]);
  });

  it('is done by a key within its scope, as the service account that it belongs to [S-98]', async () => {
    const [admin, stranger] = [await service.member({ role: 'admin' }), await service.member()];
    const { organizationId } = admin;
    const userId = randomUUID();
    const account = { organizationId, sub: userId, name: 'Web shop' };
    const key = await service.serviceAccount({ ...account, scope: 'quotes:read quotes:write' });
    const id = await createQuote(key);
    expect((await key.send('GET', `${quotesUrl}/${id}`)).status).toBe(200);
    const theirs = await createQuote(stranger);
    expect(refusal(await key.send('GET', `${quotesUrl}/${theirs}`))).toEqual(notFound);
    const trail = await admin.send('GET', '/api/quotation/audit');
    const actor = { kind: 'service-account', userId, name: 'Web shop' };
    expect(trail.body.data).toMatchObject([{ action: 'quote.created', actor }]);
    for (const claims of [{ scope: 'quotes:read' }, { base: 'guest', scope: 'quotes:write' }]) {
      const other = await service.serviceAccount({ ...account, ...claims });
      const refused = refusal(await other.send('POST', quotesUrl, { body: minimal }));
      expect(refused).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
  });

  it.each([
    ['nothing', {}, ['customerId', 'title']],
    ['a customer that is no id', { ...minimal, customerId: '5' }, ['customerId']],
    ['a blank title', { ...minimal, title: ' ' }, ['title']],
    ['a title of 201 characters', { ...minimal, title: 't'.repeat(201) }, ['title']],
    ['a description of 5,001 characters', { ...minimal, description: 'd'.repeat(5_001) }, ['description']],
    ['a day that is none', { ...minimal, validUntil: '2026-02-29' }, ['validUntil']],
    ['a moment without a zone', { ...minimal, validUntil: '2026-02-28T12:00:00' }, ['validUntil']],
    ['a moment beyond year 9999', { ...minimal, validUntil: '9999-12-31T23:59:59-12:00' }, ['validUntil']],
    ['a currency that is not in use', { ...minimal, currency: 'XXX' }, ['currency']],
    ['a currency in small letters', { ...minimal, currency: 'sek' }, ['currency']],
    ['a currency of three decimals', { ...minimal, currency: 'KWD' }, ['currency']],
    ['a rate over 100', { ...minimal, vatRate: 100.01 }, ['vatRate']],
    ['a rate of three decimals', { ...minimal, vatRate: 12.345 }, ['vatRate']],
    [
      'a reason for no VAT where there is VAT',
      { ...minimal, vatExemptionReason: 'Reverse charge' },
      ['vatExemptionReason'],
    ],
    ['work packages', { ...minimal, workPackages: [] }, ['workPackages']],
    ['several at once', { title: '', vatRate: -1, x: 1 }, ['customerId', 'title', 'vatRate', 'x']],
  ])('is refused with %s, naming the field', async (_, body, fields) => {
    const answer = refusal(await post(body));
    expect({ ...answer, fields: answer.fields.toSorted() }).toEqual(invalid(...fields));
  });

  it('keeps the longest texts that it takes, and finds them', async () => {
    const quote = {
      customerName: '한'.repeat(200),
      title: '글'.repeat(200),
      description: '🦊'.repeat(5_000),
    };
    expect(await readQuote(member, await createQuote(member, quote))).toMatchObject(quote);
    const found = await member.send('GET', `${quotesUrl}?search=${encodeURIComponent('글글')}`);
    expect(found.body.meta.total).toBe(1);
  });
});
