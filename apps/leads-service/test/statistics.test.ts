import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answered,
  createLead,
  invalid,
  moveLead,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const now = new Date('2026-11-21T22:30:00Z');
let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService({ now: () => now });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

interface Statistics {
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly series: readonly { readonly start: string; readonly entered: Readonly<Record<string, number>> }[];
}

const ask = (caller: Caller, query = '') => caller.send('GET', `/api/leads/statistics${query}`);
const statistics = (caller: Caller, query = '') => answered<Statistics>(ask(caller, query));

/** Records moves at given moments, as the service does at the present one. */
async function moveAt(
  caller: Caller,
  moves: readonly (readonly [at: string, status: string])[],
): Promise<void> {
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO leads (organization_id, name, email) VALUES ($1, 'Ada', 'ada@example.com') RETURNING id`,
    [caller.organizationId],
  );
  const id = rows[0]?.id;
  for (const [at, status] of moves) {
    await admin.query(
      `INSERT INTO lead_status_changes (organization_id, lead_id, to_status, changed_at) VALUES ($1, $2, $3, $4)`,
      [caller.organizationId, id, status, at],
    );
  }
}

/** The starts at which leads entered a status, with how many. */
const entries = ({ series }: Statistics, status: string) =>
  series.filter(({ entered }) => entered[status] !== 0).map(({ start, entered }) => [start, entered[status]]);

describe('GET /api/leads/statistics', () => {
  it('counts the live leads of each status', async () => {
    const caller = await service.member();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await createLead(caller, { name }));
    await moveLead(caller, ids[0]!, 'contacted', 'lost');
    await moveLead(caller, ids[1]!, 'contacted');
    await caller.send('DELETE', `/api/leads/${ids[2]!}`);
    expect(await statistics(caller)).toMatchObject({
      total: 3,
      byStatus: { new: 1, contacted: 1, qualified: 0, lost: 1, won: 0 },
    });
    expect(await statistics(await service.member())).toMatchObject({ total: 0 });
  });

  it('shows the last 30 days of the time zone, empty ones too, or the last 12 weeks', async () => {
    const caller = await service.member();
    const { series } = await statistics(caller);
    expect([series.length, series[0]?.start, series.at(-1)?.start]).toEqual([30, '2026-10-23', '2026-11-21']);
    const inTokyo = await statistics(caller, '?timeZone=Asia/Tokyo');
    expect(inTokyo.series.at(-1)?.start).toBe('2026-11-22');
    const weeks = await statistics(caller, '?interval=week');
    expect([weeks.series[0]?.start, weeks.series.at(-1)?.start]).toEqual(['2026-08-24', '2026-11-16']);
    for (const { entered } of series)
      expect(entered).toEqual({ new: 0, contacted: 0, qualified: 0, lost: 0, won: 0 });
  });

  it('counts what the service does now as of now', async () => {
    const caller = await service.member();
    const id = await createLead(caller);
    await moveLead(caller, id, 'contacted', 'qualified', 'won');
    const today = new Date().toISOString().slice(0, 10);
    const { series } = await statistics(caller, `?from=${today}&to=${isoDayAfter(today)}`);
    const sum = (status: string) => series.reduce((all, { entered }) => all + (entered[status] ?? 0), 0);
    expect(['new', 'contacted', 'qualified', 'lost', 'won'].map(sum)).toEqual([1, 1, 1, 0, 1]);
  });

  it('puts each move into its day and week of the time zone', async () => {
    const caller = await service.member();
    await moveAt(caller, [
      ['2026-11-15T22:59:59Z', 'new'],
      ['2026-11-15T23:00:00Z', 'contacted'],
      ['2026-11-16T18:14:59Z', 'qualified'],
      ['2026-11-16T18:15:00Z', 'won'],
    ]);
    const range = 'from=2026-11-09&to=2026-11-22';
    const stockholm = await statistics(caller, `?${range}&timeZone=Europe/Stockholm`);
    expect(entries(stockholm, 'new')).toEqual([['2026-11-15', 1]]);
    expect(entries(stockholm, 'contacted')).toEqual([['2026-11-16', 1]]);
    // A quarter of an hour off the half hour.
    const kathmandu = await statistics(caller, `?${range}&timeZone=Asia/Kathmandu`);
    expect(entries(kathmandu, 'qualified')).toEqual([['2026-11-16', 1]]);
    expect(entries(kathmandu, 'won')).toEqual([['2026-11-17', 1]]);
    const weeks = await statistics(caller, `?${range}&timeZone=Europe/Stockholm&interval=week`);
    expect(entries(weeks, 'new')).toEqual([['2026-11-09', 1]]);
    expect(entries(weeks, 'contacted')).toEqual([['2026-11-16', 1]]);
  });

  it('knows the summer time of a zone that is called by its abbreviation', async () => {
    const caller = await service.member();
    await moveAt(caller, [['2026-07-15T22:30:00Z', 'new']]);
    const found = await statistics(caller, '?from=2026-07-14&to=2026-07-17&timeZone=CET');
    expect(entries(found, 'new')).toEqual([['2026-07-16', 1]]);
  });

  it('keeps its sums while they are folded', async () => {
    const caller = await service.member();
    const moves = Array.from(
      { length: 200 },
      (_, n) => [`2026-11-0${1 + (n % 2)}T12:00:00Z`, 'new'] as const,
    );
    await moveAt(caller, moves);
    const figures = await statistics(caller, '?from=2026-11-01&to=2026-11-05');
    expect(entries(figures, 'new')).toEqual([
      ['2026-11-01', 100],
      ['2026-11-02', 100],
    ]);
    const { rows } = await admin.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM lead_entry_counts WHERE organization_id = $1 AND quarter < '2026-11-10'`,
      [caller.organizationId],
    );
    expect(rows[0]?.count).toBeLessThan(200);
  });

  it.each([
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['timeZone=%2B02:00', 'timeZone'],
    ['timeZone=', 'timeZone'],
    // To PostgreSQL another zone than to Node.js.
    ['timeZone=ACT', 'timeZone'],
    ['timeZone=bst', 'timeZone'],
    ['interval=month', 'interval'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'from'],
    ['from=2024-01-01&to=2026-11-01', 'from'],
    ['from=0000-01-01', 'from'],
    ['to=9999-12-31', 'to'],
    ['limit=1', 'limit'],
  ])('refuses ?%s, naming the field', async (query, field) => {
    expect(refusal(await ask(await service.member(), `?${query}`))).toEqual(invalid(field));
  });
});

function isoDayAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}
