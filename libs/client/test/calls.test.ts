import { describe, expect, it } from 'vitest';
import { createTenantry, isErrorOf, mayCall, TenantryError } from '@tenantry/client';
import { id, page, rejection } from './support/clients.ts';
import { enveloped, pagesOf, plainRefusal, refusal } from './support/fake-api.ts';

describe('a call', () => {
  it('gives data without its envelope, what the envelope says beside it, the entity tag and the request id', async () => {
    const { api, tenantry } = page();
    const meta = { timestamp: '2027-01-31T12:00:00.000Z', requestId: 'request-1' };
    api.on(`GET /api/leads/${id}`, () => ({
      ...enveloped({ id, name: 'Åke' }, meta),
      headers: { etag: '"3"' },
    }));
    const answer = await tenantry.getLead({ path: { id } });
    expect(answer).toEqual({ data: { id, name: 'Åke' }, meta, etag: '"3"', requestId: 'request-1' });
  });

  it('gives an answer of auth-service as it is, and nothing where there is no body', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.on('GET /api/auth/sessions', () => ({ body: { sessions: [] } }));
    api.on(`DELETE /api/auth/sessions/${id}`, () => ({ status: 204 }));
    expect((await tenantry.listSessions()).data).toEqual({ sessions: [] });
    expect((await tenantry.endSession({ path: { id } })).data).toBeUndefined();
  });

  it('writes what it is given into the path and the query, lists as one parameter, and leaves out what is undefined', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', pagesOf(0));
    await tenantry.listLeads({ query: { status: ['new', 'won'], search: 'å & k=e', source: undefined } });
    await rejection(tenantry.getInvitation({ path: { token: 'a/b?c' } }));
    expect(api.received.map(({ url }) => url)).toEqual([
      '/api/leads?status=new%2Cwon&search=%C3%A5%20%26%20k%3De',
      '/api/auth/invitations/a%2Fb%3Fc',
    ]);
  });

  it('sends a condition, and JSON', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.on(`PATCH /api/quotation/quotes/${id}`, () => enveloped({ id }));
    await tenantry.patchQuote({ path: { id }, body: { title: 'New roof' }, ifMatch: '"3"' });
    const [request] = api.requests(`PATCH /api/quotation/quotes/${id}`);
    expect(request?.headers).toMatchObject({ 'if-match': '"3"', 'content-type': 'application/json' });
    expect(request?.body).toEqual({ title: 'New roof' });
  });

  it('sends a file as it is, by its own type or that of the operation', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    const path = { organizationId: id };
    api.on(`PUT /api/auth/organization/${id}/logo`, () => ({ body: { logo: 'digest' } }));
    api.on('POST /api/leads/import', () => enveloped({ imported: 1 }));
    await tenantry.putOrganizationLogo({ path, body: new Blob(['png'], { type: 'image/jpeg' }) });
    await tenantry.importLeads({ body: 'name,email' });
    expect(api.received.slice(1).map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['image/jpeg', 'png'],
      ['text/csv', 'name,email'],
    ]);
  });

  it('gives a file as a Blob', async () => {
    const { api, tenantry } = page();
    const headers = { 'content-type': 'application/pdf' };
    api.on(`GET /api/quotation/quotes/${id}/pdf`, () => ({ headers, body: '%PDF' }));
    const { data } = await tenantry.getQuotePdf({ path: { id } });
    expect([data.type, await data.text()]).toEqual(['application/pdf', '%PDF']);
  });
});

