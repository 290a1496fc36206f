import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  quoteOf,
  quotesUrl,
  sendQuote,
  startService,
  timestamp,
  uuid,
  type TestService,
} from './support/service.ts';

interface Told {
  readonly id: string;
  readonly subjectId: string;
  readonly organizationId: string;
  readonly payload: object;
}

/** leads-service, as far as it is told something. */
let leads: Server;
let told: { readonly authorization: string | undefined; readonly body: Told }[] = [];
let answers: number[] = [];
let service: TestService;
beforeAll(async () => {
  const answer = async (request: IncomingMessage) => {
    if (request.url !== '/internal/quote-accepted') return 404;
    told.push({ authorization: request.headers.authorization, body: (await json(request)) as Told });
    return answers.shift() ?? 204;
  };
  leads = createServer((request, response) => {
    void answer(request).then((status) => response.writeHead(status).end());
  });
  await once(leads.listen(0, '127.0.0.1'), 'listening');
  const { port } = leads.address() as AddressInfo;
  service = await startService({ env: { LEADS_URL: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  await service.close();
  leads.close();
});
beforeEach(() => {
  told = [];
  answers = [];
});

/** A quote that was sent to a lead, and who may decide on it. */
async function sent() {
  const member = await service.member();
  const leadId = randomUUID();
  const quote = await quoteOf(member, [[[1, 100]]], { customerId: leadId });
  await sendQuote(member, quote.id);
  const decide = (how: string) => member.send('POST', `${quotesUrl}/${quote.id}/${how}`);
  return { ...quote, leadId, decide, organizationId: member.organizationId };
}
const messages = (subjectId: string) =>
  service.testDatabase.query(`SELECT * FROM outbox WHERE subject_id = $1 AND topic = 'quote-accepted'`, [
    subjectId,
  ]);

describe('the acceptance of a quote', () => {
  it('is told to leads-service with its number, its customer and its time, with the key of the services [S-351]', async () => {
    const quote = await sent();
    expect((await quote.decide('accept')).status).toBe(200);
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]?.authorization).toMatch(/^Bearer ./);
    expect(told[0]?.body).toEqual({
      ...{ id: uuid, organizationId: quote.organizationId, subjectId: quote.id },
      payload: { leadId: quote.leadId, number: quote.number, acceptedAt: timestamp },
    });
  });

  it('is told again with the same id where leads-service refuses it or does not say that it has it [S-351]', async () => {
    answers = [503, 409];
    const quote = await sent();
    await quote.decide('accept');
    // The next attempt is due in some seconds.
    const hurry = () =>
      service.testDatabase.query(
        `UPDATE due_work SET next_attempt_at = now() - INTERVAL '1 s'
         WHERE organization_id = $1 AND kind = 'outbox' AND NOT is_ready AND unanswered = 0
           AND next_attempt_at < now() + INTERVAL '1 h'
         RETURNING id`,
        [quote.organizationId],
      );
    for (const times of [1, 2]) {
      await expect.poll(() => told).toHaveLength(times);
      await expect.poll(hurry).toHaveLength(1);
    }
    await expect.poll(() => told).toHaveLength(3);
    expect(new Set(told.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await expect
      .poll(() => messages(quote.id))
      .toMatchObject([{ attempts: 3, delivered_at: expect.any(Date) as Date }]);
  });

  it('is told once of ten concurrent ones, and a rejection is not [S-351]', async () => {
    const [accepted, rejected] = [await sent(), await sent()];
    await Promise.all(Array.from({ length: 10 }, () => accepted.decide('accept')));
    await rejected.decide('reject');
    expect(await messages(accepted.id)).toHaveLength(1);
    expect(await messages(rejected.id)).toEqual([]);
    // The acceptance is refused: it is decided.
    expect((await rejected.decide('accept')).status).toBe(409);
    expect(await messages(rejected.id)).toEqual([]);
  });
});
