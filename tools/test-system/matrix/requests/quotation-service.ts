import { randomUUID } from 'node:crypto';
import type { PreparedRequests } from '../lawful-requests.ts';
import type { Tenant } from '../people.ts';
import { recentOwner } from '../recent-owner.ts';

const quotesUrl = '/api/quotation/quotes';
const quote = () => ({ customerId: randomUUID(), customerName: 'Åström AB', title: 'New roof' });
const workPackage = { name: 'Roof', description: 'All of it' };
const letter = { recipientEmail: 'karin@astrom.example', message: 'As discussed.' };
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

const customerFile = { mediaType: 'text/csv', content: 'name,email\nÅström AB,info@astrom.example\n' };

async function newImport({ api, owner }: Tenant): Promise<{ id: string }> {
  await api.sendFile('POST /api/quotation/customers/import', customerFile, owner);
  const { data } = await api.call<{ data: readonly [{ id: string }] }>(
    'GET /api/quotation/customers/imports',
    undefined,
    owner,
  );
  return { id: data[0].id };
}

async function newPackage(tenant: Tenant): Promise<{ quoteId: string; workPackageId: string }> {
  const quoteId = await newQuote(tenant);
  return {
    quoteId,
    workPackageId: await created(tenant, `${quotesUrl}/${quoteId}/work-packages`, workPackage),
  };
}

async function newLine(tenant: Tenant) {
  const path = await newPackage(tenant);
  return { ...path, itemId: await addLine(tenant, path) };
}

const addLine = (tenant: Tenant, { quoteId, workPackageId }: { quoteId: string; workPackageId: string }) =>
  created(tenant, `${quotesUrl}/${quoteId}/work-packages/${workPackageId}/items`, line);

async function sentQuote(tenant: Tenant): Promise<{ id: string }> {
  const id = await newQuote(tenant);
  const { api, owner } = tenant;
  await api.call(`POST ${quotesUrl}/${id}/send`, letter, owner);
  return { id };
}

async function acceptedQuote(tenant: Tenant): Promise<{ id: string }> {
  const { id } = await sentQuote(tenant);
  await tenant.api.call(`POST ${quotesUrl}/${id}/accept`, undefined, tenant.owner);
  return { id };
}

async function quoteWithContract(tenant: Tenant): Promise<{ id: string }> {
  const { id } = await acceptedQuote(tenant);
  await tenant.api.call(`POST ${quotesUrl}/${id}/contract`, undefined, tenant.owner);
  return { id };
}

const ofQuotes: PreparedRequests = {
  'GET /api/quotation/quotes': () => ({ query: { status: 'draft', search: 'roof', pageSize: '5' } }),
  'POST /api/quotation/quotes': () => ({ body: quote() }),
  'GET /api/quotation/quotes/{id}': async (tenant) => ({ path: { id: await newQuote(tenant) } }),
  'PUT /api/quotation/quotes/{id}': async (tenant) => ({
    path: { id: await newQuote(tenant) },
    body: { customerId: randomUUID(), vatRate: 12 },
  }),
  'PATCH /api/quotation/quotes/{id}': async (tenant) => ({
    path: { id: await newQuote(tenant) },
    body: { title: 'Old roof' },
  }),
  'DELETE /api/quotation/quotes/{id}': async (tenant) => ({ path: { id: await newQuote(tenant) } }),
  'POST /api/quotation/quotes/{id}/send': async (tenant) => ({
    path: { id: await newQuote(tenant) },
    body: letter,
  }),
  'POST /api/quotation/quotes/{id}/accept': async (tenant) => ({ path: await sentQuote(tenant) }),
  'POST /api/quotation/quotes/{id}/reject': async (tenant) => ({
    path: await sentQuote(tenant),
    body: { reason: 'Too late' },
  }),
  'POST /api/quotation/quotes/{id}/resend': async (tenant) => ({
    path: await sentQuote(tenant),
    body: letter,
  }),
  'POST /api/quotation/quotes/{id}/link': async (tenant) => ({ path: await sentQuote(tenant) }),
  'GET /api/quotation/quotes/{id}/deliveries': async (tenant) => ({ path: { id: await newQuote(tenant) } }),
  'GET /api/quotation/export/organization': async (tenant) => ({
    by: await recentOwner(tenant),
    query: { pdfs: 'none', year: '2026' },
  }),
  'GET /api/quotation/quotes/{id}/pdf': async (tenant) => ({ path: { id: await newQuote(tenant) } }),
  'GET /api/quotation/quotes/{id}/revisions': async (tenant) => ({
    path: { id: await newQuote(tenant) },
    query: { pageSize: '5' },
  }),
  'POST /api/quotation/quotes/{id}/revise': async (tenant) => ({ path: await sentQuote(tenant) }),
  'POST /api/quotation/quotes/{id}/duplicate': async (tenant) => ({ path: await sentQuote(tenant) }),
  'POST /api/quotation/quotes/{id}/contract': async (tenant) => ({ path: await acceptedQuote(tenant) }),
  'GET /api/quotation/quotes/{id}/contract': async (tenant) => ({ path: await quoteWithContract(tenant) }),
  'GET /api/quotation/quotes/{id}/contract/pdf': async (tenant) => ({
    path: await quoteWithContract(tenant),
  }),
};

