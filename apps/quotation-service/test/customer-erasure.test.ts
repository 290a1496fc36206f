import { randomInt, randomUUID } from 'node:crypto';
import { mentionsOf, patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import {
  createQuote,
  customersUrl,
  notFound,
  post,
  quoteOf,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const offerUrl = '/api/quotation/offer';
const conflict = { status: 409, code: 'CONFLICT' };

let mailServer: MailServer;
let service: TestService;
let sql: pg.Pool;
let admin: Caller;
beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startService({ env: { SMTP_URL: mailServer.url } });
  sql = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 2 });
  sql.on('error', () => undefined);
});
beforeEach(async () => {
  admin = await service.member({ role: 'admin' });
});
afterAll(async () => {
  await sql.end();
  await service.close();
  await mailServer.close();
});

const erase = (id: string, { caller = admin, headers = {} } = {}) =>
  caller.send('POST', `${customersUrl}/${id}/erase`, { headers });
const mentions = async (text: string) => Object.keys(await mentionsOf(service.testDatabase.adminUrl, text));
const list = async (query = '') => (await admin.send('GET', `${customersUrl}?${query}`)).body;
const accept = (token: string, name: string, ip: string) =>
  service.app.inject({
    method: 'POST',
    url: `${offerUrl}/accept`,
    remoteAddress: ip,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': `Browser of ${name}` },
    payload: new URLSearchParams({ token, name }).toString(),
  });

/** A customer of its own, as quotes name it. */
function somebody() {
  const mark = randomUUID();
  const customer = {
    ...{ customerId: randomUUID(), customerName: `Karin ${mark}`, customerEmail: `${mark}@astrom.example` },
  };
  return { ...customer, customer, mark };
}

const draftFor = ({ customer }: ReturnType<typeof somebody>) => quoteOf(admin, [[[1, 10]]], customer);

/** Sends a quote, and gives the token in the link that its customer gets. */
async function offer(id: string, recipientEmail: string): Promise<string> {
  await post(admin, `${quotesUrl}/${id}/send`, { recipientEmail, message: `Dear ${recipientEmail}` });
  return vi.waitFor(() => {
    const mail = mailServer.received.find(({ recipients }) => recipients.includes(recipientEmail));
    const [token] = /quote_[\w-]{86}/.exec(mail?.message ?? '') ?? [];
    if (token === undefined) throw new Error('no mail yet');
    return token;
  }, patience());
}

