import type { PreparedRequests } from '../lawful-requests.ts';
import type { Tenant } from '../people.ts';
import { recentOwner } from '../recent-owner.ts';

async function newFieldNote({ api, owner }: Tenant): Promise<{ id: string }> {
  const { data } = await api.call<{ data: { id: string } }>(
    'POST /api/field-notes',
    { title: 'First' },
    owner,
  );
  return { id: data.id };
}

export const requests: PreparedRequests = {
  'GET /api/field-notes': () => ({ query: { pageSize: '5' } }),
  'POST /api/field-notes': () => ({ body: { title: 'First' } }),
  'GET /api/field-notes/usage': () => ({}),
  'GET /api/field-notes/export/organization': async (tenant) => ({ by: await recentOwner(tenant) }),
  'GET /api/field-notes/audit': () => ({ query: { action: 'field-note.created', pageSize: '5' } }),
  'GET /api/field-notes/{id}': async (tenant) => ({ path: await newFieldNote(tenant) }),
  'POST /api/field-notes/{id}/send': async (tenant) => ({
    path: await newFieldNote(tenant),
    body: { recipientEmail: 'karin@astrom.example' },
  }),
};
