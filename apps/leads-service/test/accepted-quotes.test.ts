import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answered,
  createLead,
  moveLead,
  startService,
  timestamp,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface News {
  readonly quoteId?: string;
  readonly number?: string;
  readonly acceptedAt?: Date;
  readonly organizationId?: string;
}

/** Tells of an accepted quote, as quotation-service does; gives the status of the answer. */
async function accept(caller: Caller, leadId: string, news: News = {}): Promise<number> {
  const { quoteId = randomUUID(), number = 'Q-2026-0007', acceptedAt = new Date() } = news;
  const { organizationId = caller.organizationId } = news;
  const { statusCode } = await service.app.inject({
    method: 'POST',
    url: '/internal/quote-accepted',
    headers: { authorization: `Bearer ${service.feed.env.INTERNAL_API_KEY.split(',')[0] ?? ''}` },
    payload: {
      ...{ id: randomUUID(), organizationId, subjectId: quoteId },
      payload: { leadId, number, acceptedAt: acceptedAt.toISOString() },
    },
  });
  return statusCode;
}

/** An admin of a new organization with a qualified lead. */
async function qualified(...further: readonly string[]) {
  const admin = await service.member({ role: 'admin' });
  if (further.length > 0) await allow(admin, { furtherMoves: further });
  const id = await createLead(admin);
  await moveLead(admin, id, 'contacted', 'qualified');
  return { admin, id };
}
async function allow(admin: Caller, body: object): Promise<void> {
  expect((await admin.send('PATCH', '/api/leads/settings', { body })).status).toBe(200);
}
const statusOf = async (caller: Caller, id: string) =>
  (await caller.send('GET', `/api/leads/${id}`)).body.data.status;
const historyOf = (caller: Caller, id: string) =>
  answered<readonly { to: string }[]>(caller.send('GET', `/api/leads/${id}/history`));
const wonByQuotes = async (caller: Caller) =>
  (await caller.send('GET', '/api/leads/audit?action=lead.won-by-quote')).body.data;

