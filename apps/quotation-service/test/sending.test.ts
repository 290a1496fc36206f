import { randomUUID } from 'node:crypto';
import { freePort, patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import {
  answered,
  createQuote,
  customersUrl,
  notFound,
  quoteOf,
  quotesUrl,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly recipientEmail: string;
}

let mailServer: MailServer;
let service: TestService;
let admin: pg.Client;
let member: Caller;

beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startService({ env: { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://quotes.example' } });
  admin = new pg.Client(service.testDatabase.adminUrl);
  await admin.connect();
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
  await mailServer.close();
});

const letterTo = (recipientEmail: string) => ({ recipientEmail, message: 'As discussed <b>on site</b>.' });
const newAddress = () => `karin.${randomUUID()}@astrom.example`;
const send = (id: string, recipientEmail: string, what = 'send') =>
  member.send('POST', `${quotesUrl}/${id}/${what}`, { body: letterTo(recipientEmail) });
const mailsTo = (address: string, server = mailServer) =>
  server.received.filter(({ recipients }) => recipients.includes(address));

const deliveriesOf = (id: string) =>
  answered<readonly Delivery[]>(member.send('GET', `${quotesUrl}/${id}/deliveries`));

/** What waits for its next attempt gets it now; what is being tried is left alone, so this is repeated until it is released. */
const hurry = (client = admin) =>
  client.query(
    "UPDATE due_work SET next_attempt_at = clock_timestamp() WHERE kind = 'outbox' AND unanswered = 0",
  );
const soon = { timeout: patience(), interval: 50 };

describe('a quote that is sent', () => {
  it('reaches its customer with the message, a link and the PDF, once', async () => {
    const { id, number } = await quoteOf(member, [[[7.25, 485.5]]]);
    const address = newAddress();
    expect((await send(id, address)).status).toBe(200);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    const [{ message } = { message: '' }] = mailsTo(address);
    expect(message).toContain(`Subject: Quote ${number}`);
    expect(message).toContain('As discussed <b>on site</b>.');
    expect(message).toContain('As discussed &lt;b&gt;on site&lt;/b&gt;.');
    expect(message).toMatch(/https:\/\/quotes\.example\/api\/quotation\/offer\?token=quote_[\w-]{86}\b/);
    expect(message).toContain(`filename=${number}.pdf`);
    expect(message).toContain(Buffer.from('%PDF-1.7').toString('base64').slice(0, 8));
    await vi.waitFor(async () => {
      expect(await deliveriesOf(id)).toMatchObject([
        { state: 'delivered', attempts: 1, recipientEmail: address },
      ]);
    }, soon);
    // Looked at once more, it is over: it is forgotten, not sent.
    await vi.waitFor(async () => {
      await hurry();
      expect(await deliveriesOf(id)).toEqual([]);
    }, soon);
    expect(mailsTo(address)).toHaveLength(1);
  });

  it.each(['müller-dach.example', 'MU\u0308LLER-Dach.example', 'XN--MLLER-DACH-9DB.example'])(
    'reaches a mailbox at %s by its A-label [S-138]',
    async (domain) => {
      const local = `max.${randomUUID()}`;
      const stored = `${local}@xn--mller-dach-9db.example`;
      const id = await createQuote(member);
      expect((await send(id, `${local}@${domain}`)).status).toBe(200);
      const message = () => mailServer.received.find((mail) => mail.message.includes(`To: ${stored}`));
      await expect.poll(message, { timeout: patience() }).toBeDefined();
      const commands = mailServer.commands().filter((command) => command.includes(local));
      expect(commands.map((command) => command.trim())).toEqual([`RCPT TO:<${stored}>`]);
      expect(message()?.message).not.toContain('müller');
      expect((await deliveriesOf(id)).every(({ recipientEmail }) => recipientEmail === stored)).toBe(true);
    },
  );

  it('is not sent to a local part beyond ASCII, which mail servers need not take [S-138]', async () => {
    const id = await createQuote(member);
    const refused = await send(id, 'mäx@astrom.example');
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('reaches its customer by the link alone when it is too large for a PDF, which says so', async () => {
    const { id } = await quoteOf(member, [[[1, 10]]]);
    await admin.query(
      `INSERT INTO line_items (organization_id, quote_id, work_package_id, position, article_number, description, quantity,
         unit, unit_price, currency, total_price)
       SELECT organization_id, quote_id, work_package_id, position + n, '', repeat(E'\n', 4999) || 'x', quantity, unit,
         unit_price, currency, total_price
       FROM line_items, generate_series(1, 10) n WHERE quote_id = $1`,
      [id],
    );
    const address = newAddress();
    await send(id, address);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    const [{ message } = { message: '' }] = mailsTo(address);
    expect(message).not.toContain('application/pdf');
    expect(message).not.toContain('attached');
    const [token = ''] = /quote_[\w-]{86}/.exec(message) ?? [];
    const pdf = await member.send('GET', `${quotesUrl}/${id}/pdf`);
    expect(refusal(pdf)).toMatchObject({ status: 409, code: 'QUOTE_TOO_LARGE_FOR_PDF' });
    for (const [what, status, hasPdf] of [
      ['', 200, true],
      ['/pdf', 409, false],
    ] as const) {
      const page = await service.app.inject(`/api/quotation/offer${what}?token=${token}`);
      expect([page.statusCode, page.body.includes('Download PDF')]).toEqual([status, hasPdf]);
    }
  });

  it('leaves no token in the database or the log [S-205]', async () => {
    const address = newAddress();
    await send(await createQuote(member), address);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    const token = /quote_[\w-]{86}/.exec(mailsTo(address)[0]?.message ?? '')?.[0] ?? '';
    expect(token).not.toBe('');
    const { rows } = await admin.query<{ row: string }>(
      'SELECT row_to_json(o)::text AS row FROM outbox o UNION ALL SELECT row_to_json(l)::text FROM quote_links l',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toContain(token);
    expect(service.logs()).not.toContain(token);
  });

  it('arrives late, and is not lost, when the mail server refuses at first [S-168]', async () => {
    const id = await createQuote(member);
    const address = newAddress();
    mailServer.behave('refuse');
    expect((await send(id, address)).status).toBe(200);
    await expect.poll(() => deliveriesOf(id)).toMatchObject([{ attempts: 1 }]);
    await expect.poll(() => service.logs()).toContain('mailbox busy');
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting' }]);
    mailServer.behave('accept');
    await vi.waitFor(async () => {
      await hurry();
      expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    }, soon);
    expect(mailsTo(address)).toHaveLength(1);
  });

  it('is answered immediately and mailed later when the mail server is down [S-168]', async () => {
    const port = await freePort();
    const alone = await startService({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    const database = new pg.Client(alone.testDatabase.adminUrl);
    await database.connect();
    let server: MailServer | undefined;
    try {
      const caller = await alone.member();
      const id = await createQuote(caller);
      const address = newAddress();
      const answer = await caller.send('POST', `${quotesUrl}/${id}/send`, { body: letterTo(address) });
      expect(answer.status).toBe(200);
      await expect.poll(() => alone.logs()).toContain('ECONNREFUSED');
      server = await startMailServer(port);
      const { received } = server;
      await vi.waitFor(async () => {
        await hurry(database);
        expect(received).toHaveLength(1);
      }, soon);
    } finally {
      await database.end();
      await alone.close();
      await server?.close();
    }
  });

  it('is mailed once by two that send it at the same time: one is refused [S-168]', async () => {
    const id = await createQuote(member);
    const address = newAddress();
    const answers = await Promise.all([send(id, address), send(id, address)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    expect(await deliveriesOf(id)).toHaveLength(1);
  });
});

describe('mailing a quote once more', () => {
  it('is another delivery, with a link of its own', async () => {
    const id = await createQuote(member);
    const [first, second] = [newAddress(), newAddress()];
    await send(id, first);
    expect((await send(id, second, 'resend')).status).toBe(201);
    await expect.poll(() => [...mailsTo(first), ...mailsTo(second)]).toHaveLength(2);
    const links = [...mailsTo(first), ...mailsTo(second)].map(
      ({ message }) => /quote_[\w-]+/.exec(message)?.[0],
    );
    expect(new Set(links).size).toBe(2);
    expect((await deliveriesOf(id)).map(({ recipientEmail }) => recipientEmail)).toEqual([second, first]);
  });

  it('is refused of a draft, and of another organization like of none', async () => {
    const draft = await send(await createQuote(member), newAddress(), 'resend');
    expect(refusal(draft)).toMatchObject({ status: 409, code: 'CONFLICT' });
    const foreign = await createQuote(await service.member());
    expect(refusal(await send(foreign, newAddress(), 'resend'))).toEqual(notFound);
    for (const what of ['deliveries', 'pdf']) {
      expect(refusal(await member.send('GET', `${quotesUrl}/${foreign}/${what}`))).toEqual(notFound);
    }
  });

  it('is refused after twenty mails', async () => {
    const id = await createQuote(member);
    const address = newAddress();
    await send(id, address);
    for (let times = 1; times < 20; times += 1) {
      expect((await send(id, address, 'resend')).status).toBe(201);
    }
    expect(refusal(await send(id, address, 'resend'))).toMatchObject({ status: 409, code: 'CONFLICT' });
  });
});

describe('the PDF of a quote', () => {
  it('is given to members, in the language that they ask for', async () => {
    const { id, number } = await quoteOf(member, [[[2, 50]]]);
    const answer = await service.app.inject({
      url: `${quotesUrl}/${id}/pdf`,
      headers: { authorization: await authorizationOf(member), 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.5' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${number}.pdf"`,
      'cache-control': 'no-store',
    });
    expect(answer.rawPayload.subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(answer.rawPayload.includes('/Lang (sv-SE)')).toBe(true);
  });

  it('is in the language of a letter that is about to be sent, whatever the browser prefers', async () => {
    const id = await createQuote(member);
    const pdfIn = async (language: string) =>
      service.app.inject({
        url: `${quotesUrl}/${id}/pdf?language=${language}`,
        headers: { authorization: await authorizationOf(member), 'accept-language': 'en' },
      });
    expect((await pdfIn('sv')).rawPayload.includes('/Lang (sv-SE)')).toBe(true);
    expect((await pdfIn('en')).rawPayload.includes('/Lang (en-GB)')).toBe(true);
    expect((await pdfIn('de')).statusCode).toBe(400);
  });
});

const authorizationOf = async ({ organizationId }: Caller) =>
  `Bearer ${await service.issuer.token({ organizationId })}`;

describe('the language of a letter', () => {
  const subjectTo = (address: string) =>
    vi.waitFor(() => {
      const [, subject] =
        /^Subject: (?:=\?UTF-8\?Q\?)?(Quote|Offert)/m.exec(mailsTo(address)[0]?.message ?? '') ?? [];
      if (subject === undefined) throw new Error('no mail yet');
      return subject;
    }, soon);
  const subjectOf = async (id: string, what: string, language?: string) => {
    const recipientEmail = newAddress();
    const body = { recipientEmail, ...(language && { language }) };
    expect((await member.send('POST', `${quotesUrl}/${id}/${what}`, { body })).status).toBeLessThan(300);
    return subjectTo(recipientEmail);
  };

  it('is the one that was chosen last for its customer, else that of the deployment', async () => {
    const customerId = randomUUID();
    const customerUrl = `${customersUrl}/${customerId}`;
    const customer = async () => (await member.send('GET', customerUrl)).body.data as unknown;
    const quotes = [await createQuote(member, { customerId }), await createQuote(member, { customerId })];
    const [first = '', second = ''] = quotes;
    expect(await customer()).toMatchObject({ language: null });
    expect(await subjectOf(first, 'send')).toBe('Quote');
    expect(await subjectOf(first, 'resend', 'sv')).toBe('Offert');
    expect(await customer()).toMatchObject({ language: 'sv' });
    expect(await subjectOf(second, 'send')).toBe('Offert');
    expect(await subjectOf(second, 'resend', 'en')).toBe('Quote');
    const changed = await member.send('PATCH', customerUrl, { body: { language: 'sv' } });
    expect(changed.body.data).toMatchObject({ language: 'sv' });
    expect(await subjectOf(first, 'resend')).toBe('Offert');
    await member.send('PATCH', customerUrl, { body: { language: null } });
    expect(await subjectOf(first, 'resend')).toBe('Quote');
  });

  it('is in the trail where it was chosen', async () => {
    const id = await createQuote(member);
    await subjectOf(id, 'send', 'sv');
    await subjectOf(id, 'resend', 'en');
    await subjectOf(id, 'resend');
    const auditor = await service.member({ organizationId: member.organizationId, role: 'admin' });
    const trail = await auditor.send('GET', `/api/quotation/audit?targetId=${id}&pageSize=3`);
    expect(trail.body.data).toMatchObject([
      { action: 'quote.resent', details: {} },
      { action: 'quote.resent', details: { language: 'en' } },
      { action: 'quote.sent', details: { language: 'sv' } },
    ]);
    expect(trail.body.data).toHaveProperty('0.details', {});
  });

  it('is remembered of letters alone that are sent', async () => {
    const customerId = randomUUID();
    const id = await createQuote(member, { customerId });
    const body = { ...letterTo(newAddress()), language: 'sv' };
    const url = `${quotesUrl}/${id}/resend`;
    expect(refusal(await member.send('POST', url, { body }))).toMatchObject({ code: 'CONFLICT' });
    const { data } = (await member.send('GET', `${customersUrl}/${customerId}`)).body;
    expect(data).toMatchObject({ language: null });
    const unknown = { body: { ...body, language: 'de' } };
    expect(refusal(await member.send('POST', url, unknown))).toMatchObject({ fields: ['language'] });
  });
});

describe('POST /api/quotation/quotes/{id}/link [S-205]', () => {
  const link = (id: string, caller = member, sent = {}) =>
    caller.send('POST', `${quotesUrl}/${id}/link`, sent);
  const reasonOf = ({ body }: Awaited<ReturnType<typeof link>>) =>
    (body.error as { reason?: string } | null)?.reason;

  it("opens the customer's page, is in the trail, and stored nowhere", async () => {
    const id = await createQuote(member);
    expect(reasonOf(await link(id))).toBe('QUOTE_NOT_SENT');
    await send(id, newAddress());
    const keyed = { headers: { 'idempotency-key': randomUUID() } };
    expect((await link(id, member, keyed)).status).toBe(400);
    const { status, body } = await link(id);
    const { url } = body.data as unknown as { url: string };
    expect([status, url]).toEqual([
      201,
      expect.stringMatching(/^https:\/\/quotes\.example\/api\/quotation\/offer\?token=quote_[\w-]{86}$/),
    ]);
    expect((await service.app.inject(new URL(url).pathname + new URL(url).search)).statusCode).toBe(200);
    const auditor = await service.member({ organizationId: member.organizationId, role: 'admin' });
    const trail = await auditor.send('GET', `/api/quotation/audit?action=quote.linked&targetId=${id}`);
    expect(trail.body.data).toMatchObject([{ target: { id } }]);
    const token = url.split('token=')[1] ?? '';
    const { rows } = await admin.query<{ row: string }>(
      `SELECT row_to_json(l)::text AS row FROM quote_links l UNION ALL SELECT row_to_json(a)::text FROM audit_events a
       UNION ALL SELECT row_to_json(k)::text FROM idempotency_keys k`,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(token);
    expect(service.logs()).not.toContain(token);
    expect(refusal(await link(id, await service.member()))).toEqual(notFound);
    expect((await member.send('POST', `${quotesUrl}/${id}/revise`)).status).toBe(201);
    expect(reasonOf(await link(id))).toBe('QUOTE_SUPERSEDED');
  });

  it('is refused beyond six hundred links, however many are requested concurrently', async () => {
    const id = await createQuote(member);
    await send(id, newAddress());
    await admin.query(
      `INSERT INTO quote_links (organization_id, id, quote_id, digest)
       SELECT $1, uuidv7(), $2, sha256(n::text::bytea) FROM generate_series(1, 597) n`,
      [member.organizationId, id],
    );
    await expect.poll(() => deliveriesOf(id)).toMatchObject([{ state: 'delivered' }]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => link(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.map(reasonOf)).toContain('TOO_MANY_LINKS');
  });
});
