import { createHash, randomUUID } from 'node:crypto';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LocatedTokens } from '@tenantry/service/tokens';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { createQuote, quoteOf, quotesUrl, readQuote, refusal, startService } from './support/service.ts';
import type { Caller, TestService } from './support/service.ts';

const offerUrl = '/api/quotation/offer';

let mailServer: MailServer;
let service: TestService;
let admin: pg.Client;
let member: Caller;
let clock: Date;

beforeAll(async () => {
  mailServer = await startMailServer();
  const figures = { RATE_LIMIT_OFFERS_PER_MINUTE: '30', RATE_LIMIT_PDFS_PER_MINUTE: '2' };
  const env = { ...figures, SMTP_URL: mailServer.url, FRONTEND_URL: 'https://app.tak.example/' };
  service = await startService({ env, now: () => clock });
  admin = new pg.Client(service.testDatabase.adminUrl);
  await admin.connect();
});
beforeEach(async () => {
  clock = new Date();
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
  await mailServer.close();
});

/** Sends a quote and gives the token in the link that its customer gets. */
async function tokenFor(id: string, caller = member, what = 'send'): Promise<string> {
  const recipientEmail = `karin.${randomUUID()}@astrom.example`;
  const { status } = await caller.send('POST', `${quotesUrl}/${id}/${what}`, { body: { recipientEmail } });
  expect(status).toBeLessThan(300);
  return vi.waitFor(() => {
    const mail = mailServer.received.find(({ recipients }) => recipients.includes(recipientEmail));
    const [token] = /quote_[\w-]{86}/.exec(mail?.message ?? '') ?? [];
    if (token === undefined) throw new Error('no mail yet');
    return token;
  }, patience());
}

const open = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  service.app.inject({ url: `${offerUrl}?token=${encodeURIComponent(token)}`, headers });

