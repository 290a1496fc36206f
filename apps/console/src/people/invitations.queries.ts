import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';
import type { Role } from './abilities.ts';

const invitationsQuery = (tenantry: Tenantry, organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'invitations'],
    queryFn: async ({ signal }): Promise<readonly api.Invitation[]> => {
      const { data } = await tenantry.listInvitations({
        path: { organizationId },
        query: { pageSize: 100 },
        signal,
      });
      return data.rows;
    },
  });

/** The invitations that nobody has answered yet, oldest first. */
export function useOpenInvitations() {
  return useQuery(invitationsQuery(useTenantry(), useScope()));
}

/** What became of a round of invitations. */
export interface InvitedAddresses {
  readonly sent: readonly string[];
  /** Those that were refused, and why; after one that all others would share, they are left as they are. */
  readonly refused: readonly { readonly email: string; readonly error: unknown }[];
  readonly left: readonly string[];
}

/** Whom to invite, as what. */
export interface Invited {
  readonly emails: readonly string[];
  readonly role: Role;
  /** Hears of each that was sent. */
  readonly onProgress?: (sent: number) => void;
}

/** Invites one after the other: what was refused for one reason that concerns all is not asked for again. */
export function useInvite() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async ({ emails, role, onProgress }: Invited): Promise<InvitedAddresses> => {
      const [sent, refused]: [string[], { email: string; error: unknown }[]] = [[], []];
      for (const [index, email] of emails.entries()) {
        try {
          await tenantry.inviteMember({ path: { organizationId }, body: { email, role } });
          sent.push(email);
          onProgress?.(sent.length);
        } catch (error) {
          refused.push({ email, error });
          if (concernsAll(error)) return { sent, refused, left: emails.slice(index + 1) };
        }
      }
      return { sent, refused, left: [] };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId, 'invitations'] }),
  });
}

/** Whether the next address would be refused for the same reason. */
function concernsAll(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code !== 'ALREADY_MEMBER' && code !== 'VALIDATION_ERROR';
}

/** Withdraws an invitation: its link stops working. */
export function useWithdraw() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (invitationId: string) => {
      await tenantry.withdrawInvitation({ path: { organizationId, invitationId } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId, 'invitations'] }),
  });
}

/** Has the letter mailed again that confirms one's own address, and says where to. */
export function useConfirmOwnAddress() {
  const tenantry = useTenantry();
  const { user } = useSignedIn();
  return useMutation({
    mutationFn: async (): Promise<string> => {
      await tenantry.resendVerificationEmail({ body: { email: user.email } });
      return user.email;
    },
  });
}
