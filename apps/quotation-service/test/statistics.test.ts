import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answered,
  invalid,
  post,
  quoteOf,
  quotesUrl,
  refusal,
  sendQuote,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

const nightOfNovember21 = '2026-11-21T22:30:00Z';
let now = new Date(nightOfNovember21);
let service: TestService;
beforeAll(async () => {
  service = await startService({ now: () => now });
});
afterAll(() => service.close());

interface Counted {
  readonly quotes: number;
  readonly amounts: readonly { readonly currency: string; readonly totalAmount: number }[];
}
type Move = 'sent' | 'accepted' | 'rejected';
type Interval = Readonly<Record<Move, Counted>> & { readonly start: string };

const ask = (caller: Caller, query = '') => caller.send('GET', `/api/quotation/statistics${query}`);
const seriesOf = async (caller: Caller, query = '') =>
  (await answered<{ readonly series: readonly Interval[] }>(ask(caller, query))).series;

/** Makes a quote of 125, and moves it at given moments, as somebody does at the present one. */
async function moveAt(
  caller: Caller,
  moves: readonly (readonly [at: string, move: string])[],
  currency = 'SEK',
): Promise<string> {
  let { id } = await quoteOf(caller, [[[1, 100]]], { currency });
  for (const [at, move] of moves) {
    now = new Date(at);
    if (move === 'send') await sendQuote(caller, id);
    else if (move === 'revise') id = (await post(caller, `${quotesUrl}/${id}/revise`, {})).id;
    else await post(caller, `${quotesUrl}/${id}/${move}`, {});
  }
  now = new Date(nightOfNovember21);
  return id;
}

/** The starts at which quotes came to a status, with how many. */
const moves = (series: readonly Interval[], move: Move) =>
  series
    .filter((interval) => interval[move].quotes > 0)
    .map(({ start, [move]: { quotes } }) => [start, quotes]);

it('adds amounts exactly: a sum that no JSON number carries is its text', async () => {
  const caller = await service.member();
  const lines = Array.from({ length: 7 }, (): [number, number] => [9_999, 99_999_999.99]);
  const amountsNow = async (): Promise<unknown> => {
    const { statuses } = await answered<{ statuses: readonly Counted[] }>(ask(caller));
    return statuses.flatMap(({ amounts }) => amounts);
  };
  await quoteOf(caller, [lines]);
  expect(await amountsNow()).toEqual([{ currency: 'SEK', quotes: 1, totalAmount: 8_749_124_999_125.09 }]);
  await quoteOf(caller, [lines]);
  expect(await amountsNow()).toEqual([{ currency: 'SEK', quotes: 2, totalAmount: '17498249998250.18' }]);
});

it('counts what was sent and has expired, until it is revised or answered', async () => {
  const caller = await service.member();
  const asked = () => answered<Readonly<Record<string, Counted>>>(ask(caller));
  const expired = async () => (await asked())['expired'];
  const id = await moveAt(caller, [[nightOfNovember21, 'send']]);
  await moveAt(caller, [[nightOfNovember21, 'send']], 'EUR');
  await moveAt(caller, []);
  expect(await asked()).toMatchObject({ waiting: { quotes: 2 }, expired: { quotes: 0, amounts: [] } });
  now = new Date('2027-03-01T12:00:00Z');
  expect(await expired()).toMatchObject({
    quotes: 2,
    amounts: [
      { currency: 'EUR', quotes: 1, totalAmount: 125 },
      { currency: 'SEK', quotes: 1, totalAmount: 125 },
    ],
  });
  await sendQuote(caller, (await post(caller, `${quotesUrl}/${id}/revise`, {})).id);
  expect(await expired()).toMatchObject({ quotes: 1, amounts: [{ currency: 'EUR' }] });
  expect(await asked()).toMatchObject({ waiting: { quotes: 1, amounts: [{ currency: 'SEK' }] } });
  now = new Date(nightOfNovember21);
});