describe('an accepted quote', () => {
  it('moves its lead to won: the history and the trail say which quote it was, and name nobody [S-351]', async () => {
    const { admin, id } = await qualified();
    const quoteId = randomUUID();
    expect(await accept(admin, id, { quoteId, number: 'AB-2026-0012' })).toBe(204);
    const lead = await admin.send('GET', `/api/leads/${id}`);
    expect([lead.body.data.status, lead.headers['etag']]).toEqual(['won', '"4"']);
    const actor = { kind: 'job', userId: null, name: 'accepted-quote' };
    const [move, earlier] = await historyOf(admin, id);
    const quote = { id: quoteId, number: 'AB-2026-0012' };
    expect(move).toEqual({ from: 'qualified', to: 'won', actor, quote, at: timestamp });
    expect(earlier).toMatchObject({ to: 'qualified', quote: null, actor: { kind: 'user' } });
    expect(await wonByQuotes(admin)).toMatchObject([
      {
        ...{ actor, action: 'lead.won-by-quote', target: { type: 'lead', id, name: 'Ada' } },
        details: {
          ...{ fields: ['status'], values: { status: { from: 'qualified', to: 'won' } } },
          ...{ quoteId, quoteNumber: 'AB-2026-0012' },
        },
      },
    ]);
  });

  it('moves it once, however often and at once it is told of, and not again once somebody has moved it back [S-351]', async () => {
    const { admin, id } = await qualified('won-to-qualified');
    const news = { quoteId: randomUUID(), acceptedAt: new Date() };
    const statuses = await Promise.all(Array.from({ length: 8 }, () => accept(admin, id, news)));
    expect(new Set(statuses)).toEqual(new Set([204]));
    expect(await wonByQuotes(admin)).toHaveLength(1);
    await moveLead(admin, id, 'qualified');
    expect(await accept(admin, id, news)).toBe(204);
    // Also where the clock of quotation-service is ahead.
    expect(await accept(admin, id, { ...news, acceptedAt: new Date(Date.now() + 3_600_000) })).toBe(204);
    expect(await statusOf(admin, id)).toBe('qualified');
    // Another quote is another acceptance.
    expect(await accept(admin, id)).toBe(204);
    expect(await statusOf(admin, id)).toBe('won');
    expect(await wonByQuotes(admin)).toHaveLength(2);
  });

  it('moves it once for two quotes that are accepted at once [S-351]', async () => {
    const { admin, id } = await qualified();
    expect(await Promise.all([accept(admin, id), accept(admin, id)])).toEqual([204, 204]);
    expect(await statusOf(admin, id)).toBe('won');
    expect(await wonByQuotes(admin)).toHaveLength(1);
    expect((await historyOf(admin, id)).filter(({ to }) => to === 'won')).toHaveLength(1);
  });

  it('and somebody who moves the lead meanwhile leave it where the first of them put it [S-352]', async () => {
    const { admin, id: first } = await qualified('qualified-to-lost');
    for (let round = 0; round < 8; round++) {
      const id = round === 0 ? first : await createLead(admin);
      if (round > 0) await moveLead(admin, id, 'contacted', 'qualified');
      const [told, moved] = await Promise.all([
        accept(admin, id),
        admin.send('PATCH', `/api/leads/${id}`, { body: { status: 'lost' }, headers: { 'if-match': '"3"' } }),
      ]);
      expect(told).toBe(204);
      expect(await statusOf(admin, id)).toBe(moved.status === 200 ? 'lost' : 'won');
      expect([200, 412]).toContain(moved.status);
      expect(await historyOf(admin, id)).toHaveLength(4);
    }
  });

  it.each([
    ['from new', [] as const],
    ['from contacted', ['contacted'] as const],
    ['from lost', ['contacted', 'lost'] as const],
  ])('does not move it %s: the table decides [S-352]', async (_, path) => {
    const admin = await service.member({ role: 'admin' });
    const id = await createLead(admin);
    await moveLead(admin, id, ...path);
    expect(await accept(admin, id)).toBe(204);
    expect(await statusOf(admin, id)).toBe(path.at(-1) ?? 'new');
    expect(await wonByQuotes(admin)).toEqual([]);
  });

  it('does not move a lead that was moved, reopened or deleted since [S-352]', async () => {
    const acceptedAt = new Date(Date.now() - 60_000);
    const { admin, id } = await qualified('qualified-to-lost', 'lost-to-contacted');
    await moveLead(admin, id, 'lost');
    await accept(admin, id, { acceptedAt });
    expect(await statusOf(admin, id)).toBe('lost');
    await moveLead(admin, id, 'contacted', 'qualified');
    await accept(admin, id, { acceptedAt });
    expect(await statusOf(admin, id)).toBe('qualified');
    await admin.send('DELETE', `/api/leads/${id}`);
    expect(await accept(admin, id)).toBe(204);
    await admin.send('POST', `/api/leads/${id}/restore`);
    expect(await statusOf(admin, id)).toBe('qualified');
    expect(await wonByQuotes(admin)).toEqual([]);
  });

  it('moves it as the settings say when it arrives, whatever they become meanwhile [S-352]', async () => {
    const { admin, id } = await qualified();
    await allow(admin, { acceptedQuoteMovesLead: false });
    expect(await accept(admin, id)).toBe(204);
    expect(await statusOf(admin, id)).toBe('qualified');
    await allow(admin, { acceptedQuoteMovesLead: true });
    const [told] = await Promise.all([accept(admin, id), allow(admin, { acceptedQuoteMovesLead: false })]);
    expect(told).toBe(204);
    const isMoved = (await statusOf(admin, id)) === 'won';
    expect(await wonByQuotes(admin)).toHaveLength(isMoved ? 1 : 0);
  });

  it('moves no lead of another organization, and none that there is not [S-353]', async () => {
    const [ours, theirs] = [await qualified(), await qualified()];
    expect(await accept(ours.admin, theirs.id)).toBe(204);
    expect(await accept(ours.admin, randomUUID())).toBe(204);
    expect(await accept(ours.admin, ours.id, { organizationId: randomUUID() })).toBe(204);
    expect(await statusOf(theirs.admin, theirs.id)).toBe('qualified');
    expect(await statusOf(ours.admin, ours.id)).toBe('qualified');
  });

  it('of an organization that was deleted moves nothing, and its lead when it is restored [S-353]', async () => {
    const { admin, id } = await qualified();
    const { organizationId } = admin;
    await service.testDatabase.query(
      `INSERT INTO organization_ends (organization_id, ended_at, purge_at) VALUES ($1, now(), 'infinity')`,
      [organizationId],
    );
    const news = { quoteId: randomUUID(), acceptedAt: new Date() };
    expect(await accept(admin, id, news)).toBe(404);
    await service.testDatabase.query('DELETE FROM organization_ends WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(await accept(admin, id, news)).toBe(204);
    expect(await statusOf(admin, id)).toBe('won');
  });

  it('is told by a service alone [S-353]', async () => {
    const { admin, id } = await qualified();
    const body = {
      ...{ id: randomUUID(), organizationId: admin.organizationId, subjectId: randomUUID() },
      payload: { leadId: id, number: 'Q-1', acceptedAt: new Date().toISOString() },
    };
    for (const caller of [admin, service.caller()]) {
      expect((await caller.send('POST', '/internal/quote-accepted', { body })).status).toBe(401);
    }
    expect(await statusOf(admin, id)).toBe('qualified');
  });
});
