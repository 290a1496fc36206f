import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useWords } from '../design/language.ts';
import { usePreference } from '../design/preferences.ts';
import { Reader } from '../design/reader.tsx';
import { Skeleton, UnreachedContext } from '../design/skeleton.tsx';
import { ToastStore } from '../design/toast-store.ts';
import { ToastsContext } from '../design/use-toasts.ts';
import { failureWords } from '../failures/failures.words.ts';
import { useSession } from '../sessions/sessions.queries.ts';
import styles from './app.module.css';
import type { LanguageOf } from './language-of.ts';
import { loadDialogs, loadHeader, loadToasts, loadUnconfirmed } from './load-header.ts';
import { useSettling } from './settling.ts';
import { shellWords } from './shell.words.ts';

const Header = lazy(loadHeader);
const SessionDialogs = lazy(loadDialogs);
const Unconfirmed = lazy(loadUnconfirmed);
const Toasts = lazy(loadToasts);

interface AppProps {
  readonly languageOf: LanguageOf;
}

/** What is around every page: the header of somebody who is signed in, and what is asked meanwhile. */
export function App({ languageOf }: AppProps) {
  const { start, isElsewhere } = useSession();
  const { isSettled, isArriving } = useSettling(start);
  // Read by `languageOf`: what is chosen anew is shown at once.
  usePreference('language');
  const [toasts] = useState(() => new ToastStore());
  if (!start) return null;
  const isFramed = start.status === 'signed-in' && !isArriving;
  const timeZone = start.user?.timeZone ?? undefined;
  return (
    <Reader language={languageOf(start)} timeZone={timeZone}>
      <ToastsContext value={toasts}>
        <Suspense fallback={null}>
          <Connection>
            <div className={isFramed ? styles['frame'] : undefined}>
              <Suspense fallback={<div className={styles['header']} />}>
                {isFramed && <Header key={start.organization?.id} />}
              </Suspense>
              <div className={isElsewhere ? styles['hidden'] : undefined} inert={isElsewhere}>
                <Suspense fallback={<div className={styles['unconfirmed']} />}>
                  {isFramed && !start.user.emailVerified && <Unconfirmed />}
                </Suspense>
                {isSettled ? <Outlet /> : <Opening />}
              </div>
            </div>
          </Connection>
          <Suspense fallback={null}>{isFramed && <SessionDialogs />}</Suspense>
          <Suspense fallback={null}>{isFramed && <DoneMessages />}</Suspense>
        </Suspense>
      </ToastsContext>
    </Reader>
  );
}

/** What was just done, and can be undone for a moment. */
function DoneMessages() {
  const { toasts: words } = useWords(shellWords);
  return <Toasts words={words} />;
}

/** Says above the pages, and in place of what they wait for, that there is no connection. */
function Connection({ children }: { readonly children: ReactNode }) {
  const { isOffline } = useSession();
  const words = useWords(failureWords);
  return (
    <UnreachedContext value={isOffline ? words.unreached : undefined}>
      <div role="status">{isOffline && <p className={styles['offline']}>{words.offline}</p>}</div>
      {children}
    </UnreachedContext>
  );
}

/** In place of a page that is about to open. */
function Opening() {
  const { loading } = useWords(failureWords);
  return (
    <div className={styles['opening']}>
      <Skeleton label={loading} />
    </div>
  );
}
