import { createRoot } from 'react-dom/client';
import './design/tokens.css';
import { Console } from './console.tsx';
import { loadAhead } from './router.tsx';
import { preferenceIn } from './design/preferences.ts';
import { KeptContext } from './design/kept.ts';
import { SessionStore } from './sessions/session-store.ts';
import { languageIn } from './shell/language-of.ts';

const kept = () => localStorage;

const languageOf = languageIn(kept, navigator.languages);

function main(): void {
  loadAhead(location.pathname, languageOf({ user: null }));
  const leave = (url: string) => location.assign(url);
  const session = new SessionStore({ origin: location.origin, leave });
  session.subscribe(() => {
    const { start } = session.getState();
    if (start) document.documentElement.lang = languageOf(start);
  });
  const followConnection = () => session.setOffline(!navigator.onLine);
  followConnection();
  addEventListener('online', followConnection);
  addEventListener('offline', followConnection);
  document.documentElement.dataset['theme'] = preferenceIn(kept, 'theme') ?? 'system';
  createRoot(document.getElementById('root') as HTMLElement).render(
    <KeptContext value={kept}>
      <Console {...{ session, languageOf, openAgain: leave }} draftStorage={sessionStorage} />
    </KeptContext>,
  );
}

main();
