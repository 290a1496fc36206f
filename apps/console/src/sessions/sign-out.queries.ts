import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unsaved } from '../design/unsaved.ts';
import { useSessionStore } from './sessions.queries.ts';

/** Ends the session, in all tabs of this browser, unless somebody stays for what they have not saved. */
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

/** Asks how the session stands where a browser shows a page again that it has kept aside: nothing was heard meanwhile. */
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
