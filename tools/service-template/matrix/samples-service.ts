import type { PreparedRequests } from '../lawful-requests.ts';
import type { Tenant } from '../people.ts';

async function newSample({ api, owner }: Tenant): Promise<{ id: string }> {
  const { data } = await api.call<{ data: { id: string } }>('POST /api/samples', { title: 'First' }, owner);
  return { id: data.id };
}

export const requests: PreparedRequests = {
  'GET /api/samples': () => ({ query: { pageSize: '5' } }),
  'POST /api/samples': () => ({ body: { title: 'First' } }),
  'GET /api/samples/{id}': async (tenant) => ({ path: await newSample(tenant) }),
};
