import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import {
  answered,
  createQuote,
  memberOf,
  organizationOf,
  post,
  quotesUrl,
  readQuote,
  refusal,
  startService,
  timestamp,
  type Caller,
  type TestService,
} from './support/service.ts';

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly nextAttemptAt: string | null;
}

let mailServer: MailServer;
let service: TestService;
let admin: pg.Client;

beforeAll(async () => {
  mailServer = await startMailServer();
  const env = {
    SMTP_URL: mailServer.url,
    RATE_LIMIT_QUOTE_MAIL_PER_RECIPIENT_PER_DAY: '3',
    RATE_LIMIT_QUOTE_MAIL_PER_USER_PER_DAY: '6',
    RATE_LIMIT_QUOTE_MAIL_PER_ORGANIZATION_PER_DAY: '9',
  };
  service = await startService({ env });
  admin = new pg.Client(service.testDatabase.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.close();
  await mailServer.close();
});

const newAddress = () => `karin.${randomUUID()}@astrom.example`;
const send = (caller: Caller, id: string, recipientEmail = newAddress(), how = 'send') =>
  caller.send('POST', `${quotesUrl}/${id}/${how}`, { body: { recipientEmail } });
const mailsTo = (...addresses: readonly string[]) =>
  mailServer.received.filter(({ recipients }) =>
    recipients.some((one) => addresses.includes(one.toLowerCase())),
  );
const lettersOf = (caller: Caller, id: string) =>
  answered<readonly Delivery[]>(caller.send('GET', `${quotesUrl}/${id}/deliveries`));
const letterOf = async (caller: Caller, id: string) => (await lettersOf(caller, id))[0];
/** What waits gets its next attempt now; what is in hand is left to it, and what has left stays until it is forgotten. */
const hurry = () =>
  admin.query(
    `UPDATE due_work SET next_attempt_at = now()
     WHERE kind = 'outbox' AND unanswered = 0 AND next_attempt_at < now() + INTERVAL '30 days'`,
  );
/** Sends new quotes and waits until each letter has left or waits; gives why they wait, then null for each that has left. */
async function sendAll(
  caller: Caller,
  recipients: readonly string[],
): Promise<(string | null | undefined)[]> {
  const ids: string[] = [];
  for (const recipient of recipients) {
    const id = await createQuote(caller);
    expect((await send(caller, id, recipient)).status).toBe(200);
    ids.push(id);
  }
  const letters = () => Promise.all(ids.map((id) => letterOf(caller, id)));
  const isUndecided = (letter?: Delivery) => letter?.state === 'waiting' && letter.reason === null;
  await expect.poll(async () => (await letters()).filter(isUndecided)).toEqual([]);
  return (await letters()).map((letter) => letter?.reason).toSorted();
}

describe('who sends a quote', () => {
  it('needs a proven address, and is told how to prove it [S-169]', async () => {
    const [organizationId, sub] = [randomUUID(), randomUUID()];
    service.feed.tell(
      organizationOf(organizationId),
      memberOf(organizationId, sub, { emailVerified: false }),
    );
    const caller = await service.member({ organizationId, sub });
    const id = await createQuote(caller);
    const address = newAddress();
    const refused = await send(caller, id, address);
    expect(refusal(refused)).toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
    expect((await readQuote(caller, id)).status).toBe('draft');
    service.feed.tell(memberOf(organizationId, sub, { type: 'user.updated', emailVerified: true }));
    expect((await send(caller, id, address)).status).toBe(200);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    service.feed.tell(memberOf(organizationId, sub, { type: 'user.updated', emailVerified: false }));
    expect(refusal(await send(caller, id, address, 'resend'))).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
  });

  it('counts as proven where auth-service has not told', async () => {
    const [organizationId, sub] = [randomUUID(), randomUUID()];
    service.feed.tell(
      organizationOf(organizationId),
      memberOf(organizationId, sub, { emailVerified: undefined }),
    );
    const caller = await service.member({ organizationId, sub });
    expect((await send(caller, await createQuote(caller))).status).toBe(200);
  });

  it('may be a service account, once the first owner has a proven address: answers go to it [S-98]', async () => {
    const [organizationId, sub] = [randomUUID(), randomUUID()];
    const owner = { email: 'first@tak.example', emailVerified: false };
    service.feed.tell(organizationOf(organizationId), memberOf(organizationId, sub, owner));
    const key = await service.serviceAccount({ organizationId, scope: 'quotes:read quotes:write' });
    const id = await createQuote(key);
    const address = newAddress();
    const refused = await send(key, id, address);
    expect(refusal(refused)).toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
    expect(refused.text).toContain('first owner');
    service.feed.tell(memberOf(organizationId, sub, { ...owner, type: 'user.updated', emailVerified: true }));
    expect((await send(key, id, address)).status).toBe(200);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    expect(mailsTo(address)[0]?.message).toMatch(/^Reply-To: first@tak\.example\r?$/m);
  });

  it('is who the answer of the customer goes to', async () => {
    const [organizationId, sub] = [randomUUID(), randomUUID()];
    service.feed.tell(
      organizationOf(organizationId),
      memberOf(organizationId, sub, { email: 'sven@tak.example' }),
    );
    const caller = await service.member({ organizationId, sub });
    const address = newAddress();
    await send(caller, await createQuote(caller), address);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
    expect(mailsTo(address)[0]?.message).toMatch(/^Reply-To: sven@tak\.example\r?$/m);
  });
});

describe('what a quote takes from its organization [S-170]', () => {
  it('is what its caller has last changed there, every time', async () => {
    const organizationId = randomUUID();
    const caller = await service.member({ organizationId });
    for (let vatRate = 0; vatRate < 12; vatRate += 1) {
      service.feed.tell({ ...organizationOf(organizationId, { vatRate }), type: 'organization.updated' });
      const keyed = vatRate % 2 === 0 ? { 'idempotency-key': randomUUID() } : {};
      const made = await caller.send('POST', quotesUrl, {
        body: { customerId: randomUUID(), title: 'Roof' },
        headers: keyed,
      });
      expect((await readQuote(caller, made.body.data.id)).vatRate).toBe(vatRate);
    }
  });

  it('is refused where it has not arrived, and without it nothing is made or sent', async () => {
    const organizationId = randomUUID();
    const sub = randomUUID();
    const authorization = `Bearer ${await service.issuer.token({ organizationId, sub })}`;
    const caller = service.caller(authorization);
    const body = { customerId: randomUUID(), title: 'Roof' };
    const refused = await caller.send('POST', quotesUrl, { body });
    expect(refusal(refused)).toMatchObject({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
    expect(refused.headers['retry-after']).toBe('1');
    service.feed.tell(organizationOf(organizationId));
    const id = await createQuote(caller);
    expect(refusal(await send(caller, id))).toMatchObject({ status: 503 });
    service.feed.tell(memberOf(organizationId, sub));
    expect((await send(caller, id)).status).toBe(200);
  });
});

describe('letters of quotes', () => {
  it('leave so many a day to one recipient, of one organization; the others say why they wait, and for how long [S-169]', async () => {
    const caller = await service.member();
    const address = newAddress();
    const plus = address.replace('@', '+7@');
    const reasons = await sendAll(caller, [address, address.toUpperCase(), plus, address]);
    expect(reasons).toEqual(['RECIPIENT_DAILY_LIMIT', null, null, null]);
    expect(mailsTo(address, plus)).toHaveLength(3);
    const other = await service.member();
    expect(await sendAll(other, [address])).toEqual([null]);
  });

  it('leave so many a day by one user, and so many of one organization', async () => {
    const organizationId = randomUUID();
    const [first, second] = [
      await service.member({ organizationId }),
      await service.member({ organizationId }),
    ];
    const seven = Array.from({ length: 7 }, () => newAddress());
    expect((await sendAll(first, seven)).slice(0, 2)).toEqual(['SENDER_DAILY_LIMIT', null]);
    const four = Array.from({ length: 4 }, () => newAddress());
    expect((await sendAll(second, four)).slice(0, 2)).toEqual(['ORGANIZATION_DAILY_LIMIT', null]);
    expect(mailsTo(...seven, ...four)).toHaveLength(9);
  });

  it('are counted when they leave: many concurrent ones stay within the limit, and what the mail server refuses is not counted [S-169]', async () => {
    const caller = await service.member();
    const address = newAddress();
    mailServer.behave('refuse');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await createQuote(caller));
    for (const id of ids) expect((await send(caller, id, address)).status).toBe(200);
    await expect.poll(() => service.logs().split('mailbox busy').length).toBeGreaterThan(3);
    expect(mailsTo(address)).toHaveLength(0);
    mailServer.behave('accept');
    await expect.poll(async () => (await hurry(), mailsTo(address).length)).toBe(3);
    await expect
      .poll(async () =>
        (await Promise.all(ids.map((id) => letterOf(caller, id)))).map((one) => one?.reason).toSorted(),
      )
      .toEqual(['RECIPIENT_DAILY_LIMIT', 'RECIPIENT_DAILY_LIMIT', null, null, null]);
    // What was hurried is tried once more, and waits again.
    const hoursToWait = async () => {
      const letters = await Promise.all(ids.map((id) => letterOf(caller, id)));
      const waiting = letters.filter((one) => one?.state === 'waiting');
      return waiting.map((one) =>
        Math.round((Date.parse(one?.nextAttemptAt ?? '') - Date.now()) / 3_600_000),
      );
    };
    await expect.poll(hoursToWait).toEqual([24, 24]);

    // A day later there is room again.
    await admin.query("UPDATE mailed_letters SET mailed_at = mailed_at - INTERVAL '1 day'");
    await hurry();
    await expect.poll(() => mailsTo(address)).toHaveLength(5);
  });

  it('that have waited for days are given up, with the reason', async () => {
    const caller = await service.member();
    const address = newAddress();
    await sendAll(caller, [address, address, address]);
    const id = await createQuote(caller);
    await send(caller, id, address);
    await expect
      .poll(() => letterOf(caller, id))
      .toMatchObject({ reason: 'RECIPIENT_DAILY_LIMIT', nextAttemptAt: timestamp });
    await admin.query("UPDATE outbox SET created_at = created_at - INTERVAL '4 days' WHERE subject_id = $1", [
      id,
    ]);
    await hurry();
    await expect
      .poll(() => letterOf(caller, id))
      .toMatchObject({ state: 'failed', reason: 'RECIPIENT_DAILY_LIMIT', nextAttemptAt: null });
  });
});

describe('a letter that waits', () => {
  /** A quote that was sent, whose letter has not left yet. */
  async function waiting(): Promise<{ caller: Caller; id: string; address: string }> {
    const caller = await service.member();
    const address = newAddress();
    mailServer.behave('refuse');
    const id = await createQuote(caller);
    await send(caller, id, address);
    const failed = `
      SELECT FROM due_work w JOIN outbox o ON o.id = w.id WHERE o.subject_id = $1 AND w.attempts = 1 AND w.unanswered = 0`;
    await expect.poll(async () => (await admin.query(failed, [id])).rowCount).toBe(1);
    return { caller, id, address };
  }

  it.each([
    ['revised', 'revise', 'QUOTE_REVISED'],
    ['accepted', 'accept', 'QUOTE_ANSWERED'],
    ['rejected', 'reject', 'QUOTE_ANSWERED'],
  ])('does not leave once its quote is %s', async (_, how, reason) => {
    const { caller, id, address } = await waiting();
    await post(caller, `${quotesUrl}/${id}/${how}`, {});
    mailServer.behave('accept');
    await hurry();
    await expect
      .poll(() => letterOf(caller, id))
      .toMatchObject({ state: 'failed', reason, nextAttemptAt: null });
    expect(mailsTo(address)).toEqual([]);
  });

  it('does not leave once its customer is erased', async () => {
    const { caller, id, address } = await waiting();
    // As the erasure of a customer with many quotes leaves those that it has not come to yet.
    await admin.query(
      'UPDATE customers SET erased_at = now() WHERE id = (SELECT customer_id FROM quotes WHERE id = $1)',
      [id],
    );
    mailServer.behave('accept');
    await hurry();
    await expect
      .poll(() => letterOf(caller, id))
      .toMatchObject({ state: 'failed', reason: 'CUSTOMER_ERASED', nextAttemptAt: null });
    expect(mailsTo(address)).toEqual([]);
  });

  it('leaves where it was put out after the answer: a copy of what was accepted', async () => {
    mailServer.behave('accept');
    const caller = await service.member();
    const id = await createQuote(caller);
    await send(caller, id);
    await post(caller, `${quotesUrl}/${id}/accept`, {});
    const address = newAddress();
    expect((await send(caller, id, address, 'resend')).status).toBe(201);
    await expect.poll(() => mailsTo(address)).toHaveLength(1);
  });
});
