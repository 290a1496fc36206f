import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import { mayCall, type api } from '@tenantry/client';
import type { ComponentType } from 'react';
import type { Language } from './design/language.ts';
import { loadPart } from './design/load-part.ts';
import { unsavedWords } from './design/unsaved.words.ts';
import { failureWords, laterFailureWords } from './failures/failures.words.ts';
import { organizationWords } from './organizations/organizations.words.ts';
import { pageAt, pages, type PageEntry } from './pages.tsx';
import { parseSearch, stringifySearch } from './search-texts.ts';
import { searchWords } from './search/search.words.ts';
import { dialogWords } from './sessions/dialogs.words.ts';
import { safeNext } from './sessions/next.ts';
import type { SessionStore } from './sessions/session-store.ts';
import { sessionWords } from './sessions/sessions.words.ts';
import { App } from './shell/app.tsx';
import type { LanguageOf } from './shell/language-of.ts';
import { loadDialogs, loadHeader, loadOutOfReach } from './shell/load-header.ts';
import { shellWords } from './shell/shell.words.ts';
import { Forbidden, LoadingFailed, NotFound } from './shell/states.tsx';

/** What the way from addresses to pages depends on. */
export interface Surroundings {
  readonly session: SessionStore;
  readonly languageOf: LanguageOf;
  /** Opens an address as a new document: of a newer console, where this one's files are gone. */
  readonly openAgain: (href: string) => void;
  /** Where somebody is, and was; by default the browser's. */
  readonly history?: RouterHistory | undefined;
}

/** Makes the way from addresses to pages. */
export function createConsoleRouter({ history, ...surroundings }: Surroundings) {
  const { session, languageOf } = surroundings;
  const root = createRootRoute({
    component: () => <App languageOf={languageOf} />,
    notFoundComponent: NotFound,
    errorComponent: LoadingFailed,
    beforeLoad: async () => {
      const language = languageOf(await startOf(session));
      await Promise.all(wordsEverywhere.map((words) => words.load(language)));
    },
  });
  const opener = new PageOpener(surroundings);
  const routes = pages.map((entry) => {
    const route = createRoute({
      getParentRoute: () => root,
      path: entry.path,
      staticData: { operation: entry.operation },
      beforeLoad: async ({ location }) => judge(entry, await startOf(session), location),
      loader: ({ location }) => opener.open(entry, location.href),
      component: () => {
        const { Page }: PageModule = route.useLoaderData();
        return <Page />;
      },
    });
    return route;
  });
  return createRouter({
    routeTree: root.addChildren(routes),
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // A page that was loaded by pointing at its link is not loaded again by following it.
    defaultPreloadStaleTime: 30_000,
    scrollRestoration: true,
  });
}

/** What is said on every page. */
const wordsEverywhere = [failureWords, sessionWords];

/** What is said around the pages of somebody who is signed in. */
const wordsOfTheFrame = [
  laterFailureWords,
  dialogWords,
  organizationWords,
  searchWords,
  shellWords,
  unsavedWords,
];

/** Has on its way what a page will most likely need, while the API says how the session stands. */
export function loadAhead(path: string, language: Language): void {
  const entry = pageAt(path);
  const words = [...wordsEverywhere, ...(entry?.words ?? [])];
  // What fails here is asked for again by who needs it.
  void Promise.allSettled([entry && loadPart(entry.load), ...words.map((each) => each.load(language))]);
}

/** How the session stands; asked for once, and again where it could not be learnt. */
const startOf = (session: SessionStore): api.Start | Promise<api.Start> =>
  session.getState().start ?? session.load();

interface Asked {
  readonly href: string;
  readonly search: { readonly next?: unknown };
}

/** Sends somebody who is on the wrong side of the sign-in to where they can continue. */
function judge({ access }: PageEntry, { status }: api.Start, { href, search }: Asked): void {
  const isSignedIn = status === 'signed-in';
  if (access === 'signed-in' && !isSignedIn) {
    const next = href === '/' ? {} : { search: { next: href } };
    redirect({ to: '/sign-in', ...next, throw: true });
  }
  if (access === 'signed-out' && isSignedIn) {
    redirect({ href: safeNext(search.next), replace: true, throw: true });
  }
}

interface PageModule {
  readonly Page: ComponentType;
}

/** Loads pages as they are asked for. */
class PageOpener {
  readonly #surroundings: Surroundings;
  #hasOpened = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  async open(entry: PageEntry, href: string): Promise<PageModule> {
    const { session, openAgain } = this.#surroundings;
    const start = await startOf(session);
    if (start.status === 'signed-in' && !mayCall(start.permissions, entry.operation))
      return { Page: Forbidden };
    try {
      const page = await this.#load(entry, start);
      this.#hasOpened = true;
      return page;
    } catch (error) {
      if (session.getState().isOffline) return loadOutOfReach();
      // A newer console has replaced these files: as the first page of a document they would be gone for another reason.
      if (!this.#hasOpened) throw error;
      openAgain(href);
      return new Promise(() => undefined);
    }
  }

  async #load(entry: PageEntry, start: api.Start): Promise<PageModule> {
    const language = this.#surroundings.languageOf(start);
    const isSignedIn = start.status === 'signed-in';
    const words = isSignedIn ? [...entry.words, ...wordsOfTheFrame] : entry.words;
    const [page] = await Promise.all([
      loadPart(entry.load),
      isSignedIn && loadPart(loadHeader),
      isSignedIn && loadPart(loadDialogs),
      ...words.map((each) => each.load(language)),
    ]);
    return page;
  }
}
