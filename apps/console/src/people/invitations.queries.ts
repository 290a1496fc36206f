import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useSignedIn, useTenantry } from '../sessions/sessions.queries.ts';
import type { Role } from './abilities.ts';
import { addressKey } from './addresses.ts';

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

/** The open invitations, oldest first. */
export function useOpenInvitations() {
  return useQuery(invitationsQuery(useTenantry(), useScope()));
}

/** The result of several invitations. */
export interface InvitedAddresses {
  readonly sent: readonly string[];
  /** Those that have an open invitation, which are not mailed another. */
  readonly already: readonly string[];
  /** Those that were refused, and why; after one that all others would share, they are left as they are. */
  readonly refused: readonly { readonly email: string; readonly error: unknown }[];
  readonly left: readonly string[];
}

/** Whom to invite, and as what. */
export interface Invited {
  readonly people: readonly { readonly email: string; readonly role: Role }[];
  /** Whether those with an open invitation get another. */
  readonly isAgain?: boolean;
  /** Called for each that was sent. */
  readonly onProgress?: (sent: number) => void;
}

/** Invites one address after the other; stops at an error that concerns all of them. */
export function useInvite() {
  const [tenantry, queries, organizationId] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async ({ people, isAgain = false, onProgress }: Invited): Promise<InvitedAddresses> => {
      const [sent, refused]: [string[], { email: string; error: unknown }[]] = [[], []];
      const open = isAgain ? [] : await queries.query(invitationsQuery(tenantry, organizationId));
      const asked = new Set(open.map(({ email }) => addressKey(email)));
      const isOpen = (email: string) => asked.has(addressKey(email));
      const already = people.map(({ email }) => email).filter(isOpen);
      const others = people.filter(({ email }) => !isOpen(email));
      for (const [index, { email, role }] of others.entries()) {
        try {
          await tenantry.inviteMember({ path: { organizationId }, body: { email, role } });
          sent.push(email);
          onProgress?.(sent.length);
        } catch (error) {
          refused.push({ email, error });
          if (!concernsAll(error)) continue;
          const left = others.slice(index + 1).map((other) => other.email);
          return { sent, already, refused, left };
        }
      }
      return { sent, already, refused, left: [] };
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

/** Requests another letter to confirm the user's own address, and returns the address. */
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