describe('the series of GET /api/quotation/statistics', () => {
  it('shows the last 30 days of the time zone, empty ones too, or the last 12 weeks', async () => {
    const caller = await service.member();
    const series = await seriesOf(caller);
    expect([series.length, series[0]?.start, series.at(-1)?.start]).toEqual([30, '2026-10-23', '2026-11-21']);
    const none = { quotes: 0, amounts: [] };
    for (const { start, ...counted } of series) {
      expect({ start, ...counted }).toEqual({ start, sent: none, accepted: none, rejected: none });
    }
    expect((await seriesOf(caller, '?timeZone=Asia/Tokyo')).at(-1)?.start).toBe('2026-11-22');
    const weeks = await seriesOf(caller, '?interval=week');
    expect([weeks[0]?.start, weeks.at(-1)?.start]).toEqual(['2026-08-24', '2026-11-16']);
  });

  it('puts what was sent, accepted and rejected into its day and week of the time zone', async () => {
    const caller = await service.member();
    await moveAt(caller, [
      ['2026-11-15T22:59:59Z', 'send'],
      ['2026-11-15T23:00:00Z', 'accept'],
    ]);
    await moveAt(caller, [
      ['2026-11-16T18:14:59Z', 'send'],
      ['2026-11-16T18:15:00Z', 'reject'],
    ]);
    const range = 'from=2026-11-09&to=2026-11-22';
    const stockholm = await seriesOf(caller, `?${range}&timeZone=Europe/Stockholm`);
    expect(stockholm).toHaveLength(14);
    expect(moves(stockholm, 'sent')).toEqual([
      ['2026-11-15', 1],
      ['2026-11-16', 1],
    ]);
    expect(moves(stockholm, 'accepted')).toEqual([['2026-11-16', 1]]);
    // A quarter of an hour off the half hour.
    const kathmandu = await seriesOf(caller, `?${range}&timeZone=Asia/Kathmandu`);
    expect(moves(kathmandu, 'rejected')).toEqual([['2026-11-17', 1]]);
    const weeks = await seriesOf(caller, `?${range}&timeZone=Europe/Stockholm&interval=week`);
    expect(moves(weeks, 'sent')).toEqual([
      ['2026-11-09', 1],
      ['2026-11-16', 1],
    ]);
    expect(moves(weeks, 'accepted')).toEqual([['2026-11-16', 1]]);
    const outside = await seriesOf(caller, `?from=2026-11-17&to=2026-11-22`);
    expect(outside.flatMap(({ sent, rejected }) => [sent.quotes, rejected.quotes])).not.toContain(1);
  });

  it('counts every revision that was sent, and values in each currency, and does not change later', async () => {
    const caller = await service.member();
    await moveAt(caller, [
      ['2026-11-10T12:00:00Z', 'send'],
      ['2026-11-11T12:00:00Z', 'reject'],
      ['2026-11-12T12:00:00Z', 'revise'],
      ['2026-11-12T13:00:00Z', 'send'],
      ['2026-11-13T12:00:00Z', 'accept'],
    ]);
    await moveAt(caller, [['2026-11-12T14:00:00Z', 'send']], 'EUR');
    await moveAt(await service.member(), [['2026-11-12T14:00:00Z', 'send']]);
    const series = await seriesOf(caller, '?from=2026-11-10&to=2026-11-13');
    const [sek, eur] = ['SEK', 'EUR'].map((currency) => ({ currency, quotes: 1, totalAmount: 125 }));
    const [none, one] = [
      { quotes: 0, amounts: [] },
      { quotes: 1, amounts: [sek] },
    ];
    expect(series).toEqual([
      { start: '2026-11-10', sent: one, accepted: none, rejected: none },
      { start: '2026-11-11', sent: none, accepted: none, rejected: one },
      { start: '2026-11-12', sent: { quotes: 2, amounts: [eur, sek] }, accepted: none, rejected: none },
      { start: '2026-11-13', sent: none, accepted: one, rejected: none },
    ]);
  });

  it.each([
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['timeZone=%2B02:00', 'timeZone'],
    ['interval=month', 'interval'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'from'],
    ['from=2024-01-01&to=2026-11-01', 'from'],
    ['to=9999-12-31', 'to'],
    ['limit=1', 'limit'],
  ])('refuses ?%s, naming the field', async (query, field) => {
    expect(refusal(await ask(await service.member(), `?${query}`))).toEqual(invalid(field));
  });
});
