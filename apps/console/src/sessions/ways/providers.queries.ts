import { isTenantryError, type api, type Tenantry } from '@tenantry/client';
import { useMutation } from '../../design/use-mutation.ts';
import { useSessionStore, type SignInAnswer } from '../sessions.queries.ts';

/** What comes back from a provider is for. */
export type VisitPurpose = 'sign-in' | 'link';

/** The page that a provider leads back to, with what it is told. */
export const returnAddress = (origin: string, search: Readonly<Record<string, string>>): string =>
  `${origin}/sign-in/return?${new URLSearchParams(search).toString()}`;

/** Leaves for a provider, which leads back to `/sign-in/return` and from there to `next`. */
export function useVisitProvider(purpose: VisitPurpose, next: string) {
  const { tenantry, origin, leave } = useSessionStore();
  return useMutation({
    mutationFn: async (provider: string) => {
      const body = { provider, redirectTo: returnAddress(origin, { for: purpose, next }) };
      const { data } = await (purpose === 'link'
        ? tenantry.beginIdentityLink({ body })
        : tenantry.beginSocialSignIn({ body }));
      leave(data.url);
    },
  });
}

/** Who looks for a sign-in at an organization: by the domain of an address, or by the organization. */
type Seeker = { readonly email: string } | { readonly slug: string };

/** A sign-in that has begun at the identity provider of an organization. */
type BegunVisit = Awaited<ReturnType<Tenantry['beginSso']>>['data'];

/** Where the identity provider of an organization leads back to. */
const backFromOrganization = (origin: string, next: string): string =>
  returnAddress(origin, { for: 'organization', next });

/** Leaves for the identity provider of an organization, by a sign-in that has begun and not ended meanwhile, or by a new one. */
export function useVisitOrganization(next: string) {
  const { tenantry, origin, leave } = useSessionStore();
  return useMutation({
    mutationFn: async ({ begun, ...seeker }: Seeker & { readonly begun?: BegunVisit | undefined }) => {
      if (begun !== undefined && Date.parse(begun.expiresAt) > Date.now()) {
        leave(begun.url);
        return;
      }
      const redirectTo = backFromOrganization(origin, next);
      leave((await tenantry.beginSso({ body: { ...seeker, redirectTo } })).data.url);
    },
  });
}

/** The address of somebody who signs in, and what its domain has. */
export interface GivenAddress {
  readonly email: string;
  /** Whether an organization signs people in there; true also where that could not be learnt, so that nobody is kept out. */
  readonly isOfOrganization: boolean;
  readonly begun?: BegunVisit;
}

/** Asks whether an organization signs in people with an address. Whether there is an account is not asked. */
export function useFindOrganization(next: string) {
  const { tenantry, origin } = useSessionStore();
  return useMutation({
    mutationFn: async (email: string): Promise<GivenAddress> => {
      try {
        const redirectTo = backFromOrganization(origin, next);
        const { data: begun } = await tenantry.beginSso({ body: { email, redirectTo } });
        return { email, isOfOrganization: true, begun };
      } catch (error) {
        const code = isTenantryError(error) ? error.code : undefined;
        if (code === 'VALIDATION_ERROR') throw error;
        return { email, isOfOrganization: code !== 'NOT_FOUND' };
      }
    },
  });
}

/** Signs in with what the identity provider of an organization has led back with. */
export function useRedeemSsoTicket() {
  const { tenantry } = useSessionStore();
  return useMutation({
    mutationFn: async (ticket: string): Promise<SignInAnswer> =>
      (await tenantry.redeemSsoTicket({ body: { ticket } })).data,
  });
}

/** Signs in with what a provider has led back with. */
export function useRedeemTicket() {
  const { tenantry } = useSessionStore();
  return useMutation({
    mutationFn: async (ticket: string): Promise<api.RedeemTicketAnswer> =>
      (await tenantry.redeemTicket({ body: { ticket } })).data,
  });
}

/** Links the caller's own account at the identity provider of an organization that it has led back with. */
export function useLinkAtOrganization({ organization = '', connection = '' }: LinkPlace) {
  const { tenantry } = useSessionStore();
  return useMutation({
    mutationFn: async (ticket: string) => {
      const path = { organizationId: organization, connectionId: connection };
      await tenantry.linkConnection({ path, body: { ticket } });
    },
  });
}

/** Which connection of which organization is linked. */
interface LinkPlace {
  readonly organization?: string;
  readonly connection?: string;
}

/** Links the account at a provider that it has led back with. */
export function useLinkIdentity() {
  const { tenantry } = useSessionStore();
  return useMutation({
    mutationFn: async (ticket: string) => {
      await tenantry.linkIdentity({ body: { ticket } });
    },
  });
}
