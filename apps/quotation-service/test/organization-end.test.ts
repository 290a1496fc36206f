import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationEndTests, organizationEvent } from '@tenantry/service-tests';
import { mentionsOf, patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { service as definition } from '../src/service.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import {
  memberOf,
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

const offerUrl = '/api/quotation/offer';

/** Sends a quote and waits for its letter to leave: it would not leave any more once the quote is revised or answered. */
async function mailQuote(caller: Caller, id: string): Promise<void> {
  await sendQuote(caller, id);
  const letters = async () => (await caller.send('GET', `${quotesUrl}/${id}/deliveries`)).body;
  await expect.poll(letters).toMatchObject({ data: [{ state: 'delivered' }] });
}

const mailDirectory = await mkdtemp(join(tmpdir(), 'tenantry-mail-'));
afterAll(() => rm(mailDirectory, { recursive: true, force: true }));

organizationEndTests(definition, {
  env: { MAIL_DIRECTORY: mailDirectory, LEADS_URL: 'http://127.0.0.1:9' },
  async populate({ organizationId, caller, userId, feed }) {
    const logo = createHash('sha256').update(organizationId).digest('hex');
    feed.show(organizationId, { mediaType: 'image/png', content: Buffer.from(organizationId) });
    feed.tell({ ...organizationOf(organizationId), logo }, memberOf(organizationId, userId));
    const { id } = await quoteOf(caller as Caller, [[[1, 10]], [[2, 20]]]);
    await mailQuote(caller as Caller, id);
    const revised = (await post(caller as Caller, `${quotesUrl}/${id}/revise`, {})).id;
    await mailQuote(caller as Caller, revised);
    await post(caller as Caller, `${quotesUrl}/${revised}/accept`, {});
    await post(caller as Caller, `${quotesUrl}/${revised}/contract`, {});
    const body = { customerId: randomUUID(), title: 'Once' };
    await caller.send('POST', quotesUrl, { body, headers: { 'idempotency-key': 'once' } });
    const headers = { 'content-type': 'text/csv' };
    await caller.send('POST', '/api/quotation/customers/import', { body: 'name\nNäs AB\n', headers });
  },
});

describe('the offers of an organization that was deleted [S-191]', () => {
  let mailServer: MailServer;
  let service: TestService;
  let admin: pg.Client;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startService({ env: { SMTP_URL: mailServer.url } });
    admin = new pg.Client(service.testDatabase.adminUrl);
    await admin.connect();
    await service.app.ready();
  });
  afterAll(async () => {
    await admin.end();
    await service.close();
    await mailServer.close();
  });

  const recipients = () => mailServer.received.flatMap((mail) => mail.recipients);
  const open = async (token: string) => (await service.app.inject(`${offerUrl}?token=${token}`)).statusCode;
  const accept = (token: string) =>
    service.app.inject({
      method: 'POST',
      url: `${offerUrl}/accept`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token, name: 'Karin Åström' }).toString(),
    });
  const ended = async (organizationId: string) => {
    const { rows } = await admin.query('SELECT FROM organization_ends WHERE organization_id = $1', [
      organizationId,
    ]);
    return rows.length;
  };

  /** An organization, and the token in the link of an offer of it. */
  async function offering() {
    const caller = await service.member();
    const { organizationId } = caller;
    const { id } = await quoteOf(caller, [[[1, 10]]]);
    const recipientEmail = `karin.${randomUUID()}@astrom.example`;
    await post(caller, `${quotesUrl}/${id}/send`, { recipientEmail });
    const token = await vi.waitFor(() => {
      const mail = mailServer.received.find(({ recipients: to }) => to.includes(recipientEmail));
      const [found] = /quote_[\w-]{86}/.exec(mail?.message ?? '') ?? [];
      if (found === undefined) throw new Error('no mail yet');
      return found;
    }, patience());
    return { caller, organizationId, id, token };
  }

  it('are closed, page, PDF and answer, and open again where it is restored', async () => {
    const { caller, organizationId, id, token } = await offering();
    const other = await offering();
    expect(await open(token)).toBe(200);
    service.feed.tell({ type: 'organization.deleted', organizationId });
    await expect.poll(() => open(token)).toBe(404);
    expect((await accept(token)).statusCode).toBe(404);
    expect((await service.app.inject(`${offerUrl}/pdf?token=${token}`)).statusCode).toBe(404);
    expect(refusal(await caller.send('POST', `${quotesUrl}/${id}/link`))).toEqual(notFound);
    expect(await open(other.token)).toBe(200);
    const { rows } = await admin.query(`SELECT FROM quote_decisions WHERE organization_id = $1`, [
      organizationId,
    ]);
    expect(rows).toEqual([]);

    service.feed.tell(organizationEvent('organization.updated', organizationId));
    await expect.poll(() => open(token)).toBe(200);
    expect((await accept(token)).statusCode).toBe(303);
  });

  it('are no longer mailed to customers who wait, unless it is restored', async () => {
    const { caller, organizationId, id } = await offering();
    const waiting = `waiting.${randomUUID()}@astrom.example`;
    mailServer.behave('refuse');
    await post(caller, `${quotesUrl}/${id}/resend`, { recipientEmail: waiting });
    const attempts = async () => {
      const { rows } = await admin.query<{ attempts: number }>(
        `SELECT attempts FROM due_work
         WHERE organization_id = $1 AND kind = 'outbox' AND unanswered = 0 ORDER BY attempts DESC LIMIT 1`,
        [organizationId],
      );
      return rows[0]?.attempts;
    };
    await expect.poll(attempts).toBe(1);
    service.feed.tell({ type: 'organization.deleted', organizationId });
    await expect.poll(() => ended(organizationId)).toBe(1);
    mailServer.behave('accept');
    await admin.query('UPDATE due_work SET next_attempt_at = now() WHERE organization_id = $1', [
      organizationId,
    ]);
    const other = await offering();
    expect(recipients()).not.toContain(waiting);
    expect(await attempts()).toBe(1);
    expect(await open(other.token)).toBe(200);
    service.feed.tell(organizationEvent('organization.updated', organizationId));
    await expect.poll(() => recipients()).toContain(waiting);
  });

  it('are not mailed by a letter either that is being made when it is deleted, unless it is restored', async () => {
    const { caller, organizationId, id } = await offering();
    const made = `made.${randomUUID()}@astrom.example`;
    // A letter is made up to its link, which is not written before this transaction ends.
    await admin.query('BEGIN');
    await admin.query('LOCK TABLE quote_links IN EXCLUSIVE MODE');
    await post(caller, `${quotesUrl}/${id}/resend`, { recipientEmail: made });
    const waiting = async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_locks WHERE relation = 'quote_links'::regclass AND NOT granted`,
      );
      return rowCount;
    };
    await expect.poll(waiting).toBe(1);
    service.feed.tell({ type: 'organization.deleted', organizationId });
    await expect.poll(() => ended(organizationId)).toBe(1);
    await admin.query('COMMIT');
    const letters = () =>
      admin.query<object>(
        `SELECT o.reason, o.attempts, w.next_attempt_at = 'infinity' AS rests
         FROM outbox o JOIN due_work w USING (organization_id, id)
         WHERE o.subject_id = $1 AND o.delivered_at IS NULL`,
        [id],
      );
    await expect
      .poll(async () => (await letters()).rows)
      .toEqual([{ reason: 'ORGANIZATION_DELETED', attempts: 0, rests: true }]);
    expect(recipients()).not.toContain(made);
    service.feed.tell(organizationEvent('organization.updated', organizationId));
    await expect.poll(() => recipients()).toContain(made);
  });
});

it('nothing but a purge deletes quotes and what belongs to them, whatever the request [S-192]', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const caller = await service.member();
  const { organizationId } = caller;
  const { id } = await quoteOf(caller, [[[1, 10]]]);
  await sendQuote(caller, id);
  await post(caller, `${quotesUrl}/${id}/accept`, {});
  await post(caller, `${quotesUrl}/${id}/contract`, {});
  // How many rows count what is stored depends on when they are summed up.
  const mentions = async () => ({
    ...(await mentionsOf(service.testDatabase.adminUrl, organizationId)),
    storage_use: 0,
  });
  const before = await mentions();
  const tables = [
    'contracts',
    'quote_decisions',
    'quotes',
    'quote_counters',
    'quote_links',
    'customers',
    'audit_events',
  ];
  for (const table of tables) {
    await service.database.pool.within({ organizationId }, async () => {
      await service.database.pool.query(`DELETE FROM ${table}`);
    });
  }
  expect(await mentions()).toEqual(before);
});
