import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  quotesUrl,
  refusal,
  sendQuote,
  startService,
  timestamp,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let member: Caller;
const customerId = randomUUID();
const ids: string[] = [];
beforeAll(async () => {
  service = await startService();
  member = await service.member();
  for (let n = 1; n <= 12; n++) {
    const id = await createQuote(member, {
      customerId: n % 2 === 0 ? customerId : randomUUID(),
      customerName: n % 2 === 0 ? 'Åström AB' : `Customer ${n}`,
      title: `Roof ${n}`,
      validUntil: `2099-01-${String(13 - n).padStart(2, '0')}`,
    });
    ids.push(id);
    if (n % 3 === 0) await sendQuote(member, id);
  }
  for (const [n, unitPrice] of [
    [8, 10],
    [7, 20],
  ] as const) {
    const quoteId = ids[n - 1] ?? '';
    await addLine(member, { quoteId, packageId: await addPackage(member, quoteId) }, { unitPrice });
  }
  await createQuote(await service.member());
});
afterAll(() => service.close());

const list = async (query: string) => {
  const { body } = await member.send('GET', `${quotesUrl}?${query}`);
  return { titles: body.data.map(({ title }) => title.slice('Roof '.length)).join(' '), meta: body.meta };
};

describe('the list of quotes', () => {
  it.each([
    ['', '12 11 10 9 8 7 6 5 4 3', 12],
    ['page=2', '2 1', 12],
    ['page=3', '', 12],
    ['pageSize=100&sort=createdAt', '1 2 3 4 5 6 7 8 9 10 11 12', 12],
    ['sort=-number&pageSize=3', '12 11 10', 12],
    ['sort=number&pageSize=3&page=2', '4 5 6', 12],
    ['sort=validUntil&pageSize=3', '12 11 10', 12],
    ['sort=-validUntil&pageSize=3', '1 2 3', 12],
    ['sort=-totalAmount&pageSize=4', '7 8 12 11', 12],
    ['sort=totalAmount&page=2', '8 7', 12],
    ['sort=customerName', '2 4 6 8 10 12 1 11 3 5', 12],
    ['sort=-customerName&pageSize=3', '9 7 5', 12],
    ['sort=-updatedAt&pageSize=4', '7 8 12 11', 12],
    ['sort=updatedAt&pageSize=3&page=4', '12 8 7', 12],
    ['sort=-sentAt&pageSize=6', '12 9 6 3 11 10', 12],
    ['sort=sentAt&pageSize=6&page=2', '10 11 3 6 9 12', 12],
    ['status=sent', '12 9 6 3', 4],
    ['status=sent,accepted', '12 9 6 3', 4],
    ['status=sent,sent&sort=sentAt', '3 6 9 12', 4],
    ['status=sent,draft&sort=-totalAmount&pageSize=2&page=2', '12 11', 12],
    ['validUntilFrom=2099-01-10T00:00:00Z', '3 2 1', 3],
    ['validUntilTo=2099-01-03T00:00:00Z&sort=validUntil', '12 11', 2],
    ['validUntilFrom=2099-01-04T23:59:59.999Z&validUntilTo=2099-01-07T23:59:59.999Z', '9 8 7', 3],
    ['validUntilFrom=2099-01-05T00:00:00Z&status=draft&sort=-totalAmount', '7 8 5 4 2 1', 6],
    [`validUntilTo=2099-01-09T00:00:00Z&customerId=${customerId}&search=roof`, '12 10 8 6', 4],
    [`customerId=${customerId}&sort=-totalAmount&pageSize=2`, '8 12', 6],
    ['search=astrom&sort=-updatedAt&pageSize=3', '8 12 10', 6],
    ['search=roof&sort=customerName&pageSize=2&page=4', '1 11', 12],
    ['status=accepted', '', 0],
    ['status=draft&pageSize=2&page=4', '2 1', 8],
    [`customerId=${customerId}&pageSize=2&page=2`, '8 6', 6],
    [`customerId=${customerId}&status=sent`, '12 6', 2],
    [`customerId=${customerId}&page=9`, '', 6],
    [`customerId=${randomUUID()}`, '', 0],
    ['search=ASTROM', '12 10 8 6 4 2', 6],
    ['search=roof%2012', '12', 1],
    ['search=-0003', '3', 1],
    ['search=%25', '', 0],
    ['search=astrom&status=sent', '12 6', 2],
    [`search=roof&customerId=${customerId}&sort=number&pageSize=2&page=2`, '6 8', 6],
    ['search=roof&page=9', '', 12],
    ['search=%20', '12 11 10 9 8 7 6 5 4 3', 12],
  ])('of %s is %s, of %d in all', async (query, titles, total) => {
    const found = await list(query);
    expect({ titles: found.titles, total: found.meta.total }).toEqual({ titles, total });
    expect(Object.keys(found.meta).sort()).toEqual(['page', 'pageSize', 'total']);
  });

  it('shows what else is asked for, and nothing else', async () => {
    const read = async (query: string) =>
      (await member.send('GET', `${quotesUrl}?pageSize=1&${query}`)).body.data[0];
    const plain = await read('status=sent');
    expect(await read('status=sent&include=version,sentAt,openedAt,decidedAt,updatedAt,revision')).toEqual({
      ...plain,
      ...{
        version: 2,
        revision: 1,
        sentAt: timestamp,
        openedAt: null,
        decidedAt: null,
        updatedAt: timestamp,
      },
    });
    expect(await read('status=draft&include=sentAt')).toMatchObject({ sentAt: null });
    expect(Object.keys(plain ?? {})).not.toContain('sentAt');
  });

  it.each([
    ['page=0', 'page'],
    ['page=1e3', 'page'],
    ['pageSize=101', 'pageSize'],
    ['status=paid', 'status'],
    ['status=sent,paid', 'status'],
    ['include=seller', 'include'],
    ['validUntilFrom=2099-01-01', 'validUntilFrom'],
    ['validUntilTo=soon', 'validUntilTo'],
    ['customerId=5', 'customerId'],
    ['sort=title', 'sort'],
    ['budget=1', 'budget'],
  ])('refuses %s, naming it', async (query, field) => {
    const answer = refusal(await member.send('GET', `${quotesUrl}?${query}`));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
  });
});
