import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import {
  useReload,
  useScope,
  useSession,
  useSessionStore,
  useTenantry,
} from '../sessions/sessions.queries.ts';

const invitationPage = '/accept-invitation';

const invitationQuery = (tenantry: Tenantry, scope: string, token: string) =>
  queryOptions({
    queryKey: [scope, 'invitation', token],
    queryFn: async ({ signal }): Promise<api.ShownInvitation> =>
      (await tenantry.getInvitation({ path: { token }, signal })).data.invitation,
  });

/** What an invitation offers, to anyone who has its token. */
export function useInvitation(token: string): UseQueryResult<api.ShownInvitation> {
  return useQuery(invitationQuery(useTenantry(), useScope(), token));
}

/** An invitation that somebody is about to sign up with. */
export interface InvitationInHand {
  readonly token: string;
  /** Undefined until it is known what it offers. */
  readonly offer: api.ShownInvitation | undefined;
  /** Forgets it: it was used. */
  readonly forget: () => void;
}

/** The invitation whose page somebody came from; undefined where there is none. */
export function useInvitationInHand(): InvitationInHand | undefined {
  const store = useSessionStore();
  const token = useSession().mailed[invitationPage];
  const query = invitationQuery(useTenantry(), useScope(), token ?? '');
  const { data: offer } = useQuery({ ...query, enabled: token !== undefined });
  if (token === undefined) return undefined;
  return { token, offer, forget: () => store.keepMailed(invitationPage, undefined) };
}

/** Joins the organization, and switches to it. */
export function useAcceptInvitation() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async ({
      token,
      onAccepted,
    }: {
      readonly token: string;
      readonly onAccepted: () => void;
    }) => {
      const { data } = await tenantry.acceptInvitation({ body: { token } });
      onAccepted();
      await tenantry.switchOrganization({ body: { organizationId: data.organization.id } });
      await reload();
    },
  });
}

/** Declines it, which ends it. */
export function useRejectInvitation() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (token: string) => {
      await tenantry.rejectInvitation({ body: { token } });
    },
  });
}
