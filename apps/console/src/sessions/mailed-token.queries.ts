import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { fieldIn, tokenIn } from './mailed-token.ts';
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

/** What a provider brought to the page that it leads back to. */
export interface Returned {
  readonly ticket: string | undefined;
  /** Why it brought none. */
  readonly error: string | undefined;
}

/** Takes what a provider brought out of the address bar, as {@link useMailedToken} does. */
export function useReturned(): Returned {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [returned] = useState(() => ({ ticket: fieldIn(hash, 'ticket'), error: fieldIn(hash, 'error') }));
  useEffect(() => {
    if (hash !== '') void navigate({ to: '/sign-in/return', search: true, hash: '', replace: true });
  }, [navigate, hash]);
  return returned;
}
