import { randomUUID } from 'node:crypto';
import type { PreparedRequests } from '../lawful-requests.ts';
import type { Tenant } from '../people.ts';

const quotesUrl = '/api/quotation/quotes';
const quote = () => ({ customerId: randomUUID(), customerName: 'Åström AB', title: 'New roof' });
const workPackage = { name: 'Roof', description: 'All of it' };
const line = { articleNumber: 'R-100', description: 'Felt', quantity: 7.25, unit: 'sqm', unitPrice: 485.5 };

async function created({ api, owner }: Tenant, url: string, body: object): Promise<string> {
  const { data } = await api.call<{ data: { id: string } }>(`POST ${url}` as `POST /${string}`, body, owner);
  return data.id;
}

const newQuote = (tenant: Tenant) => created(tenant, quotesUrl, quote());

async function newCustomer(tenant: Tenant): Promise<{ customerId: string }> {
  const body = quote();
  await created(tenant, quotesUrl, body);
  return { customerId: body.customerId };
}

async function newPackage(tenant: Tenant): Promise<{ quoteId: string; workPackageId: string }> {
  const quoteId = await newQuote(tenant);
  return {
    quoteId,
    workPackageId: await created(tenant, `${quotesUrl}/${quoteId}/work-packages`, workPackage),
  };
}

export const requests: PreparedRequests = {
  'GET /api/quotation/quotes': () => ({ query: { status: 'draft', search: 'roof', pageSize: '5' } }),
  'POST /api/quotation/quotes': () => ({ body: quote() }),
  'GET /api/quotation/quotes/{id}': async (tenant) => ({ path: { id: await newQuote(tenant) } }),
  'POST /api/quotation/quotes/{id}/send': async (tenant) => ({
    path: { id: await newQuote(tenant) },
    body: { recipientEmail: 'karin@astrom.example', message: 'As discussed.' },
  }),
  'POST /api/quotation/quotes/{quoteId}/work-packages': async (tenant) => ({
    path: { quoteId: await newQuote(tenant) },
    body: workPackage,
  }),
  'POST /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/items': async (tenant) => ({
    path: await newPackage(tenant),
    body: line,
  }),
  'GET /api/quotation/audit': () => ({ query: { action: 'quote.created' } }),
  'GET /api/quotation/customers': () => ({ query: { search: 'åström' } }),
  'GET /api/quotation/customers/{customerId}': async (tenant) => ({ path: await newCustomer(tenant) }),
  'PUT /api/quotation/customers/{customerId}': async (tenant) => ({
    path: await newCustomer(tenant),
    body: { name: 'Åström & Co' },
  }),
  'PATCH /api/quotation/customers/{customerId}': async (tenant) => ({
    path: await newCustomer(tenant),
    body: { email: null },
  }),
};
