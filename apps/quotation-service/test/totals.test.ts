import { randomUUID } from 'node:crypto';
import { isCurrency, minorDigits } from '@tenantry/money';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  firstPackage,
  invalid,
  itemsUrl,
  quoteOf,
  quotesUrl,
  readQuote,
  refusal,
  startService,
  type Caller,
  type PackagePlace,
  type TestService,
} from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

async function newPackage(quote: Readonly<Record<string, unknown>> = {}): Promise<PackagePlace> {
  const quoteId = await createQuote(member, quote);
  return { quoteId, packageId: await addPackage(member, quoteId) };
}

describe('the price of a line', () => {
  it.each([
    [1.005, 1, 1.01],
    [3, 33.335, 100.01],
    [2.675, 1, 2.68],
    [7.25, 485.5, 3519.88],
    [10.0005, 12.3456, 123.46],
    [1, 0, 0],
    [9_999_999.9999, 99_999.9999, 999_999_998_990],
  ])('%d × %d is %d', async (quantity, unitPrice, totalPrice) => {
    const place = await newPackage();
    expect((await addLine(member, place, { quantity, unitPrice })).totalPrice).toBe(totalPrice);
    const { items } = firstPackage(await readQuote(member, place.quoteId));
    expect(items[0]).toMatchObject({ quantity, unitPrice, totalPrice });
  });

  it('is rounded to the minor unit of the currency', async () => {
    const place = await newPackage({ currency: 'JPY' });
    expect((await addLine(member, place, { quantity: 1.5, unitPrice: 99 })).totalPrice).toBe(149);
  });

  const line = { description: 'Felt', quantity: 1, unit: 'sqm', unitPrice: 1 };
  it.each([
    ['nothing', {}, ['description', 'quantity', 'unit', 'unitPrice']],
    ['no quantity', { ...line, quantity: 0 }, ['quantity']],
    ['a negative quantity', { ...line, quantity: -1 }, ['quantity']],
    ['five decimals of quantity', { ...line, quantity: 0.00001 }, ['quantity']],
    ['too large a quantity', { ...line, quantity: 10_000_000 }, ['quantity']],
    ['a negative price', { ...line, unitPrice: -0.01 }, ['unitPrice']],
    ['five decimals of price', { ...line, unitPrice: 1.00001 }, ['unitPrice']],
    ['too large a price', { ...line, unitPrice: 100_000_000 }, ['unitPrice']],
    ['a price that is text', { ...line, unitPrice: '1.00' }, ['unitPrice']],
    ['null for a price', { ...line, unitPrice: null }, ['unitPrice']],
    ['a total', { ...line, totalPrice: 1 }, ['totalPrice']],
    ['a line that is too large', { ...line, quantity: 9_999_999, unitPrice: 99_999_999 }, ['unitPrice']],
    ['a blank unit', { ...line, unit: ' ' }, ['unit']],
    [
      'several at once',
      { ...line, quantity: 0, unitPrice: 0.00001, unit: '' },
      ['quantity', 'unit', 'unitPrice'],
    ],
  ])('is refused for %s, which is named and never rounded [S-120]', async (_, body, fields) => {
    const place = await newPackage();
    const answer = refusal(await member.send('POST', itemsUrl(place), { body }));
    expect({ ...answer, fields: answer.fields.toSorted() }).toEqual(invalid(...fields));
    expect((await readQuote(member, place.quoteId)).subtotal).toBe(0);
  });
});

describe('the totals of a quote', () => {
  it.each([
    [4414.87, 25, 1103.72, 5518.59],
    [4414.87, 12, 529.78, 4944.65],
    [4414.87, 6, 264.89, 4679.76],
    [4414.87, 0, 0, 4414.87],
  ])('of %d with VAT at %d: %d and %d in all', async (price, vatRate, vatAmount, totalAmount) => {
    const quote = await quoteOf(member, [[[1, price]]], { vatRate });
    expect(quote).toMatchObject({ subtotal: price, vatRate, vatAmount, totalAmount });
  });

  it('take VAT of the sum, and not of each line', async () => {
    const lines = Array.from({ length: 7 }, () => [1.333, 12.35] as const);
    const quote = await quoteOf(member, [lines]);
    expect(quote).toMatchObject({ subtotal: 115.22, vatAmount: 28.81, totalAmount: 144.03 });
  });

  it('are the sum of the packages, each the sum of its lines', async () => {
    const quote = await quoteOf(member, [
      [
        [1, 0.1],
        [1, 0.2],
      ],
      [[3, 33.335]],
      [],
    ]);
    expect(quote.workPackages.map(({ subtotal }) => subtotal)).toEqual([0.3, 100.01, 0]);
    expect(quote).toMatchObject({ subtotal: 100.31, vatAmount: 25.08, totalAmount: 125.39 });
  });

  it('have 15 digits at most', async () => {
    const place = await newPackage();
    const line = { quantity: 9_999_999.9999, unitPrice: 99_999.9999 };
    for (let n = 0; n < 8; n++) await addLine(member, place, line);
    expect((await readQuote(member, place.quoteId)).totalAmount).toBe(9_999_999_989_900);
    const body = { description: 'Felt', unit: 'sqm', ...line };
    expect(refusal(await member.send('POST', itemsUrl(place), { body }))).toEqual(invalid('unitPrice'));
    expect(firstPackage(await readQuote(member, place.quoteId)).items).toHaveLength(8);
  });

  it.each(['subtotal', 'vatAmount', 'totalAmount', 'number', 'status'])(
    'come from the server alone: %s is refused [S-120]',
    async (field) => {
      const body = { customerId: randomUUID(), title: 'New roof', [field]: 1 };
      expect(refusal(await member.send('POST', quotesUrl, { body }))).toEqual(invalid(field));
    },
  );
});

describe('the database refuses by itself', () => {
  const change = async (table: string, set: string) => {
    const { id } = await quoteOf(member, [[[3, 33.335]]]);
    return admin.query(`UPDATE ${table} SET ${set} WHERE ${table === 'quotes' ? 'id' : 'quote_id'} = $1`, [
      id,
    ]);
  };

  it.each([
    ['quotes', 'vat_amount = vat_amount + 0.01'],
    ['quotes', 'total_amount = total_amount + 0.01'],
    ['quotes', 'subtotal = subtotal + 1'],
    ['quotes', 'vat_rate = 101'],
    ['quotes', "status = 'paid'"],
    ['quotes', "status = 'sent'"],
    ['quotes', "vat_exemption_reason = 'Reverse charge'"],
    ['quotes', "currency = 'KWD'"],
    ['line_items', 'total_price = total_price + 0.01'],
    ['line_items', 'quantity = quantity * 2'],
    ['line_items', 'quantity = 0, total_price = 0'],
    ['line_items', 'unit_price = -1, total_price = -3'],
    ['work_packages', 'subtotal = -1'],
    ['work_packages', 'item_count = 501'],
  ])('what is wrong in %s: %s [S-120]', async (table, set) => {
    await expect(change(table, set)).rejects.toMatchObject({ code: '23514' });
  });

  it('another currency once there is a line', async () => {
    await expect(change('quotes', "currency = 'EUR'")).rejects.toMatchObject({ code: '23503' });
  });

  it('a total of another currency than the table of minor units gives, which is that of @tenantry/money', async () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const codes = letters
      .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
      .filter(isCurrency);
    const { rows } = await admin.query<{ code: string; digits: number }>(
      'SELECT code, app.minor_digits(code) AS digits FROM unnest($1::text[]) AS code',
      [codes],
    );
    expect(rows.filter(({ code, digits }) => digits !== minorDigits(code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(150);
  });
});
