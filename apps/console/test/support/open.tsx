import { createMemoryHistory } from '@tanstack/react-router';
import { expect, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-react';
import { Console } from '../../src/console.tsx';
import type { Language } from '../../src/design/language.ts';
import '../../src/design/tokens.css';
import { SessionStore } from '../../src/sessions/session-store.ts';
import type { FakeApi } from './fake-api.ts';

interface OpenOptions {
  readonly language?: Language;
}

/** Opens an address of the console in the page of the test. */
export async function open(href: string, api: FakeApi, { language = 'en' }: OpenOptions = {}) {
  onTestFinished(() => expect(api.unexpected).toEqual([]));
  const session = new SessionStore({ fetch: api.fetch });
  const history = createMemoryHistory({ initialEntries: [href] });
  const documents: string[] = [];
  const surroundings = { session, history, languageOf: () => language };
  await render(<Console {...surroundings} openAgain={(address) => documents.push(address)} />);
  return {
    session,
    /** Where somebody is. */
    address: () => history.location.href,
    /** The addresses that were opened as new documents. */
    documents,
  };
}
