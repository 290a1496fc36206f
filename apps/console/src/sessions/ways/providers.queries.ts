import { useMutation } from '../../design/use-mutation.ts';
import type { api } from '@tenantry/client';
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

/** Leaves for the identity provider of an organization, which leads back as a provider does. */
export function useVisitOrganization(next: string) {
  const { tenantry, origin, leave } = useSessionStore();
  return useMutation({
    mutationFn: async (seeker: { readonly email: string } | { readonly slug: string }) => {
      const redirectTo = returnAddress(origin, { for: 'organization', next });
      const { data } = await tenantry.beginSso({ body: { ...seeker, redirectTo } });
      leave(data.url);
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
