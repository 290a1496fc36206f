import { createMemoryHistory } from '@tanstack/react-router';
import { expect, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-react';
import { Console } from '../../src/console.tsx';
import { KeptContext, type Kept } from '../../src/design/kept.ts';
import type { Language } from '../../src/design/language.ts';
import { languageIn } from '../../src/shell/language-of.ts';
import '../../src/design/tokens.css';
import { SessionStore } from '../../src/sessions/session-store.ts';
import type { FakeApi } from './fake-api.ts';

interface OpenOptions {
  readonly language?: Language;
  readonly origin?: string;
  /** What somebody chose in this browser. */
  readonly kept?: () => Kept | undefined;
}

/** Opens an address of the console in the page of the test. */
export async function open(href: string, api: FakeApi, options: OpenOptions = {}) {
  const { language = 'en', origin = 'https://app.example.com', kept = () => undefined } = options;
  onTestFinished(() => expect(api.unexpected).toEqual([]));
  const documents: string[] = [];
  const leave = (address: string) => documents.push(address);
  const session = new SessionStore({ fetch: api.fetch, origin, leave });
  const history = createMemoryHistory({ initialEntries: [href] });
  const surroundings = { session, history, languageOf: languageIn(kept, [language]) };
  const { unmount } = await render(
    <KeptContext value={kept}>
      <Console {...surroundings} openAgain={leave} />
    </KeptContext>,
  );
  return {
    session,
    /** Where somebody is. */
    address: () => history.location.href,
    back: () => history.back(),
    /** Calls once the address has changed, and before the page has. */
    onceMoved: (call: () => void) => {
      const stop = history.subscribe(() => {
        stop();
        call();
      });
    },
    /** The addresses that were opened as new documents. */
    documents,
    /** Closes the page. */
    leave: () => unmount(),
  };
}
