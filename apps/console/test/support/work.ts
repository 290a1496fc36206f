import type { api } from '@tenantry/client';
import { FakeApi, noLeads, type Sent } from './fake-api.ts';
import { organization, signedIn } from './starts.ts';

const acme = organization('Acme');
const start: api.SignedInStart = {
  ...signedIn([acme]),
  permissions: ['leads:read', 'quotes:read', 'organization:read', 'organization:update'],
};

const answer = (data: unknown) => ({ data, error: null, meta: {} });
const list = (rows: readonly object[]) => ({
  ...{ data: rows, error: null },
  meta: { total: rows.length, page: 1, pageSize: 100 },
});

const settings = {
  ...{ defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
  ...{ timeZone: 'Europe/Stockholm', address: null, vatNumber: null },
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const quote = (title: string, validUntil: string, more: object = {}) => ({
  ...{ id: `id-of-${title}`, number: 'Q-2026-0001', customerId: 'a-customer', customerName: 'Åse Lindqvist' },
  ...{ title, totalAmount: 1250, currency: 'SEK', status: 'sent', validUntil },
  ...{ createdAt: '2026-11-01T12:00:00Z', sentAt: inDays(-9.5) },
  ...more,
});

const weekStart = new Date(Date.now() - ((new Date().getUTCDay() + 6) % 7) * 86_400_000)
  .toISOString()
  .slice(0, 10);

/** As the API does: those that were accepted, that end soon, or that wait for an answer. */
const quotesOf = ({ query: { status, sort } }: Sent) => {
  const soon = quote('A boathouse with everything that belongs to it', inDays(3));
  if (status === 'accepted')
    return list([
      quote('Fence', inDays(20), { status: 'accepted', decidedAt: new Date().toISOString() }),
      quote('Shed', inDays(20), { status: 'accepted', decidedAt: inDays(-8) }),
    ]);
  if (sort === 'validUntil') return list([soon]);
  return list([soon, quote('Roof', inDays(20), { openedAt: inDays(-2.5) }), quote('Kitchen', inDays(30))]);
};

const amount = (currency: string, quotes: number, totalAmount: number) => ({ currency, quotes, totalAmount });

const counted = (...amounts: ReturnType<typeof amount>[]) => ({
  quotes: amounts.reduce((sum, { quotes }) => sum + quotes, 0),
  amounts,
});

const week = (start: string, quotes: object) => ({
  ...{ start, sent: counted(), accepted: counted(), rejected: counted() },
  ...quotes,
});

/** The first page of an organization that has nothing yet. */
export const newcomer = () =>
  new FakeApi(start)
    .on(`GET /api/auth/organization/${acme.id}`, { organization: { ...acme, logo: null, settings } })
    .on('GET /api/quotation/quotes', list([]))
    .on(
      'GET /api/quotation/statistics',
      answer({
        statuses: [],
        waiting: counted(),
        expired: counted(),
        acceptance: { accepted: 0, decided: 0 },
        series: [],
      }),
    );

/** The first page of an organization that is at work, in two currencies. */
export const atWork = () =>
  newcomer()
    .on('GET /api/leads/statistics', answer({ ...noLeads, total: 1 }))
    .on('GET /api/leads', list([{ id: 'a-lead', name: 'Bo', source: null, createdAt: inDays(-3) }]))
    .on('GET /api/quotation/quotes', quotesOf)
    .on(
      'GET /api/quotation/statistics',
      answer({
        statuses: [
          { status: 'draft', quotes: 1, amounts: [amount('SEK', 1, 800)] },
          { status: 'sent', quotes: 3, amounts: [amount('SEK', 2, 2500), amount('JPY', 1, 90_000)] },
          { status: 'accepted', quotes: 2, amounts: [amount('SEK', 2, 12_500.5)] },
          { status: 'rejected', quotes: 1, amounts: [] },
        ],
        waiting: counted(amount('SEK', 1, 1250), amount('JPY', 1, 90_000)),
        expired: counted(amount('SEK', 1, 1250)),
        acceptance: { rate: 2 / 3, accepted: 2, decided: 3 },
        series: [
          week('2026-11-16', { sent: counted(amount('SEK', 1, 800), amount('JPY', 1, 90_000)) }),
          week(weekStart, {
            sent: counted(amount('SEK', 1, 1700)),
            accepted: counted(amount('SEK', 2, 12_500.5)),
          }),
        ],
      }),
    );