const post = (what: 'accept' | 'reject', form: Readonly<Record<string, string>>) =>
  service.app.inject({
    method: 'POST',
    url: `${offerUrl}/${what}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Phone/1.0' },
    payload: new URLSearchParams(form).toString(),
  });

const textOf = (html: string) => html.replace(/<style>[^]*?<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('the page of an offer', () => {
  it('shows what the API says, to anyone with the link and without a token', async () => {
    const quote = await quoteOf(member, [
      [
        [7.25, 485.5],
        [2.675, 1],
      ],
      [[3, 33.335]],
    ]);
    const answer = await open(await tokenFor(quote.id));
    expect(answer.statusCode).toBe(200);
    const text = textOf(answer.body);
    const money = (amount: number) => amount.toLocaleString('en-GB', { minimumFractionDigits: 2 });
    for (const amount of [quote.subtotal, quote.vatAmount, quote.totalAmount]) {
      expect(text).toContain(`SEK\u00a0${money(amount)}`.replace(/\s/g, ' '));
    }
    for (const said of [quote.number, quote.title, 'Roofing felt', '3,519.88', '2.68', '100.01']) {
      expect(text).toContain(said);
    }
  });

  it('runs no script, loads nothing, and is neither cached nor indexed [S-200]', async () => {
    const answer = await open(await tokenFor(await createQuote(member)));
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(answer.body) ?? [];
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(answer.body).not.toMatch(/<script|<img|<link|\son\w+=|\sstyle=|https?:/i);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('shows hostile text as text [S-200]', async () => {
    const title = `<script>alert(1)</script>"'><img src=x>`;
    const { body } = await open(await tokenFor(await createQuote(member, { title })));
    expect(body).not.toContain('<script>');
    expect(body).not.toContain('<img');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('is in the language that the browser asks for', async () => {
    const token = await tokenFor(await createQuote(member));
    expect((await open(token, { 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.8' })).body).toContain(
      'Godkänn offerten',
    );
    expect((await open(token, { 'accept-language': 'de,en;q=0.5' })).body).toContain('Accept the quote');
  });

  it('is in the language of its letter, whatever the browser prefers', async () => {
    const customerId = randomUUID();
    const token = await tokenFor(await createQuote(member, { customerId }));
    await member.send('PATCH', `/api/quotation/customers/${customerId}`, { body: { language: 'sv' } });
    expect((await open(token, { 'accept-language': 'en' })).body).toContain('Godkänn offerten');
  });

  it('looks the same for every link that opens nothing [S-198]', async () => {
    const token = await tokenFor(await createQuote(member));
    const other = await service.member();
    const tokens = new LocatedTokens('quote_');
    const made = tokens.read(token);
    const guesses = [
      '',
      'x',
      `${token}x`,
      token.slice(0, -4) + 'AAAA',
      tokens.make({ ownerId: made?.ownerId ?? '', id: made?.id ?? '' }).token,
      tokens.make({ ownerId: other.organizationId, id: made?.id ?? '' }).token,
      tokens.make({ ownerId: randomUUID(), id: randomUUID() }).token,
    ];
    const pages = await Promise.all(guesses.map((guess) => open(guess)));
    expect(new Set(pages.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    const pdf = await service.app.inject(`${offerUrl}/pdf?token=${guesses[4] ?? ''}`);
    expect([pdf.statusCode, pdf.body]).toEqual([404, pages[0]?.body]);
    for (const what of ['accept', 'reject'] as const) {
      expect((await post(what, { token: guesses[4] ?? '', name: 'Eve' })).statusCode).not.toBe(303);
    }
  });

  it('gives the PDF', async () => {
    const token = await tokenFor(await createQuote(member));
    const answer = await service.app.inject(`${offerUrl}/pdf?token=${token}`);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });
});

describe('the first opening by a person', () => {
  const browser = {
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
  };
  const openedAt = async (id: string) => (await readQuote(member, id)).openedAt;

  it('is kept, whichever programs looked before, and changes nothing of the quote', async () => {
    const id = await createQuote(member);
    const [token, second] = [await tokenFor(id), await tokenFor(id, member, 'resend')];
    const { headers } = await member.send('GET', `${quotesUrl}/${id}`);
    for (const program of [
      {},
      { 'user-agent': browser['user-agent'] },
      { ...browser, 'sec-fetch-dest': 'image' },
      { ...browser, 'sec-purpose': 'prefetch' },
      { ...browser, 'user-agent': 'Mozilla/5.0 (compatible; Mailbot/1.0)' },
      { ...browser, 'user-agent': 'Mozilla/5.0 (X11) HeadlessChrome/140.0' },
    ]) {
      expect((await open(token, program)).statusCode).toBe(200);
    }
    const url = `${offerUrl}?token=${token}`;
    await service.app.inject({ method: 'HEAD', url, headers: browser });
    await service.app.inject({ url: `${offerUrl}/pdf?token=${token}`, headers: browser });
    await open('quote_nonsense', browser);
    expect(await openedAt(id)).toBeNull();

    const first = clock.toISOString();
    await Promise.all([open(second, browser), open(second, browser)]);
    clock = new Date(clock.getTime() + 60_000);
    await Promise.all([open(second, browser), open(token, browser)]);
    expect(await openedAt(id)).toBe(first);
    const { headers: after } = await member.send('GET', `${quotesUrl}/${id}`);
    expect(after['etag']).toBe(headers['etag']);
  });

  it('is recorded for who decides, and for no draft', async () => {
    const id = await createQuote(member);
    expect(await openedAt(id)).toBeNull();
    const token = await tokenFor(id);
    expect((await post('reject', { token, reason: '' })).statusCode).toBe(303);
    expect(await openedAt(id)).toBe(clock.toISOString());
    const list = await member.send('GET', `${quotesUrl}?include=openedAt,decidedAt&pageSize=1`);
    const at = clock.toISOString();
    expect(list.body.data).toMatchObject([{ id, openedAt: at, decidedAt: at }]);
  });
});

describe('accepting an offer', () => {
  it('keeps who, when, from where and what, and shows it [S-199]', async () => {
    const quote = await quoteOf(member, [[[1, 100]]]);
    const token = await tokenFor(quote.id);
    const answer = await post('accept', { token, name: '  Karin \u0000 Åström ' });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${offerUrl}?token=${token}`);
    expect(await readQuote(member, quote.id)).toMatchObject({ status: 'accepted' });
    const { rows } = await admin.query('SELECT * FROM quote_decisions WHERE quote_id = $1', [quote.id]);
    expect(rows).toMatchObject([
      {
        decision: 'accepted',
        name: 'Karin Åström',
        ip_address: '127.0.0.1',
        user_agent: 'Phone/1.0',
        user_id: null,
      },
    ]);
    expect((rows as { content_hash: Buffer }[])[0]?.content_hash).toHaveLength(32);
    const page = (await open(token)).body;
    expect(textOf(page)).toContain('Accepted by Karin Åström on');
    expect(page).not.toContain('<form');
  });

  it('needs a name, and says so with what was typed', async () => {
    const id = await createQuote(member);
    const token = await tokenFor(id);
    for (const name of ['  ', '\u200b', '\u2800 \u3164', '\ufe0f', '\u00ad\u200d', '\u0301', '\u{e0041}']) {
      const blank = await post('accept', { token, name });
      expect([blank.statusCode, textOf(blank.body).includes('Enter your name.')]).toEqual([400, true]);
    }
    const long = await post('accept', { token, name: `"${'n'.repeat(200)}` });
    expect(long.statusCode).toBe(400);
    expect(long.body).toContain(`value="&quot;${'n'.repeat(200)}"`);
    expect((await readQuote(member, id)).status).toBe('sent');
  });

  it('twice changes nothing, and shows the first answer [S-198]', async () => {
    const id = await createQuote(member);
    const token = await tokenFor(id);
    const statuses = await Promise.all(
      ['Karin', 'Erik', 'Eva'].map(async (name) => (await post('accept', { token, name })).statusCode),
    );
    expect(statuses.toSorted()).toEqual([303, 409, 409]);
    const rejected = await post('reject', { token, reason: 'No' });
    expect(rejected.statusCode).toBe(409);
    expect(textOf(rejected.body)).toContain('Accepted by');
    expect((await readQuote(member, id)).status).toBe('accepted');
  });

  it('expires with the quote: the page says until when it was valid [S-198]', async () => {
    const id = await createQuote(member, { validUntil: '2030-01-31T12:00:00.000Z' });
    const token = await tokenFor(id);
    clock = new Date('2030-01-31T12:00:00.001Z');
    expect(textOf((await open(token)).body)).toContain('This quote was valid until 31 January 2030');
    const answer = await post('accept', { token, name: 'Karin' });
    expect(answer.statusCode).toBe(409);
    expect(textOf(answer.body)).toContain('It can no longer be accepted.');
    expect((await readQuote(member, id)).status).toBe('sent');
  });

  it('is not possible by the link of an earlier revision, which says so [S-198]', async () => {
    const id = await createQuote(member);
    const token = await tokenFor(id);
    expect((await member.send('POST', `${quotesUrl}/${id}/revise`)).status).toBe(201);
    expect(textOf((await open(token)).body)).toContain('A newer version replaces this quote');
    const answer = await post('accept', { token, name: 'Karin' });
    expect(answer.statusCode).toBe(409);
    expect(textOf(answer.body)).toContain('A newer version replaces this quote');
  });

  it('works by any link that was mailed', async () => {
    const id = await createQuote(member);
    const [first, second] = [await tokenFor(id), await tokenFor(id, member, 'resend')];
    expect((await post('accept', { token: second, name: 'Karin' })).statusCode).toBe(303);
    expect(textOf((await open(first)).body)).toContain('Accepted by Karin');
  });
});

describe('rejecting an offer', () => {
  it.each([
    ['with a reason', 'Too late\r\nand too dear', 'Too late\nand too dear'],
    ['without one', '  ', null],
  ])('%s is kept and shown', async (_, reason, kept) => {
    const id = await createQuote(member);
    const token = await tokenFor(id);
    expect((await post('reject', { token, reason })).statusCode).toBe(303);
    const { status, decision } = await readQuote(member, id);
    expect({ status, decision }).toEqual({
      status: 'rejected',
      decision: {
        ...{ decision: 'rejected', decidedAt: clock.toISOString() },
        ...{ userId: null, name: null, reason: kept },
      },
    });
    expect(textOf((await open(token)).body)).toContain('Declined on');
  });
});

describe('an answer', () => {
  const colleague = (organizationId: string, role: string) => ({
    ...{ organizationId, userId: randomUUID(), role, name: 'Sven', familyName: null },
    ...{ email: `${role}.${randomUUID()}@acme.example`, createdAt: new Date().toISOString() },
  });
  const mailsTo = (address: string) =>
    mailServer.received
      .filter(({ recipients }) => recipients.includes(address))
      .map(({ message }) => message);

  it('is mailed to the member who sent the quote, once, or to an owner when they have left; and is audited [S-181]', async () => {
    const organizationId = randomUUID();
    const [owner, sender] = [colleague(organizationId, 'owner'), colleague(organizationId, 'member')];
    for (const person of [owner, sender]) service.feed.tell({ type: 'member.added', ...person });
    await vi.waitFor(async () => {
      const { rows } = await admin.query('SELECT FROM members WHERE organization_id = $1', [organizationId]);
      expect(rows).toHaveLength(2);
    }, patience());
    const seller = await service.member({ organizationId, sub: sender.userId });
    const quote = await createQuote(seller, { customerName: 'Brf <b>Näckrosen</b>' });
    const token = await tokenFor(quote, seller);
    expect((await post('accept', { token, name: 'Karin\tÅström' })).statusCode).toBe(303);
    await expect.poll(() => mailsTo(sender.email)).toHaveLength(1);
    expect(mailsTo(sender.email)[0]).toContain('Signed by: Karin');
    expect(mailsTo(sender.email)[0]).toContain('Brf &lt;b&gt;');
    expect(mailsTo(sender.email)[0]).toContain(`https://app.tak.example/quotes/${quote}`);
    const auditor = await service.member({ organizationId, role: 'admin' });
    const trail = await auditor.send('GET', '/api/quotation/audit?action=quote.accepted');
    expect(trail.body.data).toMatchObject([
      { actor: { kind: 'customer', userId: null, name: null }, target: { id: quote } },
    ]);
    const deliveries = await seller.send('GET', `${quotesUrl}/${quote}/deliveries`);
    expect(deliveries.body.data).toHaveLength(1);

    const second = await createQuote(seller);
    const rejection = { token: await tokenFor(second, seller), reason: 'Too dear' };
    service.feed.tell({ type: 'member.removed', organizationId, userId: sender.userId });
    await vi.waitFor(async () => {
      const { rows } = await admin.query('SELECT FROM members WHERE user_id = $1', [sender.userId]);
      expect(rows).toHaveLength(0);
    }, patience());
    expect((await post('reject', rejection)).statusCode).toBe(303);
    await expect.poll(() => mailsTo(owner.email)).toHaveLength(1);
    expect(mailsTo(owner.email)[0]).toContain('Too dear');

    // What the seller decides themselves is no news to them.
    const third = await createQuote(auditor);
    await tokenFor(third, auditor);
    expect((await auditor.send('POST', `${quotesUrl}/${third}/accept`)).status).toBe(200);
    const { rows } = await admin.query('SELECT topic FROM outbox WHERE subject_id = $1 ORDER BY id', [third]);
    expect(rows).toEqual([{ topic: 'quote-mail' }, { topic: 'quote-accepted' }]);
    expect(mailsTo(sender.email)).toHaveLength(1);
  });
});

/** The windows of limits stand still from here on, however long the test takes. */
function holdWindows(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}

describe('links that open nothing', () => {
  it('are limited by client address, and hold up no customer there', async () => {
    const token = await tokenFor(await createQuote(member));
    const from = async (remoteAddress: string, shown: string) =>
      (await service.app.inject({ url: `${offerUrl}?token=${shown}`, remoteAddress })).statusCode;
    holdWindows();
    const madeUp = (n: number) => `quote_${String(n).padStart(86, 'A')}`;
    for (let n = 0; n < 30; n += 1) expect(await from('192.0.2.77', madeUp(n))).toBe(404);
    expect(await from('192.0.2.77', madeUp(30))).toBe(429);
    expect(await from('192.0.2.77', token)).toBe(200);
    expect(await from('192.0.2.78', madeUp(30))).toBe(404);
  });

  it('aside, each link is limited by itself', async () => {
    const [one, other] = [
      await tokenFor(await createQuote(member)),
      await tokenFor(await createQuote(member)),
    ];
    holdWindows();
    for (let n = 0; n < 30; n += 1) expect((await open(one)).statusCode).toBe(200);
    expect((await open(one)).statusCode).toBe(429);
    expect((await open(other)).statusCode).toBe(200);
  });
});

describe('the PDF', () => {
  it('of a link and of a member is made so many times a minute [S-201]', async () => {
    const id = await createQuote(member);
    const token = await tokenFor(id);
    holdWindows();
    const ofLink = () => service.app.inject({ url: `${offerUrl}/pdf?token=${token}` });
    const ofMember = () => member.send('GET', `${quotesUrl}/${id}/pdf`);
    for (let times = 0; times < 2; times += 1) {
      expect([(await ofLink()).statusCode, (await ofMember()).status]).toEqual([200, 200]);
    }
    const refused = await ofLink();
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect(textOf(refused.body)).toContain('Please try again in a moment');
    expect(refusal(await ofMember())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect((await open(token)).statusCode).toBe(200);
  });
});

describe('a form for an offer', () => {
  it('is nothing but a form, and nothing without the token of the link [S-200]', async () => {
    const id = await createQuote(member);
    await tokenFor(id);
    const logged = service.logs().length;
    for (const [type, payload, status] of [
      ['text/plain', 'name=Karin', 415],
      ['application/json', '{"token":1,"name":"Karin"}', 415],
      ['application/json', '[', 415],
      ['application/json', 'null', 415],
      ['nonsense', 'name=Karin', 415],
      ['multipart/form-data; boundary=x', '--x--', 415],
      ['application/x-www-form-urlencoded', 'name=Karin', 404],
      ['application/x-www-form-urlencoded', '', 404],
    ] as const) {
      for (const url of [`${offerUrl}/accept`, `${offerUrl}/reject`]) {
        const { statusCode, body } = await service.app.inject({
          ...{ method: 'POST', url, payload },
          headers: { 'content-type': type },
        });
        expect([type, statusCode]).toEqual([type, status]);
        if (status === 415) expect(body).toContain('"code":"UNSUPPORTED_MEDIA_TYPE"');
      }
    }
    expect((await readQuote(member, id)).status).toBe('sent');
    expect(service.logs().slice(logged)).not.toMatch(/"level":"(warn|error)"/);
  });
});
