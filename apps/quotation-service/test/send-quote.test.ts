import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
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

const letter = { recipientEmail: 'karin@astrom.example' };
const send = (id: string, sent: { body?: object; headers?: Record<string, string> } = {}) =>
  member.send('POST', `${quotesUrl}/${id}/send`, { body: letter, ...sent });

describe('sending a quote', () => {
  it('moves it from draft to sent, an empty one too', async () => {
    const id = await createQuote(member);
    const answer = await send(id);
    expect(answer.status).toBe(200);
    const { sentAt } = answer.body.data;
    expect(await readQuote(member, id)).toMatchObject({
      ...{ status: 'sent', sentAt },
      allowedTransitions: ['accepted', 'rejected'],
    });
  });

  it('is refused of a sent quote, saying what is allowed', async () => {
    const id = await createQuote(member);
    await sendQuote(member, id);
    const answer = await send(id);
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'INVALID_TRANSITION', fields: ['status'] });
    expect(answer.body.error.details).toMatchObject([
      { params: { from: 'sent', to: 'sent', allowed: ['accepted', 'rejected'] } },
    ]);
  });

  it('ten times concurrently succeeds once [S-122]', async () => {
    const id = await createQuote(member);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await send(id)).status));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('twice under one Idempotency-Key answers the same', async () => {
    const id = await createQuote(member);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await send(id, { headers }), await send(id, { headers })];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });

  it('is refused while a text has a letter without a font, which the answer names', async () => {
    const id = await createQuote(member, { title: 'Runes ᚠ and ᚢ' });
    const packageId = await addPackage(member, id, { description: 'Hieroglyphs 𓀀, 漢字, हिन्दी' });
    const answer = await send(id);
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'LETTERS_WITHOUT_FONT' });
    for (const letter of ['ᚠ (U+16A0)', 'ᚢ (U+16A2)', '𓀀 (U+13000)']) {
      expect(answer.text).toContain(letter);
    }
    expect(answer.text).not.toMatch(/漢|ह/);
    expect((await readQuote(member, id)).status).toBe('draft');
    await member.send('PUT', `${quotesUrl}/${id}`, { body: { title: 'No runes' } });
    expect((await send(id)).status).toBe(409);
    await member.send('DELETE', `${quotesUrl}/${id}/work-packages/${packageId}`);
    expect((await send(id)).status).toBe(200);
  });

  it('needs the version that the client has read, where it names one', async () => {
    const id = await createQuote(member);
    const headers = { 'if-match': '"1"' };
    await addPackage(member, id);
    expect(refusal(await send(id, { headers }))).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
    const { headers: read } = await member.send('GET', `${quotesUrl}/${id}`);
    expect((await send(id, { headers: { 'if-match': String(read['etag']) } })).status).toBe(200);
  });

  it('says in the response that it can no longer be accepted', async () => {
    const id = await createQuote(member, { validUntil: '2020-01-01' });
    expect((await send(id)).body.meta.warnings).toMatchObject([{ code: 'VALID_UNTIL_PAST' }]);
  });

  it.each([
    ['nothing', {}, ['recipientEmail']],
    ['no address', { recipientEmail: 'karin' }, ['recipientEmail']],
    ['two addresses', { recipientEmail: 'a@b.example, c@d.example' }, ['recipientEmail']],
    ['a header in the address', { recipientEmail: 'a@b.example\nbcc: c@d.example' }, ['recipientEmail']],
    ['a message of 2,001 characters', { ...letter, message: 'm'.repeat(2_001) }, ['message']],
    ['an unknown field', { ...letter, subject: 'Hello' }, ['subject']],
  ])('is refused with %s', async (_, body, fields) => {
    const id = await createQuote(member);
    expect(refusal(await send(id, { body }))).toEqual(invalid(...fields));
    expect((await readQuote(member, id)).status).toBe('draft');
  });

  it('is refused of another organization like of none', async () => {
    const id = await createQuote(await service.member());
    expect(refusal(await send(id))).toEqual(notFound);
    expect((await send(id)).body.error).toEqual((await send(randomUUID())).body.error);
  });

  it('freezes packages and lines', async () => {
    const quote = await quoteOf(member, [[[1, 10]]]);
    await sendQuote(member, quote.id);
    const place = { quoteId: quote.id, packageId: firstPackage(quote).id };
    const frozen = { status: 409, data: null, code: 'CONFLICT', fields: [] };
    const line = { description: 'Felt', quantity: 1, unit: 'sqm', unitPrice: 1 };
    expect(refusal(await member.send('POST', itemsUrl(place), { body: line }))).toEqual(frozen);
    const packages = `${quotesUrl}/${quote.id}/work-packages`;
    expect(refusal(await member.send('POST', packages, { body: { name: 'More' } }))).toEqual(frozen);
    expect((await readQuote(member, quote.id)).totalAmount).toBe(12.5);
  });
});
