import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';
import { signedIn } from './starts.ts';

/** Markup, letters from right to left, a picture, and no place to break a line. */
export const hostileName = `<b>"Å"</b> \u202eשלום\u202c 😀 ${'W'.repeat(60)}`;

const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
const allowed = {
  new: ['contacted'],
  contacted: ['qualified', 'lost'],
  qualified: ['won'],
  won: [],
  lost: [],
};

/** A row of a list of leads. */
export function leadRow(n: number, more: object = {}) {
  const status = statuses[n % statuses.length] ?? 'new';
  return {
    ...{ id: `lead-${n}`, name: n === 1 ? hostileName : `Lead ${n}`, email: `lead${n}@example.com` },
    ...{ phone: '+46 70 123 45 67', source: 'fair', status, version: 1 },
    ...{ createdAt: '2026-11-20T12:00:00Z', updatedAt: '2026-11-21T12:00:00Z' },
    allowedTransitions: allowed[status],
    ...more,
  };
}

const meta = { timestamp: '2026-11-20T12:00:00Z', requestId: 'a-request' };

/** The answer about one thing. */
export const one = (data: object, more: object = {}) => ({ data, error: null, meta: { ...meta, ...more } });

/** A page of a list. */
export const pageOf = (rows: readonly object[], total = rows.length) => ({
  ...{ data: rows, error: null, meta: { total, page: 1, pageSize: 100 } },
});

interface LeadsOptions {
  readonly rows?: readonly object[];
  readonly permissions?: api.SignedInStart['permissions'];
}

const all: api.SignedInStart['permissions'] = ['leads:read', 'leads:write', 'quotes:read', 'quotes:write'];
const five = [1, 2, 3, 4, 5].map((n) => leadRow(n));

/** An API with leads, in which everything is allowed. */
export function apiOfLeads({ rows, permissions = all }: LeadsOptions = {}): FakeApi {
  const count = { new: 1200, contacted: 1, qualified: 1, won: 1, lost: 1 };
  const quote = {
    ...{ id: 'quote-1', number: 'Q-2026-0001', customerId: 'lead-1', customerName: hostileName },
    ...{ title: hostileName, totalAmount: 1250, currency: 'SEK', status: 'sent' },
    ...{ validUntil: '2026-12-20T12:00:00Z', createdAt: '2026-11-20T12:00:00Z' },
  };
  const moved = {
    from: 'new',
    to: 'contacted',
    at: '2026-11-21T12:00:00Z',
    actor: { userId: 'ada', name: 'Ada Lovelace' },
  };
  return new FakeApi({ ...signedIn(), permissions })
    .on('GET /api/leads', pageOf(rows ?? five))
    .on('GET /api/leads/statistics', one({ total: 1204, byStatus: count, series: [] }))
    .on('GET /api/leads/lead-1', one({ ...leadRow(1), notes: 'Met at the fair.\nWants a quote.' }))
    .on('GET /api/leads/lead-1/history', pageOf([moved, { ...moved, from: null, to: 'new' }]))
    .on('GET /api/quotation/quotes', pageOf([quote]));
}