describe('POST /api/quotation/customers/{customerId}/erase', () => {
  it('leaves nothing of a customer, its letters and its signature [S-193]', async () => {
    const karin = somebody();
    const { customerId, customerEmail, mark } = karin;
    const accepted = await draftFor(karin);
    const vatNumber = `FI${randomInt(10_000_000, 99_999_999)}`;
    const whereabouts = { body: { address: `${mark} 5\n415 02 Göteborg`, vatNumber } };
    await admin.send('PATCH', `${customersUrl}/${customerId}`, whereabouts);
    const signed = await offer(accepted.id, customerEmail);
    expect((await accept(signed, karin.customerName, '203.0.113.77')).statusCode).toBe(303);
    await post(admin, `${quotesUrl}/${accepted.id}/contract`, {});
    const rejected = await draftFor(karin);
    await sendQuote(admin, rejected.id);
    const body = { reason: `${mark} has moved` };
    const headers = { 'idempotency-key': randomUUID() };
    await admin.send('POST', `${quotesUrl}/${rejected.id}/reject`, { body, headers });
    await post(admin, `${quotesUrl}/${rejected.id}/revise`, {});
    const deleted = await draftFor(karin);
    await admin.send('DELETE', `${quotesUrl}/${deleted.id}`);
    const renamed = { body: { name: `Karin Åström ${mark}` } };
    await admin.send('PATCH', `/api/quotation/customers/${customerId}`, renamed);
    expect(await mentions(mark)).toEqual([
      ...[
        'audit_events',
        'contracts',
        'customers',
        'idempotency_keys',
        'outbox',
        'quote_decisions',
        'quotes',
      ],
    ]);
    expect(await mentions('203.0.113.77')).toEqual(['quote_decisions']);
    expect(await mentions(vatNumber)).toEqual(['contracts', 'customers', 'idempotency_keys', 'quotes']);

    const answer = await erase(customerId);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await mentions(mark)).toEqual([]);
    expect(await mentions('203.0.113.77')).toEqual([]);
    expect(await mentions(vatNumber)).toEqual([]);
    const keepTheId = ['audit_events', 'contracts', 'customers', 'outbox', 'quotes'];
    expect(await mentions(customerId)).toEqual(keepTheId);
    const trail = await admin.send('GET', `/api/quotation/audit?action=customer.erased`);
    expect(trail.body.data).toMatchObject([{ target: { type: 'customer', id: customerId }, details: {} }]);
  });

  it('with ids in capitals forgets the same, also what is stored for repeated requests', async () => {
    const karin = somebody();
    const { customerId, mark } = karin;
    const { id } = await quoteOf(admin, [[[1, 10]]], {
      ...karin.customer,
      customerId: customerId.toUpperCase(),
    });
    await sendQuote(admin, id);
    const headers = { 'idempotency-key': randomUUID() };
    const accepting = (quoteId: string) => admin.send('POST', `${quotesUrl}/${quoteId}/accept`, { headers });
    expect((await accepting(id.toUpperCase())).text).toContain(mark);

    expect((await erase(customerId.toUpperCase())).status).toBe(204);
    for (const quoteId of [id, id.toUpperCase()]) expect((await accepting(quoteId)).text).not.toContain(mark);
    expect(await mentions(mark)).toEqual([]);
    expect(await mentions(customerId.toUpperCase())).toEqual([]);
  });

  it('leaves its quotes, with numbers and sums, and what was agreed on', async () => {
    const karin = somebody();
    const quote = await draftFor(karin);
    await sendQuote(admin, quote.id);
    await post(admin, `${quotesUrl}/${quote.id}/accept`, {});
    await post(admin, `${quotesUrl}/${quote.id}/contract`, {});
    const contractOf = async () => (await admin.send('GET', `${quotesUrl}/${quote.id}/contract`)).body.data;
    const before = await contractOf();
    await erase(karin.customerId);
    const { number, totalAmount, workPackages } = quote;
    expect(await readQuote(admin, quote.id)).toMatchObject({
      ...{ status: 'accepted', number, totalAmount, workPackages },
      ...{ customerId: karin.customerId, customerName: '', customerEmail: null },
    });
    const customer = { id: karin.customerId, name: '', email: null };
    expect(await contractOf()).toEqual(Object.assign(before, { customer }));
    const { body } = await admin.send('GET', '/api/quotation/statistics');
    expect(JSON.stringify(body)).toContain('"accepted"');
    expect((await service.app.inject(`${quotesUrl}/${quote.id}/pdf`)).statusCode).toBe(401);
    expect((await admin.send('GET', `${quotesUrl}/${quote.id}/pdf`)).status).toBe(200);
  });

  it('leaves no language either, also by a version that knows of none [S-193]', async () => {
    const karin = somebody();
    const { id } = await draftFor(karin);
    const body = { recipientEmail: karin.customerEmail, language: 'sv' };
    await post(admin, `${quotesUrl}/${id}/send`, body);
    const languageOf = async () => {
      const { rows } = await sql.query<{ language: string | null }>(
        'SELECT language FROM customers WHERE id = $1',
        [karin.customerId],
      );
      return rows[0]?.language;
    };
    expect(await languageOf()).toBe('sv');
    const { pool } = service.database;
    await pool.within({ organizationId: admin.organizationId }, async () => {
      const erasure = `UPDATE customers SET name = '', email = NULL, erased_at = clock_timestamp() WHERE id = $1`;
      await pool.query(erasure, [karin.customerId]);
    });
    expect(await languageOf()).toBeNull();
  });

  it('leaves no address either, in no quote, by a version that knows of none [S-193]', async () => {
    const karin = somebody();
    const { customerId, mark } = karin;
    await draftFor(karin);
    const body = { address: `${mark} 5\n415 02 Göteborg` };
    await admin.send('PATCH', `${customersUrl}/${customerId}`, { body });
    const { pool } = service.database;
    await pool.within({ organizationId: admin.organizationId }, async () => {
      const erasures = [
        `UPDATE customers SET name = '', email = NULL, erased_at = clock_timestamp() WHERE id = $1`,
        `UPDATE quotes SET customer_name = '', customer_email = NULL WHERE customer_id = $1`,
      ];
      for (const erasure of erasures) await pool.query(erasure, [customerId]);
    });
    expect(await mentions(mark)).not.toEqual(expect.arrayContaining(['customers']));
    expect(await mentions(mark)).not.toEqual(expect.arrayContaining(['quotes']));
  });

  it('takes it out of the list, for good: its id is neither found nor used again', async () => {
    const [karin, other] = [somebody(), somebody()];
    const draft = await draftFor(karin);
    await draftFor(other);
    await erase(karin.customerId);
    expect((await list()).data).toMatchObject([{ id: other.customerId }]);
    expect((await list()).meta.total).toBe(1);
    expect((await list(`search=${karin.mark}`)).meta.total).toBe(0);
    const url = `${customersUrl}/${karin.customerId}`;
    for (const answer of [
      await admin.send('GET', url),
      await admin.send('PUT', url, { body: { name: 'Karin' } }),
      await erase(karin.customerId),
    ]) {
      expect(refusal(answer)).toEqual(notFound);
    }
    const another = await createQuote(admin, { customerId: other.customerId });
    for (const answer of [
      await admin.send('POST', quotesUrl, { body: { ...karin.customer, title: 'Roof' } }),
      await admin.send('PUT', `${quotesUrl}/${another}`, { body: { customerId: karin.customerId } }),
      await admin.send('POST', `${quotesUrl}/${draft.id}/duplicate`),
      await admin.send('POST', `${quotesUrl}/${draft.id}/send`, {
        body: { recipientEmail: karin.customerEmail },
      }),
    ]) {
      expect(refusal(answer)).toMatchObject(conflict);
    }
    expect(await mentions(karin.mark)).toEqual([]);
    // Its drafts may go to somebody else.
    const changed = await admin.send('PUT', `${quotesUrl}/${draft.id}`, {
      body: { customerId: other.customerId },
    });
    expect(changed.body.data).toMatchObject({ customerName: other.customerName });
  });

  it('closes its offers, which the seller can still reject', async () => {
    const karin = somebody();
    const { id } = await draftFor(karin);
    const token = await offer(id, karin.customerEmail);
    await erase(karin.customerId);
    expect((await service.app.inject(`${offerUrl}?token=${token}`)).statusCode).toBe(404);
    expect((await accept(token, karin.customerName, '203.0.113.78')).statusCode).toBe(404);
    const recipientEmail = karin.customerEmail;
    const resent = await admin.send('POST', `${quotesUrl}/${id}/resend`, { body: { recipientEmail } });
    expect(refusal(resent)).toMatchObject(conflict);
    expect(refusal(await admin.send('POST', `${quotesUrl}/${id}/accept`))).toMatchObject(conflict);
    expect((await admin.send('POST', `${quotesUrl}/${id}/reject`)).status).toBe(200);
    expect(await mentions(karin.mark)).toEqual([]);
  });

  it('cannot be undone by what is under way at the same moment [S-193]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const karin = somebody();
      const { mark, customerId, customerName, customerEmail } = karin;
      const [{ id: open }, { id: draft }] = [await draftFor(karin), await draftFor(karin)];
      const token = await offer(open, customerEmail);
      const [answer] = await Promise.all([
        erase(customerId),
        accept(token, customerName, '203.0.113.79'),
        admin.send('POST', quotesUrl, { body: { customerId, customerName, title: 'Roof' } }),
        admin.send('PUT', `${customersUrl}/${customerId}`, { body: { name: `Karin ${mark} again` } }),
        admin.send('POST', `${quotesUrl}/${draft}/send`, { body: { recipientEmail: customerEmail } }),
        admin.send('POST', `${quotesUrl}/${open}/resend`, { body: { recipientEmail: customerEmail } }),
        admin.send('POST', `${quotesUrl}/${open}/revise`),
        admin.send('POST', `${quotesUrl}/${open}/contract`),
      ]);
      expect(answer.status).toBe(204);
      await expect.poll(() => mentions(mark)).toEqual([]);
      expect(await mentions('203.0.113.79')).toEqual([]);
    }
  });

  it('of a customer with many quotes continues after the response, in batches', async () => {
    const karin = somebody();
    const { id } = await draftFor(karin);
    await sql.query(
      `INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, title,
         description, currency, vat_rate, valid_until)
       SELECT organization_id, 'N-' || n, 2020, n, customer_id, customer_name, title, description, currency, vat_rate, valid_until
       FROM quotes CROSS JOIN generate_series(1, 250) n WHERE id = $1`,
      [id],
    );
    const named = async () => {
      const { rows } = await sql.query<{ count: number }>(
        `SELECT count(*)::int FROM quotes WHERE customer_id = $1 AND customer_name <> ''`,
        [karin.customerId],
      );
      return rows[0]?.count;
    };
    expect(await named()).toBe(251);
    // Held by another, the last one of the second batch keeps the work after the answer waiting.
    const holding = await sql.connect();
    await holding.query(`BEGIN; SELECT FROM quotes WHERE number = 'N-199' FOR NO KEY UPDATE`);
    expect((await erase(karin.customerId)).status).toBe(204);
    expect(await named()).toBe(151);
    await holding.query('ROLLBACK');
    holding.release();
    // Another instance on the same data looks as it starts.
    const other = await startService({ env: { DATABASE_URL: service.testDatabase.runtimeUrl } });
    onTestFinished(() => other.close());
    await other.app.ready();
    await expect.poll(named).toBe(0);
    const due = async () =>
      (await sql.query(`SELECT FROM due_work WHERE id = $1`, [karin.customerId])).rowCount;
    await expect.poll(due).toBe(0);
  });

  it('is for admins, for a customer of their own, as they have read it', async () => {
    const karin = somebody();
    await draftFor(karin);
    const { customerId } = karin;
    const { organizationId } = admin;
    for (const role of ['member', 'viewer'] as const) {
      const answer = await erase(customerId, { caller: await service.member({ organizationId, role }) });
      expect(refusal(answer)).toMatchObject({ status: 403 });
    }
    const stranger = await service.member({ role: 'owner' });
    expect(refusal(await erase(customerId, { caller: stranger }))).toEqual(notFound);
    const stale = await erase(customerId, { headers: { 'if-match': '"7"' } });
    expect(stale.status).toBe(412);
    expect((await list()).meta.total).toBe(1);
    const current = await erase(customerId, { headers: { 'if-match': '"1"' } });
    expect(current.status).toBe(204);
  });
});

it('nothing but an erasure changes a decision or a contract, whatever the request [S-193]', async () => {
  const karin = somebody();
  const { id } = await draftFor(karin);
  await sendQuote(admin, id);
  await post(admin, `${quotesUrl}/${id}/accept`, {});
  await post(admin, `${quotesUrl}/${id}/contract`, {});
  const { organizationId } = admin;
  const kept = async () => {
    const { rows } = await sql.query<{ decision: object; contract: object }>(
      `SELECT to_jsonb(d) AS decision, to_jsonb(c) AS contract FROM quote_decisions d JOIN contracts c USING (quote_id)
       WHERE quote_id = $1`,
      [id],
    );
    return rows;
  };
  const before = await kept();
  expect(before).toHaveLength(1);
  await service.database.pool.within({ organizationId }, async () => {
    await service.database.pool.query(`UPDATE quote_decisions SET reason = 'late', is_erased = true`);
    await service.database.pool.query(`UPDATE contracts SET document = '{}'`);
    const hash = `UPDATE contracts SET content_hash = '\\x00'`;
    await expect(service.database.pool.query(hash)).rejects.toThrow(/permission denied/);
  });
  expect(await kept()).toEqual(before);
});
