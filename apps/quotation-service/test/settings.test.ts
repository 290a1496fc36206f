import { randomUUID } from 'node:crypto';
import { openTestFeed, type TestFeed } from '@tenantry/service-tests';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createQuote, quotesUrl, readQuote, startService, type TestService } from './support/service.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
let feed: TestFeed;
let service: TestService;
beforeAll(async () => {
  feed = await openTestFeed();
  service = await startService({ env: feed.env, now: () => now });
});
afterAll(async () => {
  await service.close();
  await feed.close();
});

const organization = (organizationId: string, settings: object = {}, type = 'organization.updated') => ({
  ...{ type, organizationId, name: 'Tak & Bygg', slug: 'tak', createdAt: now.toISOString() },
  settings: {
    ...{ defaultCurrency: 'EUR', vatRate: 24, quoteNumberPrefix: 'TB', requireTwoFactor: false },
    ...settings,
  },
});
const newQuote = async (organizationId: string) => {
  const member = await service.member({ organizationId });
  return readQuote(member, await createQuote(member));
};

describe('what an organization has decided', () => {
  it('is what its quotes begin with, as soon as auth-service tells it', async () => {
    const organizationId = randomUUID();
    expect(await newQuote(organizationId)).toMatchObject({
      number: 'Q-2026-0001',
      currency: 'SEK',
      vatRate: 25,
    });
    feed.tell(organization(organizationId));
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('EUR'), 10_000);
    feed.tell(organization(organizationId, { vatRate: 10, quoteNumberPrefix: 'OFF' }));
    await vi.waitFor(async () => {
      const { number, vatRate } = await newQuote(organizationId);
      expect([number.slice(0, 8), vatRate]).toEqual(['OFF-2026', 10]);
    }, 10_000);
  });

  it('is no other organization’s', async () => {
    const organizationId = randomUUID();
    feed.tell(organization(organizationId));
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('EUR'), 10_000);
    expect(await newQuote(randomUUID())).toMatchObject({ currency: 'SEK' });
  });

  it('changes no quote that is there, and goes on with its numbers', async () => {
    const organizationId = randomUUID();
    const before = await newQuote(organizationId);
    feed.tell(organization(organizationId));
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('EUR'), 10_000);
    const member = await service.member({ organizationId });
    expect(await readQuote(member, before.id)).toEqual(before);
    const { body } = await member.send('GET', `${quotesUrl}?sort=number&pageSize=100`);
    expect(body.data.map(({ number }) => Number(number.slice(-4)))).toEqual(body.data.map((_, n) => n + 1));
  });

  it('stands in the contract as it was when the quote was sent', async () => {
    const organizationId = randomUUID();
    feed.tell(organization(organizationId));
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('EUR'), 10_000);
    const member = await service.member({ organizationId });
    const id = await createQuote(member);
    for (const move of ['send', 'accept', 'contract']) {
      const body = move === 'send' ? { body: { recipientEmail: 'karin@astrom.example' } } : {};
      expect((await member.send('POST', `${quotesUrl}/${id}/${move}`, body)).status, move).toBeLessThan(300);
      feed.tell({ ...organization(organizationId), name: `Renamed before ${move}` });
    }
    const { body } = await member.send('GET', `${quotesUrl}/${id}/contract`);
    expect(body.data).toMatchObject({ seller: { name: 'Tak & Bygg', address: '', vatNumber: '' } });
  });

  it('is kept while auth-service is away, and forgotten with the organization', async () => {
    const organizationId = randomUUID();
    feed.tell(organization(organizationId));
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('EUR'), 10_000);
    feed.isAway = true;
    expect((await newQuote(organizationId)).currency).toBe('EUR');
    feed.isAway = false;
    feed.tell({ type: 'organization.deleted', organizationId });
    await vi.waitFor(async () => expect((await newQuote(organizationId)).currency).toBe('SEK'), 15_000);
  });
});
