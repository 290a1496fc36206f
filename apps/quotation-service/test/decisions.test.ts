import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addLine,
  addPackage,
  createQuote,
  matching,
  notFound,
  post,
  quoteOf,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  timestamp,
  uuid,
  type Caller,
  type TestService,
} from './support/service.ts';

let now = new Date('2026-11-21T12:00:00.000Z');
let service: TestService;
let admin: pg.Pool;
let member: Caller;
beforeAll(async () => {
  service = await startService({ now: () => now });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
  member = await service.member();
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const move = (id: string, name: string, sent: object = {}, caller = member) =>
  caller.send('POST', `${quotesUrl}/${id}/${name}`, sent);
const conflict = (code = 'CONFLICT') => ({ status: 409, data: null, code, fields: [] });

async function sent(quote: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { id } = await quoteOf(member, [[[3, 33.335]], [[1, 20]]], quote);
  await sendQuote(member, id);
  return id;
}

describe('a quote that was sent', () => {
  it('is accepted, with who, when, from where, and the hash of what [S-123]', async () => {
    const id = await sent();
    expect((await readQuote(member, id)).decision).toBeNull();
    const answer = await move(id, 'accept', { headers: { 'user-agent': 'Tests/1.0' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: 'accepted', allowedTransitions: [] });
    expect((await readQuote(member, id)).decision).toEqual({
      ...{ decision: 'accepted', decidedAt: now.toISOString(), userId: uuid },
      ...{ name: null, reason: null },
    });
    const { rows } = await admin.query<Record<string, unknown>>(
      'SELECT *, length(content_hash) AS bytes FROM quote_decisions WHERE quote_id = $1',
      [id],
    );
    expect(rows).toMatchObject([
      {
        ...{ decision: 'accepted', decided_at: now, user_id: uuid, name: null, reason: null },
        ...{ ip_address: '127.0.0.1', user_agent: 'Tests/1.0', bytes: 32 },
      },
    ]);
  });

  it('is rejected, with a reason or without', async () => {
    for (const sending of [{ body: { reason: 'Too late' } }, { body: {} }, {}]) {
      const id = await sent();
      const answer = await move(id, 'reject', sending);
      expect(answer.body.data).toMatchObject({ id, status: 'rejected', allowedTransitions: [] });
    }
  });

  it('is decided on once: of ten concurrent decisions, one succeeds [S-122]', async () => {
    const id = await sent();
    const moves = Array.from({ length: 10 }, (_, n) => move(id, n % 2 === 0 ? 'accept' : 'reject'));
    const statuses = (await Promise.all(moves)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('is not accepted past validUntil, but rejected', async () => {
    const id = await sent({ validUntil: '2026-11-21T12:00:01Z' });
    now = new Date('2026-11-21T12:00:02.000Z');
    expect(refusal(await move(id, 'accept'))).toEqual(conflict('QUOTE_EXPIRED'));
    expect((await move(id, 'reject')).status).toBe(200);
    now = new Date('2026-11-21T12:00:00.000Z');
  });

  it('is accepted until the last moment of validUntil', async () => {
    const id = await sent({ validUntil: now.toISOString() });
    expect((await move(id, 'accept')).status).toBe(200);
  });
});

describe('every other move', () => {
  const reach = {
    draft: () => createQuote(member),
    sent: () => sent(),
    accepted: async () => {
      const id = await sent();
      await move(id, 'accept');
      return id;
    },
    rejected: async () => {
      const id = await sent();
      await move(id, 'reject');
      return id;
    },
  };
  it.each([
    ['draft', 'accept', 'accepted', ['sent']],
    ['draft', 'reject', 'rejected', ['sent']],
    ['sent', 'send', 'sent', ['accepted', 'rejected']],
    ['accepted', 'send', 'sent', []],
    ['accepted', 'accept', 'accepted', []],
    ['accepted', 'reject', 'rejected', []],
    ['rejected', 'send', 'sent', []],
    ['rejected', 'accept', 'accepted', []],
    ['rejected', 'reject', 'rejected', []],
  ] as const)('is refused: %s %s [S-122]', async (from, name, to, allowed) => {
    const id = await reach[from]();
    const answer = await move(id, name, name === 'send' ? { body: { recipientEmail: 'a@b.example' } } : {});
    expect(refusal(answer)).toMatchObject({ status: 409, code: 'INVALID_TRANSITION', fields: ['status'] });
    expect(answer.body.error.details).toMatchObject([{ params: { from, to, allowed } }]);
    expect((await readQuote(member, id)).status).toBe(from);
  });

  it.each(['send', 'accept', 'reject', 'revise', 'duplicate', 'contract'])(
    '%s of another organization’s quote is refused like one that does not exist',
    async (name) => {
      const stranger = await service.member();
      const sending = name === 'send' ? { body: { recipientEmail: 'a@b.example' } } : {};
      const foreign = await move(await sent(), name, sending, stranger);
      const unknown = await move(randomUUID(), name, sending, stranger);
      expect(refusal(foreign)).toEqual(notFound);
      expect(foreign.body.error).toEqual(unknown.body.error);
    },
  );
});

describe('a revision', () => {
  it('is a draft of the same number that replaces the one before, content and ids kept', async () => {
    const id = await sent({ description: 'Felt', vatRate: 12 });
    const before = await readQuote(member, id);
    const answer = await move(id, 'revise');
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({ id: uuid, number: before.number, revision: 2 });
    const revision = await readQuote(member, answer.body.data.id);
    expect(revision).toEqual({
      ...before,
      ...{ id: answer.body.data.id, revision: 2, status: 'draft', sentAt: null },
      ...{ createdAt: timestamp, updatedAt: timestamp, allowedTransitions: ['sent'] },
    });
    expect(await readQuote(member, id)).toMatchObject({
      ...{ status: 'sent', supersededBy: revision.id, allowedTransitions: [] },
    });
    expect(refusal(await move(id, 'accept'))).toEqual(conflict());
    expect(refusal(await move(id, 'revise'))).toEqual(conflict());
  });

  it('replaces the one before in the list', async () => {
    const caller = await service.member();
    const id = await createQuote(caller);
    await sendQuote(caller, id);
    const revision = await post(caller, `${quotesUrl}/${id}/revise`, {});
    const { body } = await caller.send('GET', quotesUrl);
    expect(body.data.map((quote) => [quote.id, quote.status])).toEqual([[revision.id, 'draft']]);
    expect(body.meta.total).toBe(1);
  });

  it('that is deleted gives its place back, and not its number', async () => {
    const id = await sent();
    const first = await post(member, `${quotesUrl}/${id}/revise`, {});
    await member.send('DELETE', `${quotesUrl}/${first.id}`);
    expect(await readQuote(member, id)).toMatchObject({ supersededBy: null, status: 'sent' });
    expect((await move(id, 'revise')).body.data).toMatchObject({ revision: 3 });
  });

  it('is changed without the one before', async () => {
    const id = await sent();
    const before = await readQuote(member, id);
    const revision = await post(member, `${quotesUrl}/${id}/revise`, {});
    const place = `${quotesUrl}/${revision.id}/work-packages/${before.workPackages[0]?.id ?? ''}`;
    expect((await member.send('DELETE', place)).status).toBe(204);
    expect((await readQuote(member, revision.id)).subtotal).toBe(20);
    expect((await readQuote(member, id)).workPackages).toEqual(before.workPackages);
  });

  it('is valid again if the previous one has expired', async () => {
    const id = await sent({ validUntil: '2026-01-01' });
    const revision = await post(member, `${quotesUrl}/${id}/revise`, {});
    expect((await readQuote(member, revision.id)).validUntil).toBe('2026-12-21T23:59:59.999Z');
  });

  it('is one, of ten requested concurrently', async () => {
    const id = await sent();
    const answers = await Promise.all(Array.from({ length: 10 }, () => move(id, 'revise')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it.each(['draft', 'accepted'])('is refused of a quote that is %s', async (status) => {
    const id = status === 'draft' ? await createQuote(member) : await sent();
    if (status === 'accepted') await move(id, 'accept');
    expect(refusal(await move(id, 'revise'))).toEqual(conflict());
  });
});

it('a copy is a draft of a number of its own, with the same content', async () => {
  const id = await sent({ validUntil: '2026-01-01', currency: 'EUR' });
  const before = await readQuote(member, id);
  const answer = await move(id, 'duplicate');
  expect(answer.status).toBe(201);
  const copy = await readQuote(member, answer.body.data.id);
  expect(copy).toEqual({
    ...before,
    ...{ id: copy.id, number: answer.body.data.number, status: 'draft', sentAt: null },
    ...{ validUntil: '2026-12-21T23:59:59.999Z', createdAt: timestamp, updatedAt: timestamp },
    allowedTransitions: ['sent'],
  });
  expect(copy.number).not.toBe(before.number);
  await addPackage(member, copy.id);
  expect((await readQuote(member, id)).workPackages).toHaveLength(2);
});

describe('the revisions of a quote', () => {
  it('are listed page by page, the latest first, whichever is named', async () => {
    const first = await sent();
    const second = await post(member, `${quotesUrl}/${first}/revise`, {});
    const revisions = async (id: string, query = '') =>
      member.send('GET', `${quotesUrl}/${id}/revisions${query}`);
    const { body } = await revisions(first);
    expect(body.meta).toEqual({ total: 2, page: 1, pageSize: 10 });
    const { number } = await readQuote(member, first);
    const shown = { number, currency: 'SEK', totalAmount: 150.01, createdAt: timestamp };
    expect(body.data).toEqual([
      { id: second.id, revision: 2, status: 'draft', sentAt: null, supersededBy: null, ...shown },
      { id: first, revision: 1, status: 'sent', sentAt: timestamp, supersededBy: second.id, ...shown },
    ]);
    expect((await revisions(second.id)).body).toEqual(body);
    const beyond = await revisions(first, '?page=3&pageSize=1');
    expect(beyond.body).toEqual({ ...beyond.body, data: [], meta: { total: 2, page: 3, pageSize: 1 } });
    const foreign = await createQuote(await service.member());
    expect(refusal(await revisions(foreign))).toEqual(notFound);
  });
});

describe('the contract of an accepted quote', () => {
  const contract = (id: string) => move(id, 'contract');

  it('is made once, and given again', async () => {
    const id = await sent();
    await move(id, 'accept');
    expect((await readQuote(member, id)).contractedAt).toBeNull();
    const answers = await Promise.all(Array.from({ length: 10 }, () => contract(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 200),
      201,
    ]);
    const { number, workPackages, totalAmount } = await readQuote(member, id);
    expect(answers[0]?.body.data).toMatchObject({
      ...{ id: uuid, quoteId: id, number, revision: 1, workPackages, totalAmount, createdAt: timestamp },
      acceptance: { acceptedAt: now.toISOString(), userId: uuid, name: null, ipAddress: '127.0.0.1' },
      contentHash: matching(/^[0-9a-f]{64}$/),
    });
    const read = await member.send('GET', `${quotesUrl}/${id}/contract`);
    expect((await readQuote(member, id)).contractedAt).toBe(read.body.data.createdAt);
    for (const { body } of answers) expect(body.data).toEqual(read.body.data);
  });

  it('has every line of every package as it was accepted, in the order of the quote [S-123]', async () => {
    const quoteId = await createQuote(member);
    const packageIds: string[] = [];
    for (const name of ['Roof', 'Empty', 'Walls "north"', 'Ställning \u{1f3d7}']) {
      packageIds.push(
        await addPackage(member, quoteId, { name, description: `${name}\n\u2028\\ 'as agreed'` }),
      );
    }
    for (const packageId of packageIds.filter((_, n) => n !== 1)) {
      for (const [quantity, unitPrice] of [
        [1.5, 33.335],
        [0.001, 999_999.99],
        [100, 0.1],
      ] as const) {
        const description = `Felt <b>${quantity}</b>\t\u00a0\u202e${unitPrice}`;
        await addLine(member, { quoteId, packageId }, { quantity, unitPrice, description, unit: 'm²' });
      }
    }
    const order = { ids: [...packageIds].reverse() };
    const ordered = await member.send('PUT', `${quotesUrl}/${quoteId}/work-package-order`, { body: order });
    expect(ordered.status).toBe(200);
    await sendQuote(member, quoteId);
    await move(quoteId, 'accept');
    const { workPackages } = await readQuote(member, quoteId);
    expect(workPackages).toHaveLength(4);
    expect((await contract(quoteId)).status).toBe(201);
    const { data } = (await member.send('GET', `${quotesUrl}/${quoteId}/contract`)).body;
    expect(JSON.stringify(data['workPackages'])).toBe(JSON.stringify(workPackages));
  });

  it('is refused before the quote is accepted', async () => {
    for (const id of [await createQuote(member), await sent()]) {
      expect(refusal(await contract(id))).toEqual(conflict());
      expect(refusal(await member.send('GET', `${quotesUrl}/${id}/contract`))).toEqual(notFound);
    }
  });

  it('is refused where the content is not what was accepted [S-123]', async () => {
    const id = await sent();
    await move(id, 'accept');
    await admin.query(`UPDATE line_items SET description = 'Gold' WHERE quote_id = $1`, [id]);
    expect((await contract(id)).status).toBe(500);
  });

  it('and the decision before it cannot be changed by the service [S-123]', async () => {
    for (const table of ['quote_decisions', 'contracts']) {
      const { pool } = service.database;
      const tried = pool.within({ organizationId: randomUUID() }, async () => {
        await pool.query(`UPDATE ${table} SET content_hash = ''`);
      });
      await expect(tried, table).rejects.toMatchObject({ code: '42501' });
    }
  });
});

it('statistics count each quote once, by status and currency, and tell the base of the rate', async () => {
  const caller = await service.member();
  const statistics = async () => {
    const { data } = (await caller.send('GET', '/api/quotation/statistics')).body;
    const { statuses, acceptance } = data as unknown as Readonly<Record<string, unknown>>;
    return { statuses, acceptance };
  };
  expect(await statistics()).toMatchObject({ acceptance: { rate: null, accepted: 0, decided: 0 } });
  const make = async (moves: readonly string[], currency = 'SEK') => {
    const { id } = await quoteOf(caller, [[[1, 100]]], { currency });
    for (const name of moves) {
      if (name === 'send') await sendQuote(caller, id);
      else if (name === 'delete') await caller.send('DELETE', `${quotesUrl}/${id}`);
      else await post(caller, `${quotesUrl}/${id}/${name}`, {});
    }
  };
  await make([]);
  await make([], 'EUR');
  await make(['delete']);
  await make(['send']);
  await make(['send', 'revise']);
  await make(['send', 'accept']);
  await make(['send', 'accept']);
  await make(['send', 'reject']);
  expect(await statistics()).toEqual({
    statuses: [
      {
        status: 'draft',
        quotes: 3,
        amounts: [
          { currency: 'EUR', quotes: 1, totalAmount: 125 },
          { currency: 'SEK', quotes: 2, totalAmount: 250 },
        ],
      },
      { status: 'sent', quotes: 1, amounts: [{ currency: 'SEK', quotes: 1, totalAmount: 125 }] },
      { status: 'accepted', quotes: 2, amounts: [{ currency: 'SEK', quotes: 2, totalAmount: 250 }] },
      { status: 'rejected', quotes: 1, amounts: [{ currency: 'SEK', quotes: 1, totalAmount: 125 }] },
    ],
    acceptance: { rate: 2 / 3, accepted: 2, decided: 3 },
  });
});
