import type { api } from '@tenantry/client';
import { FakeApi, Refusal } from './fake-api.ts';
import { leadRow } from './leads.ts';
import { organization, signedIn } from './starts.ts';

const meta = { timestamp: '2026-11-20T12:00:00Z', requestId: 'a-request' };

/** An answer in the envelope of the business services. */
export const enveloped = (data: unknown) => ({ data, error: null, meta });

/** A page of a list in the same. */
export const listed = (data: readonly unknown[], total = data.length) => ({
  ...{ data, error: null },
  meta: { total, page: 1, pageSize: 50 },
});

const acme = organization('Acme');

/** Ada writes quotes. */
export const seller: api.SignedInStart = {
  ...signedIn([acme]),
  permissions: ['quotes:read', 'quotes:write', 'leads:read', 'organization:read'],
};

/** The same, who may move leads as well. */
export const mover: api.SignedInStart = { ...seller, permissions: [...seller.permissions, 'leads:write'] };

/** The organization of {@link seller}, as its quotes show it. */
export const sender: api.Organization = {
  ...{ id: acme.id, name: acme.name, slug: acme.slug, createdAt: acme.createdAt, role: 'owner', logo: null },
  settings: {
    ...{ defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
    ...{ timeZone: 'Europe/Stockholm', address: null, vatNumber: null },
  },
};

/** A draft with one line. */
export const draftQuote: api.Quote = {
  ...{ id: 'a-quote', number: 'Q-2026-0001', revision: 1, status: 'draft', currency: 'SEK' },
  ...{ customerId: 'karin', customerName: 'Karin Åström', customerEmail: 'karin@astrom.example' },
  ...{ customerAddress: null, customerVatNumber: null },
  ...{ title: 'New roof', description: '', validUntil: '2099-01-31T22:59:59.999Z' },
  ...{ subtotal: 3519.88, vatRate: 25, vatExemptionReason: null, vatAmount: 879.97, totalAmount: 4399.85 },
  ...{
    sentAt: null,
    supersededBy: null,
    openedAt: null,
    decision: null,
    contractedAt: null,
    allowedTransitions: ['sent'],
  },
  ...{ createdAt: '2026-11-20T12:00:00Z', updatedAt: '2026-11-20T12:00:00Z' },
  workPackages: [
    {
      ...{ id: 'roof', name: 'Roof', description: '', subtotal: 3519.88 },
      items: [
        {
          ...{ id: 'felt', articleNumber: 'R-100', description: 'Roofing felt, laid', unit: 'hours' },
          ...{ quantity: 7.25, unitPrice: 485.5, totalPrice: 3519.88 },
        },
      ],
    },
  ],
};

/** The same, as its customer has it. */
export const sentQuote: api.Quote = {
  ...{ ...draftQuote, revision: 2 },
  ...{ status: 'sent', sentAt: '2026-11-21T12:00:00Z', allowedTransitions: ['accepted', 'rejected'] },
};

/** The same, once its customer has accepted it. */
export const acceptedQuote: api.Quote = {
  ...sentQuote,
  ...{ status: 'accepted', allowedTransitions: [] },
  decision: {
    ...{ decision: 'accepted', decidedAt: '2026-11-22T12:00:00Z', userId: null, name: 'Karin' },
    reason: null,
  },
};

/** The same, once its contract is made. */
export const contractedQuote: api.Quote = { ...acceptedQuote, contractedAt: '2026-11-23T12:00:00Z' };

/** {@link sentQuote}, once its customer has declined it. */
export const declinedQuote: api.Quote = {
  ...sentQuote,
  ...{ status: 'rejected', allowedTransitions: [] },
  decision: {
    ...{ decision: 'rejected', decidedAt: '2026-11-22T12:00:00Z', userId: null, name: null },
    reason: 'Too late for this year.',
  },
};

const delivery: api.Delivery = {
  ...{ id: 'a-mail', recipientEmail: 'karin@astrom.example', state: 'delivered', reason: null, attempts: 1 },
  ...{ createdAt: '2026-11-21T12:00:00Z', nextAttemptAt: null, endedAt: '2026-11-21T12:00:01Z' },
};

const revision = ({
  id,
  number,
  revision: nth,
  status,
  totalAmount,
  currency,
}: api.Quote): api.QuoteRevision => ({
  ...{ id, number, revision: nth, status, totalAmount, currency },
  ...{ sentAt: '2026-11-21T12:00:00Z', supersededBy: null, createdAt: '2026-11-20T12:00:00Z' },
});

/** The revision before {@link sentQuote}, which was cheaper. */
export const firstRevision: api.Quote = {
  ...{ ...sentQuote, id: 'first', revision: 1, supersededBy: sentQuote.id, totalAmount: 4000, title: 'Roof' },
};

/** Whom {@link draftQuote} is for. */
export const customer: api.Customer = {
  ...{ id: 'karin', name: 'Karin Åström', email: 'karin@astrom.example', language: 'sv' },
  ...{ address: null, vatNumber: null },
  ...{ createdAt: '2026-11-20T12:00:00Z', updatedAt: '2026-11-20T12:00:00Z' },
};

/** What leads-service answers of a lead who is {@link customer}. */
export const customerAsLead = (
  status: api.Lead['status'],
  allowedTransitions: readonly api.Lead['status'][],
  more: object = {},
) => enveloped({ ...leadRow(1), id: customer.id, status, allowedTransitions, notes: null, ...more });

/** A new link to the page of a quote. */
export const link = 'https://app.example.com/offer#token=a-token';

const statistics: api.QuoteStatistics = {
  statuses: [
    { status: 'draft', quotes: 1, amounts: [{ currency: 'SEK', quotes: 1, totalAmount: 4399.85 }] },
    { status: 'sent', quotes: 0, amounts: [] },
    { status: 'accepted', quotes: 0, amounts: [] },
    { status: 'rejected', quotes: 0, amounts: [] },
  ],
  waiting: { quotes: 0, amounts: [] },
  expired: { quotes: 0, amounts: [] },
  acceptance: { rate: null, accepted: 0, decided: 0 },
  series: [],
};

/** An API with one quote. */
export const apiWithQuote = (quote = draftQuote, start: api.Start = seller) =>
  new FakeApi(start)
    .on(`GET /api/auth/organization/${acme.id}`, { organization: sender })
    .on('GET /api/quotation/statistics', enveloped(statistics))
    .on('GET /api/quotation/quotes', listed([quote]))
    .on(`GET /api/quotation/quotes/${quote.id}`, enveloped(quote))
    .on(`GET /api/quotation/quotes/${quote.id}/pdf`, pdfOf(quote.title))
    .on(`GET /api/quotation/quotes/${quote.id}/contract/pdf`, pdfOf(quote.title))
    .on(`GET /api/quotation/quotes/${quote.id}/deliveries`, listed([delivery]))
    .on(`GET /api/quotation/quotes/${quote.id}/revisions`, listed([revision(quote), revision(firstRevision)]))
    .on('GET /api/quotation/customers', listed([customer]))
    .on('GET /api/quotation/customers/karin', enveloped(customer))
    .on('GET /api/leads/karin', new Refusal(404, 'NOT_FOUND'))
    .on('GET /api/quotation/quotes/first', enveloped(firstRevision));

/** A PDF of one page that says something. */
export function pdfOf(text: string): Blob {
  const shown = `BT /F1 24 Tf 60 760 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${shown.length}>>stream\n${shown}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ].map((object, index) => `${index + 1} 0 obj${object}endobj\n`);
  return new Blob(['%PDF-1.4\n', ...objects, 'trailer<</Root 1 0 R>>\n%%EOF'], { type: 'application/pdf' });
}
