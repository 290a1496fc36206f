import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useReload, useScope, useSessionStore, useTenantry } from '../sessions/sessions.queries.ts';

/** Creates an account; if the address must be confirmed first, this does not sign in. */
export function useSignUp() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (body: api.SignUpWithEmailBody): Promise<api.SignUpWithEmailAnswer> =>
      (await tenantry.signUpWithEmail({ body })).data,
  });
}

/** Changes the profile; the session shows it. */
export function useUpdateProfile() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (body: api.UpdateProfileBody) => {
      await tenantry.updateProfile({ body });
      await reload();
    },
  });
}

/** Changes the password, which ends the other sessions. */
export function useChangePassword() {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (body: api.ChangePasswordBody) => {
      await tenantry.changePassword({ body });
      await queries.invalidateQueries({ queryKey: [scope, 'sessions'] });
    },
  });
}

const sessionsQuery = (tenantry: Tenantry, scope: string) =>
  queryOptions({
    queryKey: [scope, 'sessions'],
    queryFn: async ({ signal }) => (await tenantry.listSessions({ signal })).data.sessions,
  });

/** The user's sessions. */
export function useSessionList() {
  return useQuery(sessionsQuery(useTenantry(), useScope()));
}

/** Ends one session. */
export function useEndSession() {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (id: string) => {
      await tenantry.endSession({ path: { id } });
      await queries.invalidateQueries({ queryKey: [scope, 'sessions'] });
    },
  });
}

/** Ends all sessions but this one, and says how many. */
export function useEndOthers() {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  return useMutation({
    mutationFn: async (): Promise<number> => {
      const { data } = await tenantry.endSessions({ query: { scope: 'others' } });
      await queries.invalidateQueries({ queryKey: [scope, 'sessions'] });
      return data.revoked;
    },
  });
}

/** Changes the address: a link mailed to the new one completes it. */
export function useChangeEmail() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (newEmail: string): Promise<string> => {
      await tenantry.changeEmail({ body: { newEmail } });
      return newEmail;
    },
  });
}

/** Requests a link to choose a new password. */
export function useRequestPasswordReset() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (email: string): Promise<string> => {
      await tenantry.requestPasswordReset({ body: { email } });
      return email;
    },
  });
}

/** Chooses a new password by a mailed link, which ends all sessions. */
export function useResetPassword() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (body: api.ResetPasswordBody) => {
      await tenantry.resetPassword({ body });
      await reload();
    },
  });
}

/** Confirms an address by a mailed link. The page for a new password gets the token that the account may need for one. */
export function useVerifyEmail() {
  const [tenantry, reload, store] = [useTenantry(), useReload(), useSessionStore()];
  return useMutation({
    mutationFn: async (token: string) => {
      const { email, resetToken } = (await tenantry.verifyEmail({ body: { token } })).data;
      await reload();
      if (resetToken !== undefined) store.keepMailed('/reset-password', resetToken);
      return { email, needsPassword: resetToken !== undefined };
    },
  });
}

/** Requests another letter to confirm an address. */
export function useResendVerification() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (email: string): Promise<string> => {
      await tenantry.resendVerificationEmail({ body: { email } });
      return email;
    },
  });
}

/** An event of the user's account. */
export type OwnAction = NonNullable<NonNullable<api.ListOwnAuditEventsData['query']>['action']>;

const activityQuery = (tenantry: Tenantry, scope: string) =>
  infiniteQueryOptions({
    queryKey: [scope, 'activity'],
    queryFn: async ({ pageParam, signal }) =>
      (await tenantry.listOwnAuditEvents({ query: { page: pageParam, pageSize: 10 }, signal })).data,
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
  });

/** The events of the account, the latest first. */
export function useActivity() {
  return useInfiniteQuery(activityQuery(useTenantry(), useScope()));
}

/** Deletes the account for good. */
export function useDeleteAccount() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async () => {
      await tenantry.deleteAccount();
      await reload();
    },
  });
}
