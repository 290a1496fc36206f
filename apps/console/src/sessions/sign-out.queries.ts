import { useMutation } from '@tanstack/react-query';
import { unsaved } from '../design/unsaved.ts';
import { useSessionStore } from './sessions.queries.ts';

/** Ends the session, in all tabs of this browser, unless somebody stays for what they have not saved. */
export function useSignOut() {
  const store = useSessionStore();
  return useMutation({
    mutationFn: async () => {
      if (!(await unsaved.mayLeave('session'))) return;
      await store.tenantry.signOut();
      await store.leaveSession();
    },
  });
}
