import type { api } from '@tenantry/client';
import type { FakeApi } from './fake-api.ts';
import { apiOfPeople, listed } from './people.ts';

/** The trails of Acme. */
export const trailsOfAcme = {
  organization: 'GET /api/auth/organization/id-of-Acme/audit',
  leads: 'GET /api/leads/audit',
  quotes: 'GET /api/quotation/audit',
} as const;

const ingrid = { userId: 'ada', name: 'Ada Lovelace' };
export const happened = (action: string, createdAt: string, target: object) => ({
  ...{ id: `${action}-${createdAt}`, action, createdAt, target, device: null, ipAddress: null },
  details: { role: 'member' },
  actor: { kind: 'user', ...ingrid },
});

export const invited = happened('invitation.created', '2026-11-24T09:00:00Z', {
  ...{ type: 'invitation', id: 'an-invitation', name: 'alan@example.com' },
});
export const added = happened('lead.created', '2026-11-24T10:00:00Z', {
  type: 'lead',
  id: 'a-lead',
  name: 'Åse Berg',
});
export const sent = happened('quote.sent', '2026-11-23T10:00:00Z', {
  type: 'quote',
  id: 'a-quote',
  name: 'Q-2026-0007',
});

/** A change of a lead, with values and without. */
export const contacted = {
  ...happened('lead.updated', '2026-11-24T11:00:00Z', { type: 'lead', id: 'a-lead', name: 'Åse Berg' }),
  details: { fields: ['notes', 'status'], values: { status: { from: 'new', to: 'contacted' } } },
};

/** A page of the organization's own trail. */
export const ofOrganization = (events: readonly object[], { total = events.length, page = 1 } = {}) => ({
  ...{ events, total, page, pageSize: 50 },
});

/** An API with something in each trail. */
export const apiOfActivity = (start: api.Start): FakeApi =>
  apiOfPeople(start)
    .on(trailsOfAcme.organization, ofOrganization([invited]))
    .on(trailsOfAcme.leads, listed([added]))
    .on(trailsOfAcme.quotes, listed([sent]));