describe('a list', () => {
  it('is one page, of business services and of auth-service alike', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', pagesOf(12));
    const members = [{ userId: id }];
    api.on(`GET /api/auth/organization/${id}/members`, () => ({
      body: { members, total: 1, page: 1, pageSize: 10 },
    }));
    const { data } = await tenantry.listLeads({ query: { page: 2 } });
    expect(data).toEqual({ rows: [{ id: '11' }, { id: '12' }], total: 12, page: 2, pageSize: 10 });
    const listed = await tenantry.listMembers({ path: { organizationId: id } });
    expect(listed.data).toEqual({ rows: members, total: 1, page: 1, pageSize: 10 });
  });

  it.each([0, 1, 10, 25, 30])(
    'is walked through row by row, %i of them, without a request too many',
    async (total) => {
      const { api, tenantry } = page();
      api.on('GET /api/leads', pagesOf(total));
      const ids: string[] = [];
      for await (const lead of tenantry.listLeads()) ids.push(lead.id);
      expect(ids).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)));
      expect(api.requests('GET /api/leads')).toHaveLength(Math.max(1, Math.ceil(total / 10)));
    },
  );

  it('is asked for no further once somebody stops walking', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', pagesOf(30));
    for await (const lead of tenantry.listLeads({ query: { status: ['new'] } })) if (lead.id === '11') break;
    expect(api.received.map(({ url }) => url)).toEqual([
      '/api/leads?status=new',
      '/api/leads?status=new&page=2',
    ]);
  });
});

describe('an error', () => {
  const details = [{ field: 'name', rule: 'maxLength', params: { limit: 100 }, message: 'is too long' }];

  it.each([
    ['in the envelope', refusal(409, 'CONFLICT', { reason: 'QUOTE_SENT', details })],
    ['plain', plainRefusal(409, 'CONFLICT', { reason: 'QUOTE_SENT', details })],
  ])('is the same whether it comes %s', async (_how, reply) => {
    const { api, tenantry } = page();
    api.on(`GET /api/leads/${id}`, () => reply);
    const error = await rejection(tenantry.getLead({ path: { id } }));
    expect(error).toBeInstanceOf(TenantryError);
    expect(error).toMatchObject({
      ...{ operationId: 'getLead', code: 'CONFLICT', reason: 'QUOTE_SENT', status: 409, details },
      ...{ requestId: 'request-1', message: 'No.', retryAfterSeconds: undefined },
    });
  });

  it('says when to try again', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', () => ({ ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '12' } }));
    expect(await rejection(tenantry.listLeads())).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 12,
    });
  });

  it('is OFFLINE where there is no answer', async () => {
    const fetching = () => Promise.reject(new TypeError('Failed to fetch'));
    const tenantry = createTenantry({ fetch: fetching });
    const error = await rejection(tenantry.listLeads());
    expect(error).toMatchObject({ code: 'OFFLINE', status: 0, details: [] });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it.each([502, 200])('is UNREADABLE_ANSWER where what is in between answers %i', async (status) => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', () => ({ status, body: '<h1>Bad gateway</h1>' }));
    expect(await rejection(tenantry.listLeads())).toMatchObject({ code: 'UNREADABLE_ANSWER', status });
  });

  it('is the reason of the signal where the call was ended', async () => {
    const { api, tenantry } = page();
    api.standing.isExpired = true;
    const reason = new Error('the page was left');
    const call = tenantry.listLeads({ signal: AbortSignal.abort(reason) });
    expect(await rejection(call)).toBe(reason);
    expect(api.received).toEqual([]);
  });

  it('is told apart by its operation, and then by the codes of that operation', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.on('POST /api/auth/organization/create', () => plainRefusal(409, 'SLUG_TAKEN'));
    const error: unknown = await rejection(tenantry.createOrganization({ body: { name: 'A', slug: 'abc' } }));
    expect(isErrorOf(error, 'listLeads')).toBe(false);
    expect(isErrorOf(error, 'createOrganization') && error.code === 'SLUG_TAKEN').toBe(true);
  });
});

describe('what a caller may do', () => {
  it('follows from the permissions that the operations ask for', () => {
    expect(mayCall(['leads:read'], 'listLeads')).toBe(true);
    expect(mayCall(['leads:read'], 'createLead')).toBe(false);
    for (const open of ['getProfile', 'signInWithEmail'] as const) expect(mayCall([], open)).toBe(true);
  });
});
