import { createContext, useContext, useSyncExternalStore } from 'react';
import { mayCall, type api, type OperationId, type Tenantry } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import type { SessionState, SessionStore, SignedIn } from './session-store.ts';

/** Where what is below finds its session. */
export const SessionContext = createContext<SessionStore | undefined>(undefined);

/** The session, for what changes it. */
export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (!store) throw new Error('A session is there below SessionContext alone.');
  return store;
}

/** The client, for the queries of every noun. */
export const useTenantry = (): Tenantry => useSessionStore().tenantry;

/** How the session stands. */
export function useSession(): SessionState {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.getState);
}

/** The person who is signed in, on pages that ask for one. */
export function useSignedIn(): SignedIn {
  const { start } = useSession();
  if (start?.status !== 'signed-in') throw new Error('This page is for somebody who is signed in.');
  return start;
}

/** Whether the reader may call an operation: what would be refused is not offered. */
export function useMay(): (operation: OperationId) => boolean {
  const { permissions } = useSignedIn();
  return (operation) => mayCall(permissions, operation);
}

/** Asks the API again how the session stands. */
export function useReload(): () => Promise<api.Start> {
  const store = useSessionStore();
  return () => store.load();
}

/** Continues below the dialog in which somebody has signed in again. */
export function useResume(): () => Promise<api.Start> {
  const store = useSessionStore();
  return () => store.resume();
}

/** A right first proof: signed in, or a code is asked for. */
export type SignInAnswer = api.SignInWithEmailAnswer;

/** Signs in with a password. */
export function useSignIn() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (body: api.SignInWithEmailBody): Promise<SignInAnswer> =>
      (await tenantry.signInWithEmail({ body })).data,
  });
}

/** A code that completes a sign-in. */
export interface ChallengeCode {
  readonly challengeToken: string;
  readonly code: string;
}

/** Completes a sign-in with a code of the authenticator, or a backup code. */
export function useSecondFactor() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (body: ChallengeCode): Promise<void> => {
      const isBackup = !/^\d{6}$/.test(body.code);
      await (isBackup ? tenantry.verifyBackupCode({ body }) : tenantry.verifyTotp({ body }));
    },
  });
}

/** Makes the organization of this tab the active one again, after another tab has switched. */
export function useSwitchBack() {
  const [tenantry, reload, { start }] = [useTenantry(), useReload(), useSession()];
  return useMutation({
    mutationFn: async () => {
      const organizationId = start?.organization?.id;
      if (organizationId !== undefined) await tenantry.switchOrganization({ body: { organizationId } });
      await reload();
    },
  });
}

/** What every query key begins with: nothing that was read in one organization is shown in another. */
export function useScope(): string {
  const { start } = useSession();
  return start?.organization?.id ?? 'none';
}
