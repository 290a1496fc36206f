import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';

const since = '2026-11-01T12:00:00Z';

/** People of Acme as the directory lists them: Ada is the reader. */
export const ada: api.User = {
  ...{ id: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', createdAt: since },
  ...{ role: 'owner', disabled: false },
};
export const grace: api.User = {
  ...{ ...ada, id: 'grace', email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' },
  role: 'member',
};

export const invitation: api.Invitation = {
  ...{ id: 'an-invitation', email: 'alan@example.com', role: 'admin', createdAt: since },
  ...{ invitedBy: { userId: 'ada', name: 'Ada Lovelace' }, expiresAt: '2026-12-01T12:00:00Z' },
  isSent: true,
};

export const invitations = '/api/auth/organization/id-of-Acme/invitations';
export const members = '/api/auth/organization/id-of-Acme/members';

/** A list in the envelope of the business services. */
export const listed = (data: readonly object[]) => ({
  data,
  error: null,
  meta: { total: data.length, page: 1, pageSize: 50 },
});

/** An API with these people, and whom they have invited. */
export function apiOfPeople(
  start: api.Start,
  { people = [ada, grace], invited = [invitation] }: { people?: api.User[]; invited?: api.Invitation[] } = {},
): FakeApi {
  const answers = new FakeApi(start)
    .on('GET /api/users', listed(people))
    .on(`GET ${invitations}`, { invitations: invited, total: invited.length, page: 1, pageSize: 100 });
  for (const user of people) {
    answers.on(`GET /api/users/${user.id}`, {
      data: user,
      error: null,
      meta: { requestId: 'a', timestamp: since },
    });
  }
  return answers;
}
