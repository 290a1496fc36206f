import { useEffect } from 'react';
import { useMutation } from '../design/use-mutation.ts';
import { unsaved } from '../design/unsaved.ts';
import { useSessionStore } from './sessions.queries.ts';

/** Ends the session, in all tabs of this browser, unless the user stays because of unsaved changes. */
export function useSignOut() {
  const store = useSessionStore();
  return useMutation({
    mutationFn: async () => {
      if (!(await unsaved.mayLeave('session'))) return;
      await store.tenantry.signOut();
      await store.loadOrLeave();
    },
  });
}

/** Checks the session when the browser restores a page from its back/forward cache, since it received no events meanwhile. */
export function useSessionOfRestored(): void {
  const store = useSessionStore();
  useEffect(() => {
    const ask = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void store.load().catch(() => undefined);
    };
    addEventListener('pageshow', ask);
    return () => removeEventListener('pageshow', ask);
  }, [store]);
}
