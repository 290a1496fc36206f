import type { LawfulRequest } from './lawful-requests.ts';
import type { Operation } from './operations.ts';
import { newPassword, type Person, type Tenant } from './people.ts';

/** A request, and who makes it. */
export type AuthorizedRequest = LawfulRequest & { readonly by: Person };

/** What is known of an operation and of its request. */
export interface Authorized {
  readonly operation: Operation;
  readonly request: AuthorizedRequest;
}

/** A tenant with a second owner, who makes the requests; the first one ends what authorizes them. */
export interface EndingTenant extends Tenant {
  readonly founder: Person;
  /** Permissions of members. */
  readonly ofMembers: readonly string[];
}

/** A way in which what authorizes a request ends. */
export interface Ending {
  /** Whether it ends what authorizes a request; otherwise the request may still act. */
  readonly concerns: (authorized: Authorized, tenant: EndingTenant) => boolean;
  /** What it ends at once: it is done once for each. */
  readonly of: (person: Person) => string;
  /** Prepares it for somebody; what it returns ends it. */
  readonly prepare: (
    tenant: EndingTenant,
    person: Person,
  ) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>;
  /** What refuses afterwards. */
  readonly refusals: readonly number[];
}

const byId = ({ id }: Person): string => id;
const isMember = ({ request: { by } }: Authorized, { organizationId }: Tenant): boolean =>
  by.organizationId === organizationId;

/** Elsewhere, members sign in with the password alone. */
const isMemberByPassword = (authorized: Authorized, tenant: Tenant): boolean =>
  isMember(authorized, tenant) && !('backupCode' in authorized.request.by);

/** Whether an operation acts in an organization; other ones are about the caller's account. */
const actsInOrganization = ({ operation: { access, pathIds }, request: { body } }: Authorized): boolean =>
  access.includes(':') || pathIds.includes('organizationId') || body?.['organizationId'] !== undefined;

const ofAccounts = { concerns: () => true, of: byId, refusals: [401] } as const;
const ofMembers = {
  concerns: (authorized: Authorized, tenant: EndingTenant) =>
    isMember(authorized, tenant) && actsInOrganization(authorized),
  of: byId,
  refusals: [401, 403, 404],
} as const;

const memberOf = ({ organizationId }: Tenant, { id }: Person) =>
  `/api/auth/organization/${organizationId}/members/${id}` as const;

/** Every way there is. */
export const endings: Readonly<Record<string, Ending>> = {
  'the session was signed out': {
    ...ofAccounts,
    of: ({ session }) => session.id,
    prepare:
      ({ api }, person) =>
      () =>
        api.call('POST /api/auth/sign-out', undefined, person),
  },
  'the password was reset': {
    ...ofAccounts,
    async prepare({ api }, { email }) {
      await api.call('POST /api/auth/password/forgot', { email });
      const token = await api.mailed(email, 'reset-password');
      return () => api.call('POST /api/auth/password/reset', { token, newPassword: newPassword() });
    },
  },
  'the password was changed elsewhere': {
    ...ofAccounts,
    concerns: isMemberByPassword,
    async prepare({ api }, person) {
      const elsewhere = await api.signIn(person);
      const body = { currentPassword: person.password, newPassword: newPassword() };
      return () => api.call('POST /api/auth/password/change', body, elsewhere);
    },
  },
  'the other sessions were ended': {
    ...ofAccounts,
    concerns: isMemberByPassword,
    async prepare({ api }, person) {
      const elsewhere = await api.signIn(person);
      return () => api.call('DELETE /api/auth/sessions?scope=others', undefined, elsewhere);
    },
  },
  'the account was erased': {
    ...ofAccounts,
    prepare:
      ({ api }, person) =>
      () =>
        api.call('DELETE /api/auth/user', { password: person.password }, person),
  },
  'the account was disabled': {
    ...ofAccounts,
    // An organization disables accounts that belong to no other one; nobody disables those of others.
    concerns: isMember,
    prepare: (tenant, person) => () =>
      tenant.api.call(`POST ${memberOf(tenant, person)}/disable`, undefined, tenant.founder),
  },
  'the membership was ended': {
    ...ofMembers,
    prepare: (tenant, person) => () =>
      tenant.api.call(`DELETE ${memberOf(tenant, person)}`, undefined, tenant.founder),
  },
  'the role was lowered': {
    ...ofMembers,
    concerns: (authorized, tenant) =>
      isMember(authorized, tenant) &&
      authorized.operation.access.includes(':') &&
      !tenant.ofMembers.includes(authorized.operation.access),
    prepare: (tenant, person) => () =>
      tenant.api.call(`PATCH ${memberOf(tenant, person)}`, { role: 'member' }, tenant.founder),
  },
  'the organization was deleted': {
    ...ofMembers,
    of: ({ organizationId }) => organizationId,
    prepare:
      ({ api, organizationId, founder }) =>
      () =>
        api.call(`DELETE /api/auth/organization/${organizationId}`, undefined, founder),
  },
};

/** A new tenant, in whose name its second owner acts. */
export async function newEndingTenant(founded: Tenant, ofMembers: readonly string[]): Promise<EndingTenant> {
  const { owner: founder, api } = founded;
  const second = await founded.join('admin');
  await api.call(`PATCH ${memberOf(founded, second)}`, { role: 'owner' }, founder);
  return { ...founded, founder, owner: await api.signIn(second), ofMembers };
}
