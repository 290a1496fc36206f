import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { tokenIn } from './mailed-token.ts';
import { useSession, useSessionStore } from './sessions.queries.ts';

/** What a mailed link brought to a page. */
export interface MailedToken {
  /** Undefined where the page was opened without one. */
  readonly token: string | undefined;
  /** Forgets it: it was used. */
  readonly forget: () => void;
}

/**
 * Takes the token of a mailed link out of the address bar, where it could be read by who looks over a shoulder, and keeps it
 * in memory alone.
 *
 * @param page the path of the page that takes it
 */
export function useMailedToken(
  page: '/sign-in' | '/verify-email' | '/reset-password' | '/accept-invitation',
): MailedToken {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const store = useSessionStore();
  const { mailed } = useSession();
  const arrived = tokenIn(hash);
  useEffect(() => {
    if (arrived === undefined) return;
    store.keepMailed(page, arrived);
    void navigate({ to: page, search: true, hash: '', replace: true });
  }, [store, navigate, page, arrived]);
  return { token: arrived ?? mailed[page], forget: () => store.keepMailed(page, undefined) };
}
