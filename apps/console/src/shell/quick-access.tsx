import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { useWords } from '../design/language.ts';
import { useSwitchOrganization } from '../organizations/organizations.queries.ts';
import type { Command } from '../search/commands.ts';
import type { KeyAction } from '../search/keys.ts';
import { searchWords } from '../search/search.words.ts';
import { useKeys } from '../search/use-keys.ts';
import { useSingleKeys } from '../search/use-single-keys.ts';
import { useMay, useSignedIn } from '../sessions/sessions.queries.ts';
import { useSignOut } from '../sessions/sign-out.queries.ts';
import { destinations } from './destinations.ts';
import { useMayOpen } from './pages.queries.ts';
import styles from './quick-access.module.css';
import { shellWords } from './shell.words.ts';

const Palette = lazy(async () => ({ default: (await import('../search/palette.tsx')).Palette }));
const Help = lazy(async () => ({ default: (await import('../search/help.tsx')).Help }));

/** As keyboards name them in every language. */
const paletteKeys = 'Ctrl K';

/** Search, commands and their keys: a button, and the same from everywhere by Ctrl K. */
export function QuickAccess() {
  const words = useWords(searchWords);
  const button = useRef<HTMLButtonElement>(null);
  const [opened, open] = useState<'palette' | 'help'>();
  const [hasSingleKeys] = useSingleKeys();
  const router = useRouter();
  const mayOpen = useMayOpen();
  const commands = useCommands(() => open('help'));

  function onAction(action: KeyAction) {
    if (action.kind === 'go') void router.navigate({ to: action.path });
    else if (action.kind === 'help') open('help');
    else if (action.kind === 'palette' || !focusSearchOf(button.current)) open('palette');
  }

  useKeys(button, {
    hasSingleKeys,
    onAction,
    pathOf: (key) => destinations.find((each) => each.key === key && mayOpen(each.path))?.path,
  });
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => open('palette')}
      >
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
          <path
            d="M9 14.2A5.2 5.2 0 1 0 9 3.8a5.2 5.2 0 0 0 0 10.4ZM12.8 12.8 16.5 16.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinecap="round"
          />
        </svg>
        <span className={styles['label']}>{words.open}</span>
        <kbd className={styles['keys']} aria-hidden="true">
          {paletteKeys}
        </kbd>
      </button>
      <Suspense fallback={null}>
        {opened === 'palette' && <Palette commands={commands} onClose={() => open(undefined)} />}
        {opened === 'help' && <Help commands={commands} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  );
}

/** Puts the focus into the search of the page. @returns whether it has one */
function focusSearchOf(element: HTMLElement | null): boolean {
  const field = element?.ownerDocument.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return Boolean(field);
}

/** Everything that the reader may do from everywhere. */
function useCommands(openHelp: () => void): readonly Command[] {
  const { commands: words } = useWords(searchWords);
  const { navigation } = useWords(shellWords);
  const { organizations } = useSignedIn();
  const router = useRouter();
  const mayOpen = useMayOpen();
  const may = useMay();
  const change = useSwitchOrganization();
  const signOut = useSignOut();
  const pages = [
    ...destinations.map(({ path, name, key }) => ({ path, title: navigation.names[name], keys: `g ${key}` })),
    { path: '/quotes/new', title: words.newQuote },
    { path: '/organization/keys', title: words.serviceAccounts },
    { path: '/organization/access', title: words.domains },
    { path: '/organization/quotes', title: words.organizationQuotes },
    { path: '/organization/security', title: words.organizationSecurity },
    { path: '/organization/data', title: words.organizationData },
    { path: '/account', title: words.account },
    { path: '/account/security', title: words.accountSecurity },
    { path: '/account/activity', title: words.accountActivity },
    { path: '/organizations/new', title: words.newOrganization },
  ].filter(({ path }) => mayOpen(path));
  // An address of the leads' page, which readers who may not add one open as well.
  const newLead = may('createLead') ? [{ path: '/leads/new', title: words.newLead }] : [];
  return [
    ...[...pages, ...newLead].map(({ path, ...named }) => ({
      id: path,
      ...named,
      run: () => void router.navigate({ to: path }),
    })),
    ...organizations
      .filter(({ active, accessible }) => accessible && !active)
      .map(({ id, name }) => ({ id, title: words.switchTo(name), run: () => change.mutate(id) })),
    { id: 'keys', title: words.keys, run: openHelp },
    { id: 'sign-out', title: words.signOut, run: () => signOut.mutate() },
  ];
}
