import type { PreparedRequests } from '../lawful-requests.ts';
import type { Tenant } from '../people.ts';
import { recentOwner } from '../recent-owner.ts';

const lead = {
  name: 'Charles Babbage',
  email: 'charles@leads.example',
  phone: '+44 20 7946 0000',
  notes: 'Writes letters',
};

async function newLead({ api, owner }: Tenant): Promise<{ id: string }> {
  const { data } = await api.call<{ data: { id: string } }>('POST /api/leads', lead, owner);
  return { id: data.id };
}

async function newImport({ api, owner }: Tenant): Promise<{ id: string }> {
  const content = 'name,email\nAda,ada@leads.example\n';
  await api.sendFile('POST /api/leads/import', { mediaType: 'text/csv', content }, owner);
  const { data } = await api.call<{ data: readonly [{ id: string }] }>(
    'GET /api/leads/imports',
    undefined,
    owner,
  );
  return { id: data[0].id };
}

export const requests: PreparedRequests = {
  'GET /api/leads': () => ({
    query: { search: 'babb', status: 'new,won', pageSize: '5', include: 'version,updatedAt' },
  }),
  'POST /api/leads': () => ({ body: lead }),
  'GET /api/leads/usage': () => ({}),
  'GET /api/leads/audit': () => ({ query: { action: 'lead.created', pageSize: '5' } }),
  'GET /api/leads/{id}': async (tenant) => ({ path: await newLead(tenant) }),
  'PUT /api/leads/{id}': async (tenant) => ({ path: await newLead(tenant), body: { status: 'contacted' } }),
  'PATCH /api/leads/{id}': async (tenant) => ({ path: await newLead(tenant), body: { notes: null } }),
  'DELETE /api/leads/{id}': async (tenant) => ({ path: await newLead(tenant) }),
  'POST /api/leads/{id}/restore': async (tenant) => {
    const path = await newLead(tenant);
    await tenant.api.call(`DELETE /api/leads/${path.id}`, undefined, tenant.owner);
    return { path };
  },
  'POST /api/leads/{id}/erase': async (tenant) => ({ path: await newLead(tenant) }),
  'GET /api/leads/{id}/history': async (tenant) => ({ path: await newLead(tenant) }),
  'GET /api/leads/export': () => ({ query: { status: 'new', sort: 'name' } }),
  'GET /api/leads/export/organization': async (tenant) => ({ by: await recentOwner(tenant) }),
  'POST /api/leads/import': () => ({
    query: { mode: 'rows' },
    file: { mediaType: 'text/csv', content: 'name,email\nAda,ada@leads.example\n,nobody\n' },
  }),
  'POST /api/leads/import/read': () => ({
    query: { rest: 'notes' },
    file: { mediaType: 'text/csv', content: 'First Name,Last Name,E-mail\nAda,King,ada@leads.example\n' },
  }),
  'GET /api/leads/imports': () => ({ query: { pageSize: '5' } }),
  'GET /api/leads/imports/{id}': async (tenant) => ({ path: await newImport(tenant) }),
  'GET /api/leads/imports/{id}/left-out': async (tenant) => ({ path: await newImport(tenant) }),
  'POST /api/leads/imports/{id}/undo': async (tenant) => ({ path: await newImport(tenant) }),
  'GET /api/leads/suggestions': () => ({ query: { prefix: 'ad' } }),
  'GET /api/leads/settings': () => ({}),
  'PATCH /api/leads/settings': async ({ api, owner }) => {
    const { data } = await api.call<{ data: { acceptedQuoteMovesLead: boolean } }>(
      'GET /api/leads/settings',
      undefined,
      owner,
    );
    return { body: { acceptedQuoteMovesLead: !data.acceptedQuoteMovesLead } };
  },
  'GET /api/leads/statistics': () => ({ query: { interval: 'week', timeZone: 'Europe/Stockholm' } }),
};
