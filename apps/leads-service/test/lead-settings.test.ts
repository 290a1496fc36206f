import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furtherMoves, leadStatus, movesWith, type FurtherMove } from '../src/leads/lead-status.ts';
import {
  createLead,
  moveLead,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const url = '/api/leads/settings';
const defaults = { furtherMoves: [], acceptedQuoteMovesLead: true };
const get = (caller: Caller) => caller.send('GET', url);
const change = (caller: Caller, body: unknown, headers: Record<string, string> = {}) =>
  caller.send('PATCH', url, { body, headers });
const put = (caller: Caller, id: string, status: string) =>
  caller.send('PUT', `/api/leads/${id}`, { body: { status } });

/** An admin and a member of a new organization. */
async function newOrganization() {
  const admin = await service.member({ role: 'admin' });
  return { admin, member: await service.member({ organizationId: admin.organizationId }) };
}

const paths: Readonly<Record<string, readonly string[]>> = {
  new: [],
  contacted: ['contacted'],
  qualified: ['contacted', 'qualified'],
  lost: ['contacted', 'lost'],
  won: ['contacted', 'qualified', 'won'],
};

describe('GET and PATCH /api/leads/settings', () => {
  it('are the defaults until an admin changes some, which members read', async () => {
    const { admin, member } = await newOrganization();
    const first = await get(member);
    expect([first.status, first.headers['etag'], first.body.data]).toEqual([200, '"1"', defaults]);
    const changed = await change(admin, { furtherMoves: ['won-to-qualified', 'new-to-lost'] });
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
    const stored = { ...defaults, furtherMoves: ['new-to-lost', 'won-to-qualified'] };
    expect(changed.body.data).toEqual(stored);
    expect((await get(member)).body.data).toEqual(stored);
    await change(admin, { acceptedQuoteMovesLead: false });
    expect((await get(member)).body.data).toEqual({ ...stored, acceptedQuoteMovesLead: false });
  });

  it('refuse a member, who moves leads by them, and moves that there are not [S-350]', async () => {
    const { admin, member } = await newOrganization();
    const refused = await change(member, { furtherMoves: ['new-to-lost'] });
    expect(refusal(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    for (const body of [
      {},
      { furtherMoves: ['new-to-won'] },
      { furtherMoves: ['new-to-lost', 'new-to-lost'] },
      { furtherMoves: null },
      { acceptedQuoteMovesLead: 'yes' },
      { moves: [] },
    ]) {
      expect((await change(admin, body)).status).toBe(400);
    }
    expect((await get(member)).body.data).toEqual(defaults);
  });

  it('belong to one organization [S-350]', async () => {
    const [ours, theirs] = [await newOrganization(), await newOrganization()];
    await change(ours.admin, { furtherMoves: ['new-to-lost'], acceptedQuoteMovesLead: false });
    expect((await get(theirs.admin)).body.data).toEqual(defaults);
    const [our, their] = [await createLead(ours.member), await createLead(theirs.member)];
    expect((await put(ours.member, our, 'lost')).status).toBe(200);
    expect((await put(theirs.member, their, 'lost')).status).toBe(409);
  });

  it('are changed on the version that was read: of two changes at once one is refused, also of the first two', async () => {
    const { admin } = await newOrganization();
    for (const version of ['"1"', '"2"', '"3"']) {
      const answers = await Promise.all(
        [true, false].map((isOdd) => {
          const acceptedQuoteMovesLead = isOdd === (version === '"2"');
          const further = isOdd ? (['new-to-lost'] as const) : (['qualified-to-lost'] as const);
          return change(
            admin,
            { acceptedQuoteMovesLead, furtherMoves: [...further] },
            { 'if-match': version },
          );
        }),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    }
  });

  it('are in the trail by what was allowed and what no longer is; what changes nothing is not', async () => {
    const { admin } = await newOrganization();
    await change(admin, { furtherMoves: ['new-to-lost', 'won-to-qualified'] });
    await change(admin, { furtherMoves: ['won-to-qualified', 'new-to-lost'], acceptedQuoteMovesLead: true });
    await change(admin, { furtherMoves: ['lost-to-contacted'], acceptedQuoteMovesLead: false });
    expect((await get(admin)).headers['etag']).toBe('"3"');
    const { body } = await admin.send('GET', '/api/leads/audit');
    expect(body.data).toMatchObject([
      {
        action: 'lead.settings-changed',
        target: null,
        details: {
          fields: ['furtherMoves', 'acceptedQuoteMovesLead'],
          allowed: ['lost-to-contacted'],
          forbidden: ['new-to-lost', 'won-to-qualified'],
        },
      },
      { details: { fields: ['furtherMoves'], allowed: ['new-to-lost', 'won-to-qualified'], forbidden: [] } },
    ]);
    expect(body.meta).toMatchObject({ total: 2 });
  });
});

describe('a lead of an organization that allows further moves', () => {
  it.each(furtherMoves)(
    'makes the move %s, once it is allowed and no longer when it is not',
    async (move) => {
      const { admin, member } = await newOrganization();
      const [from = '', to = ''] = move.split('-to-');
      const id = await createLead(member);
      await moveLead(member, id, ...(paths[from] ?? []));
      expect((await put(member, id, to)).status).toBe(409);
      await change(admin, { furtherMoves: [move] });
      const before = (await member.send('GET', `/api/leads/${id}`)).body.data as {
        allowedTransitions?: string[];
      };
      expect(before.allowedTransitions).toContain(to);
      const listed = await member.send('GET', '/api/leads?include=allowedTransitions');
      expect(listed.body.data).toMatchObject([{ allowedTransitions: before.allowedTransitions }]);
      expect((await put(member, id, to)).status).toBe(200);
      // A lead stays where it went when its way is closed.
      await change(admin, { furtherMoves: [] });
      const other = await createLead(member);
      await moveLead(member, other, ...(paths[from] ?? []));
      const refused = await put(member, other, to);
      const allowed = leadStatus.allowedFrom(from as 'new');
      expect(refusal(refused)).toMatchObject({ status: 409, code: 'INVALID_TRANSITION' });
      expect(refused.body.error.details).toMatchObject([{ params: { from, to, allowed } }]);
      expect((await member.send('GET', `/api/leads/${id}`)).body.data.status).toBe(to);
    },
  );

  it('is refused by what is allowed now', async () => {
    const { admin, member } = await newOrganization();
    await change(admin, { furtherMoves: ['new-to-lost'] });
    const { body } = await put(member, await createLead(member), 'won');
    expect(body.error).toMatchObject({
      message: 'A lead cannot move from new to won: it can move to contacted or lost.',
      details: [{ params: { from: 'new', to: 'won', allowed: ['contacted', 'lost'] } }],
    });
  });

  it('moves by its table, or not at all, while its settings change', async () => {
    const { admin, member } = await newOrganization();
    for (let round = 0; round < 10; round++) {
      await change(admin, { furtherMoves: ['new-to-lost'] });
      const id = await createLead(member);
      const [moved, closed] = await Promise.all([
        put(member, id, 'lost'),
        change(admin, { furtherMoves: [] }),
      ]);
      expect(closed.status).toBe(200);
      const { data } = (await member.send('GET', `/api/leads/${id}`)).body;
      expect([moved.status, data.status]).toEqual(moved.status === 200 ? [200, 'lost'] : [409, 'new']);
    }
  });
});

it('every set of further moves adds exactly those to the table of every organization', () => {
  fc.assert(
    fc.property(fc.subarray([...furtherMoves]), (allowed: FurtherMove[]) => {
      const pairs = allowed.map((move) => move.split('-to-'));
      const moves = movesWith(allowed);
      for (const from of leadStatus.states) {
        const further = pairs.filter(([each]) => each === from).map(([, to]) => to);
        expect([...moves.allowedFrom(from)].toSorted()).toEqual(
          [...leadStatus.allowedFrom(from), ...further].toSorted(),
        );
      }
    }),
  );
});
