import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useWords } from '../design/language.ts';
import { Page } from '../design/page.tsx';
import { useSession } from '../sessions/sessions.queries.ts';
import { shellWords } from './shell.words.ts';

/** A page whose files cannot be loaded without a connection: it opens by itself once there is one. */
export function OutOfReach() {
  const { outOfReach: words } = useWords(shellWords);
  const { isOffline } = useSession();
  const router = useRouter();
  useEffect(() => {
    if (!isOffline) void router.invalidate();
  }, [isOffline, router]);
  return (
    <Page title={words.title}>
      <p>{words.text}</p>
    </Page>
  );
}