const packages = '/api/quotation/quotes/{quoteId}/work-packages';
const item = `${packages}/{workPackageId}/items/{itemId}`;

const ofDrafts: PreparedRequests = {
  [`POST ${packages}`]: async (tenant) => ({ path: { quoteId: await newQuote(tenant) }, body: workPackage }),
  [`PUT ${packages}/{workPackageId}`]: async (tenant) => ({
    path: await newPackage(tenant),
    body: { name: 'Felt' },
  }),
  [`PATCH ${packages}/{workPackageId}`]: async (tenant) => ({
    path: await newPackage(tenant),
    body: { description: '' },
  }),
  [`DELETE ${packages}/{workPackageId}`]: async (tenant) => ({ path: await newPackage(tenant) }),
  'PUT /api/quotation/quotes/{quoteId}/work-package-order': async (tenant) => {
    const { quoteId, workPackageId } = await newPackage(tenant);
    const second = await created(tenant, `${quotesUrl}/${quoteId}/work-packages`, workPackage);
    return { path: { quoteId }, body: { ids: [second, workPackageId] } };
  },
  [`POST ${packages}/{workPackageId}/items`]: async (tenant) => ({
    path: await newPackage(tenant),
    body: line,
  }),
  [`PUT ${item}`]: async (tenant) => ({ path: await newLine(tenant), body: { unitPrice: 500 } }),
  [`PATCH ${item}`]: async (tenant) => ({ path: await newLine(tenant), body: { quantity: 1 } }),
  [`DELETE ${item}`]: async (tenant) => ({ path: await newLine(tenant) }),
  [`PUT ${packages}/{workPackageId}/item-order`]: async (tenant) => {
    const { itemId, ...path } = await newLine(tenant);
    return { path, body: { ids: [await addLine(tenant, path), itemId] } };
  },
};

export const requests: PreparedRequests = {
  ...ofQuotes,
  ...ofDrafts,
  'GET /api/quotation/statistics': () => ({ query: { interval: 'week', timeZone: 'Europe/Stockholm' } }),
  'GET /api/quotation/usage': () => ({}),
  'GET /api/quotation/audit': () => ({ query: { action: 'quote.created' } }),
  'GET /api/quotation/customers': () => ({ query: { search: 'åström' } }),
  'POST /api/quotation/customers': () => ({
    body: { name: 'Åström AB', address: 'Storgatan 5\n415 02 Göteborg', vatNumber: 'SE556677889901' },
  }),
  'POST /api/quotation/customers/import': () => ({
    query: { mode: 'rows' },
    file: { mediaType: 'text/csv', content: `${customerFile.content},nobody@astrom.example\n` },
  }),
  'POST /api/quotation/customers/import/read': () => ({ query: { name: '1' }, file: customerFile }),
  'GET /api/quotation/customers/imports': () => ({ query: { pageSize: '5' } }),
  'GET /api/quotation/customers/imports/{id}': async (tenant) => ({ path: await newImport(tenant) }),
  'GET /api/quotation/customers/imports/{id}/left-out': async (tenant) => ({ path: await newImport(tenant) }),
  'POST /api/quotation/customers/imports/{id}/undo': async (tenant) => ({ path: await newImport(tenant) }),
  'GET /api/quotation/customers/suggestions': () => ({ query: { prefix: 'ås' } }),
  'GET /api/quotation/customers/{customerId}': async (tenant) => ({ path: await newCustomer(tenant) }),
  'PUT /api/quotation/customers/{customerId}': async (tenant) => ({
    path: await newCustomer(tenant),
    body: { name: 'Åström & Co' },
  }),
  'PATCH /api/quotation/customers/{customerId}': async (tenant) => ({
    path: await newCustomer(tenant),
    body: { email: 'karin@astrom.example' },
  }),
  'POST /api/quotation/customers/{customerId}/erase': async (tenant) => ({ path: await newCustomer(tenant) }),
};
