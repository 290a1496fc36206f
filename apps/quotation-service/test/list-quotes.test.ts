import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createQuote,
  quotesUrl,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let member: Caller;
const customerId = randomUUID();
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
    if (n % 3 === 0) await sendQuote(member, id);
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
    ['status=sent', '12 9 6 3', 4],
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

  it.each([
    ['page=0', 'page'],
    ['page=1e3', 'page'],
    ['pageSize=101', 'pageSize'],
    ['status=paid', 'status'],
    ['customerId=5', 'customerId'],
    ['sort=title', 'sort'],
    ['budget=1', 'budget'],
  ])('refuses %s, naming it', async (query, field) => {
    const answer = refusal(await member.send('GET', `${quotesUrl}?${query}`));
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
  });
});
