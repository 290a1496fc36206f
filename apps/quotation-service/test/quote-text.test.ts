import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textBytesMax } from '../src/quotes/quote-text.ts';
import {
  addLine,
  addPackage,
  createQuote,
  itemsUrl,
  post,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let admin: pg.Client;
let member: Caller;

beforeAll(async () => {
  service = await startService();
  admin = new pg.Client(service.testDatabase.adminUrl);
  await admin.connect();
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const fullLine = {
  description: 'å'.repeat(2_495),
  quantity: 1,
  unit: 'sqm',
  unitPrice: 1,
  articleNumber: 'a-12345',
};
const refused = (field: string) => [{ field, rule: 'quoteText', params: { limit: textBytesMax } }];

/** What is kept, and what there is. */
async function textOf(quoteId: string) {
  const { rows } = await admin.query<{ kept: number; real: number }>(
    `SELECT text_bytes AS kept, (octet_length(title) + octet_length(description)
         + coalesce(octet_length(vat_exemption_reason), 0)
         + (SELECT coalesce(sum(octet_length(name || description)), 0) FROM work_packages WHERE quote_id = q.id)
         + (SELECT coalesce(sum(octet_length(article_number || description || unit)), 0) FROM line_items
            WHERE quote_id = q.id))::int AS real
     FROM quotes q WHERE id = $1 AND text_version = version`,
    [quoteId],
  );
  return rows[0];
}

/** Adds lines as the release before did: their text is not counted. */
async function addUncounted(quoteId: string, lines: number, description = 'x'.repeat(5_000)) {
  await admin.query(
    `INSERT INTO line_items (organization_id, quote_id, work_package_id, position, article_number, description, quantity,
       unit, unit_price, currency, total_price)
     SELECT organization_id, quote_id, id, n, '', $3, 1, 'h', 0, 'SEK', 0 FROM work_packages, generate_series(1, $2) n
     WHERE quote_id = $1`,
    [quoteId, lines, description],
  );
  await admin.query('UPDATE work_packages SET item_count = item_count + $2 WHERE quote_id = $1', [
    quoteId,
    lines,
  ]);
  await admin.query('UPDATE quotes SET subtotal = subtotal WHERE id = $1', [quoteId]);
}

async function draft() {
  const quoteId = await createQuote(member, { title: 'T', description: 'd'.repeat(100) });
  return { quoteId, packageId: await addPackage(member, quoteId, { name: 'P', description: 'Gutters' }) };
}

describe('the text of a quote', () => {
  it('is kept as a sum, whatever is changed', async () => {
    const place = await draft();
    const { quoteId, packageId } = place;
    const line = await addLine(member, place, { description: 'Räckvidd 🏠', articleNumber: 'Å-1' });
    const other = await addLine(member, place);
    const url = `${quotesUrl}/${quoteId}`;
    const steps = [
      ['PUT', url, { title: 'Nytt tak', vatRate: 0, vatExemptionReason: 'Omvänd skattskyldighet' }],
      ['PUT', url, { vatExemptionReason: null }],
      ['PUT', `${url}/work-packages/${packageId}`, { description: '' }],
      ['PUT', `${itemsUrl(place)}/${line.id}`, { description: 'x', unit: 'm²' }],
      ['PUT', `${url}/work-packages/${packageId}/item-order`, { ids: [other.id, line.id] }],
      ['DELETE', `${itemsUrl(place)}/${other.id}`],
      ['POST', `${url}/work-packages`, { name: 'Väggar' }],
      ['DELETE', `${url}/work-packages/${packageId}`],
    ] as const;
    for (const [method, path, body] of steps) {
      const answer = await member.send(method, path, body && { body });
      expect(answer.status).toBeLessThan(300);
      const text = await textOf(quoteId);
      expect([method, path, text?.kept]).toEqual([method, path, text?.real]);
    }
  });

  it('goes along with a copy and a revision', async () => {
    const place = await draft();
    await addLine(member, place);
    const copy = await post(member, `${quotesUrl}/${place.quoteId}/duplicate`, {});
    await sendQuote(member, place.quoteId);
    const revision = await post(member, `${quotesUrl}/${place.quoteId}/revise`, {});
    for (const { id } of [copy, revision]) {
      const text = await textOf(id);
      expect(text?.kept).toBe(text?.real);
    }
  });

  it('is 1 MiB at most, however many write concurrently [S-172]', async () => {
    const place = await draft();
    await addUncounted(place.quoteId, 195);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => member.send('POST', itemsUrl(place), { body: fullLine })),
    );
    const text = await textOf(place.quoteId);
    expect(text?.kept).toBe(text?.real);
    expect(text?.real).toBeLessThanOrEqual(textBytesMax);
    const refusals = answers.filter(({ status }) => status === 400);
    expect(refusals.length).toBeGreaterThan(0);
    for (const answer of refusals) expect(answer.body.error.details).toMatchObject(refused('description'));
  });

  it('is refused beyond that by every request that adds some, and given back by those that take some [S-172]', async () => {
    const place = await draft();
    const { quoteId, packageId } = place;
    const line = await addLine(member, place, { description: 'y'.repeat(5_000) });
    await addUncounted(quoteId, 208);
    await addUncounted(quoteId, 1, 'x'.repeat(textBytesMax - 208 * 5_001 - 5_133));
    const url = `${quotesUrl}/${quoteId}`;
    for (const [method, path, body] of [
      ['POST', itemsUrl(place), fullLine],
      ['PUT', `${itemsUrl(place)}/${line.id}`, { unit: 'ö'.repeat(20) }],
      ['POST', `${url}/work-packages`, { name: 'W', description: 'w'.repeat(5_000) }],
      ['PUT', `${url}/work-packages/${packageId}`, { description: 'w'.repeat(5_000) }],
      ['PUT', url, { description: 'w'.repeat(5_000) }],
    ] as const) {
      const answer = await member.send(method, path, { body });
      expect([method, path, answer.status]).toEqual([method, path, 400]);
      expect(answer.body.error.details).toMatchObject(refused('description'));
    }
    await member.send('PUT', `${itemsUrl(place)}/${line.id}`, { body: { description: 'y' } });
    expect((await member.send('PUT', url, { body: { description: 'w'.repeat(5_000) } })).status).toBe(200);
  });

  it('of a quote that had more before can only shrink, and cannot be copied', async () => {
    const place = await draft();
    await addUncounted(place.quoteId, 220);
    const url = `${quotesUrl}/${place.quoteId}`;
    const copied = await member.send('POST', `${url}/duplicate`);
    expect(copied.body.error.details).toMatchObject(refused('workPackages'));
    const [line] = (await readQuote(member, place.quoteId)).workPackages[0]?.items ?? [];
    const shorter = await member.send('PUT', `${itemsUrl(place)}/${line?.id}`, {
      body: { description: 'x' },
    });
    expect(shorter.status).toBe(200);
    expect((await member.send('POST', itemsUrl(place), { body: fullLine })).status).toBe(400);
    expect((await member.send('DELETE', `${itemsUrl(place)}/${line?.id}`)).status).toBe(204);
  });
});

describe('a large quote', () => {
  it('is read by two at a time of an organization, and by others meanwhile', async () => {
    const place = await draft();
    await addUncounted(place.quoteId, 400, 'x'.repeat(2_000));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => member.send('GET', `${quotesUrl}/${place.quoteId}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it('that no process should hold is refused [S-172]', async () => {
    const place = await draft();
    for (let more = 0; more < 6; more += 1) await addPackage(member, place.quoteId);
    await addUncounted(place.quoteId, 490);
    const url = `${quotesUrl}/${place.quoteId}`;
    expect(refusal(await member.send('GET', url))).toMatchObject({ status: 409, code: 'QUOTE_TOO_LARGE' });
    expect(refusal(await member.send('GET', `${url}/pdf`))).toMatchObject({ status: 409 });
    await sendQuote(member, place.quoteId);
    expect(refusal(await member.send('POST', `${url}/accept`))).toMatchObject({ code: 'QUOTE_TOO_LARGE' });
  });
});
