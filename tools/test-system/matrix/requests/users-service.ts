import { newEmail, newPassword, type Tenant } from '../people.ts';
import { recentOwner } from '../recent-owner.ts';
import type { PreparedRequests } from '../lawful-requests.ts';

const newUser = () => ({
  email: newEmail(),
  password: newPassword(),
  firstName: 'Grace',
  lastName: 'Hopper',
});

async function createdUser({ api, owner }: Tenant): Promise<{ id: string }> {
  const { data } = await api.call<{ data: { id: string } }>('POST /api/users', newUser(), owner);
  return { id: data.id };
}

export const requests: PreparedRequests = {
  'GET /api/users': () => ({ query: { search: 'rob', sort: '-email', pageSize: '5' } }),
  'GET /api/users/usage': () => ({}),
  'GET /api/users/export/organization': async (tenant) => ({ by: await recentOwner(tenant) }),
  'GET /api/users/suggestions': () => ({ query: { prefix: 'ad' } }),
  'POST /api/users': () => ({ body: newUser() }),
  'GET /api/users/{id}': async (tenant) => ({ path: await createdUser(tenant) }),
  'PUT /api/users/{id}': async (tenant) => ({
    path: await createdUser(tenant),
    body: { lastName: 'Murray' },
  }),
  'PATCH /api/users/{id}': async (tenant) => ({
    path: await createdUser(tenant),
    body: { firstName: 'Amazing' },
  }),
  'DELETE /api/users/{id}': async (tenant) => ({ path: await createdUser(tenant) }),
};
