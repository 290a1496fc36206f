import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useReload, useScope, useTenantry } from '../sessions/sessions.queries.ts';

/** Creates an account; where addresses are confirmed first, nobody is signed in by it. */
export function useSignUp() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (body: api.SignUpWithEmailBody): Promise<api.SignUpWithEmailAnswer> =>
      (await tenantry.signUpWithEmail({ body })).data,
  });
}

/** Changes what somebody says of themselves; the session knows them by it. */
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

/** Where somebody is signed in. */
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
