import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPages } from './support/pdf-text.ts';
import {
  customersUrl,
  notFound,
  organizationOf,
  post,
  quoteOf,
  quotesUrl,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
let service: TestService;
beforeAll(async () => {
  service = await startService({ now: () => now });
});
afterAll(() => service.close());

const pathOf = (id: string) => `${quotesUrl}/${id}/contract/pdf`;

async function answerTo({ organizationId }: Caller, id: string, language = 'en') {
  const authorization = `Bearer ${await service.issuer.token({ organizationId })}`;
  return service.app.inject({ url: `${pathOf(id)}?language=${language}`, headers: { authorization } });
}

/** The text of a contract, of all its pages. */
async function textOf(caller: Caller, id: string, language?: string): Promise<string> {
  const { rawPayload } = await answerTo(caller, id, language);
  return (await textOfPages(Uint8Array.from(rawPayload))).join(' ');
}

/** A quote that its customer has accepted by the link. */
async function accepted(caller: Caller, quote: Readonly<Record<string, unknown>> = {}) {
  const made = await quoteOf(caller, [[[3, 33.335]], [[1, 20]]], quote);
  await sendQuote(caller, made.id);
  const { url } = await post<{ url: string }>(caller, `${quotesUrl}/${made.id}/link`, {});
  const [token = ''] = /quote_[\w-]{86}/.exec(url) ?? [];
  const { statusCode } = await service.app.inject({
    ...{ method: 'POST', url: '/api/quotation/offer/accept' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token, name: 'Karin Åström' }).toString(),
  });
  expect(statusCode).toBe(303);
  return made;
}

describe('the contract of a quote as PDF', () => {
  it('is what was agreed, and stays that whatever is renamed [S-356]', async () => {
    const admin = await service.member({ role: 'admin' });
    const customerId = randomUUID();
    const { id, number } = await accepted(admin, { customerId, customerName: 'Brf Näckrosen 7' });
    await post(admin, `${quotesUrl}/${id}/contract`, {});
    const before = await textOf(admin, id);
    for (const text of [
      ...['Contract', number, 'Tak AB', 'Brf Näckrosen 7', 'Accepted 21 November 2026'],
      ...['Total SEK 150.01', `Karin Åström accepted quote ${number} on 21 November 2026 at 12:00 UTC.`],
    ]) {
      expect(before).toContain(text);
    }
    const settings = { defaultCurrency: 'EUR' };
    const renamed = { ...organizationOf(admin.organizationId, settings), name: 'Renamed' };
    service.feed.tell({ ...renamed, type: 'organization.updated' });
    await expect.poll(async () => (await quoteOf(admin, [])).currency).toBe('EUR');
    await admin.send('PATCH', `${customersUrl}/${customerId}`, { body: { name: 'Brf Renamed' } });
    expect(await textOf(admin, id)).toBe(before);
    expect(await textOf(admin, id, 'sv')).toContain(`Karin Åström accepterade offert ${number}`);
  });

  it('is a file of its own name, which nothing between keeps', async () => {
    const member = await service.member();
    const { id, number } = await accepted(member);
    await post(member, `${quotesUrl}/${id}/contract`, {});
    const { headers } = await answerTo(member, id);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${number}-contract.pdf"`,
      'cache-control': 'no-store',
    });
  });

  it('says no more who the customer was once they are erased [S-193, S-356]', async () => {
    const admin = await service.member({ role: 'admin' });
    const customerId = randomUUID();
    const { id } = await accepted(admin, { customerId, customerName: 'Brf Näckrosen 7' });
    await post(admin, `${quotesUrl}/${id}/contract`, {});
    expect((await admin.send('POST', `${customersUrl}/${customerId}/erase`)).status).toBe(204);
    const text = await textOf(admin, id);
    expect(text).not.toMatch(/Karin|Näckrosen/);
    expect(text).toContain('The customer accepted quote');
    expect(text).toContain('Total SEK 150.01');
  });

  it('is found once the contract is made, by those who may read quotes of its organization [S-356]', async () => {
    const member = await service.member();
    const draft = await quoteOf(member, [[[1, 20]]]);
    const { id } = await accepted(member);
    for (const quoteId of [draft.id, id, randomUUID()]) {
      expect(refusal(await member.send('GET', pathOf(quoteId)))).toEqual(notFound);
    }
    await post(member, `${quotesUrl}/${id}/contract`, {});
    expect((await member.send('GET', pathOf(id))).status).toBe(200);
    expect(refusal(await (await service.member()).send('GET', pathOf(id)))).toEqual(notFound);
    const { organizationId } = member;
    const account = { organizationId, sub: randomUUID(), name: 'Web shop', base: 'guest' };
    const guest = await service.serviceAccount({ ...account, scope: 'quotes:read' });
    expect(refusal(await guest.send('GET', pathOf(id)))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const language = await answerTo(member, id, 'de');
    expect(language.statusCode).toBe(400);
  });
});
