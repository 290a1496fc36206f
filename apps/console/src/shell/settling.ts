import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { use, useEffect, useState } from 'react';
import { DraftsContext } from '../design/drafts.ts';
import type { SessionState } from '../sessions/session-store.ts';
import { useSessionStore } from '../sessions/sessions.queries.ts';

/** The user and organization of the current page. */
interface Standing {
  readonly user: string | undefined;
  readonly organization: string | undefined;
}

const standingOf = (start: api.Start | undefined): Standing => ({
  user: start?.user?.id,
  organization: start?.organization?.id,
});

const isSame = (one: Standing, other: Standing): boolean =>
  one.user === other.user && one.organization === other.organization;

/** Whether the page belongs to the current user and organization. */
export interface Settling {
  readonly isSettled: boolean;
  /** A user has just signed in, and their first page has not loaded yet. */
  readonly isArriving: boolean;
}

/** Where a user without a session goes: to their invitation, if they have one. */
const afterSignOut = ({ mailed }: SessionState) =>
  mailed['/accept-invitation'] === undefined ? '/sign-in' : '/accept-invitation';

/**
 * Leaves a page when somebody signs in or out, or changes organization: nothing that was read before is shown after.
 */
export function useSettling(start: api.Start | undefined): Settling {
  const session = useSessionStore();
  const router = useRouter();
  const queries = useQueryClient();
  const drafts = use(DraftsContext);
  const [settled, settle] = useState(() => standingOf(start));
  const { user, organization } = standingOf(start);
  useEffect(() => {
    const standing = { user, organization };
    if (isSame(settled, standing)) return;
    async function leave() {
      // The user's input must not be shown to the next user.
      if (user !== settled.user && settled.user !== undefined) drafts.clear();
      if (user === undefined)
        await router.navigate({ to: afterSignOut(session.getState()), ignoreBlocker: true });
      else if (settled.user !== undefined) await router.navigate({ to: '/', ignoreBlocker: true });
      await router.invalidate({ sync: true });
      // By now no page uses any of them.
      queries.removeQueries({ type: 'inactive' });
      settle(standing);
    }
    void leave();
  }, [router, queries, drafts, session, settled, user, organization]);
  return {
    isSettled: isSame(settled, { user, organization }),
    isArriving: user !== undefined && !settled.user,
  };
}
