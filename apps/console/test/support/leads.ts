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

/** An import that is over. */
export const pastImport = {
  ...{ id: 'import-1', file: `${'w'.repeat(60)}.csv`, startedAt: '2026-11-20T12:00:00Z', status: 'done' },
  ...{
    rows: 1204,
    imported: 1200,
    filled: 2,
    skipped: 1,
    rejected: 1,
    leftOut: 2,
    undoneAt: null,
    undone: 0,
  },
};

const cells = (...texts: readonly string[]) => ['', ...texts, 'Acme'];
/** What a file is found to be. */
export const findings = {
  ...{ kind: 'text', program: 'hubspot', encoding: 'windows-1252', mixedFrom: null, separator: 'semicolon' },
  ...{ sheet: null, sheets: [], header: 1, rows: 3, unsure: ['encoding', 'name'] },
  columns: ['Record ID', 'First Name', 'Last Name', 'Email', 'E-mail 2 - Label', hostileName].map(
    (name, n) => ({
      ...{ column: n + 1, name, isLabel: n === 4 },
      field: [null, 'name', 'name', 'email', null, null][n],
    }),
  ),
  mapping: { name: '2+3', email: '4', phone: '', source: '', notes: '' },
  first: [{ line: 1, cells: ['Record ID', 'First Name', 'Last Name', 'Email'] }],
  sample: [
    {
      ...{ line: 2, cells: cells('Åsa', 'Ek', 'asa@example.com', 'Work') },
      lead: { name: 'Åsa Ek', email: 'asa@example.com', phone: null, source: null, notes: 'a\nb' },
      ...{ warnings: ['moreInNotes'], problems: [] },
    },
    {
      ...{ line: 3, cells: cells(hostileName, '', '', '') },
      lead: { name: hostileName, email: null, phone: null, source: null, notes: null },
      ...{ warnings: [], problems: [{ field: 'email', rule: 'required', message: 'is required' }] },
    },
  ],
};
const verdict = { duplicateOf: null, duplicateOfLine: null, details: [], warnings: [] };
/** What would become of its rows. */
export const checkedFile = {
  ...{ rows: 3, imported: 1, rejected: 1, errors: [], importId: null, filled: 0, skipped: 1 },
  ...{ duplicates: 1, warned: 1, leftOut: 0 },
  verdicts: [
    { ...verdict, line: 2, as: 'new', warnings: ['moreInNotes'] },
    { ...verdict, line: 3, as: 'refused', details: [{ field: 'email', rule: 'required', message: 'x' }] },
    { ...verdict, line: 4, as: 'duplicate', duplicateOf: 'lead-1' },
  ],
};

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
    .on('GET /api/quotation/quotes', pageOf([quote]))
    .on('GET /api/leads/imports', pageOf([pastImport]))
    .on('POST /api/leads/import/read', one(findings))
    .on('POST /api/leads/import', one(checkedFile));
}
