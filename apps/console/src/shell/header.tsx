import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { useEffect, useRef } from 'react';
import { Leaving } from '../design/leaving.tsx';
import { useWords } from '../design/language.ts';
import { Menu, MenuEntry, useMenuLink } from '../design/menu.tsx';
import { keepFocusNear } from '../design/near-focus.ts';
import { useVisited } from '../design/visited.ts';
import '../design/fields.css';
import '../design/print.css';
import '../design/touch.css';
import { Failure } from '../failures/failure.tsx';
import { keepLatest } from '../kept-queries.ts';
import { OrganizationMenu } from '../organizations/organization-menu.tsx';
import { followReturn } from '../returning.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useSessionOfRestored, useSignOut } from '../sessions/sign-out.queries.ts';
import styles from './header.module.css';
import { Navigation } from './navigation.tsx';
import { useMayOpen } from './pages.queries.ts';
import { QuickAccess } from './quick-access.tsx';
import { shellWords } from './shell.words.ts';
import { ThemeChoice } from './theme-choice.tsx';

export { Unconfirmed } from './unconfirmed.tsx';
export { OutOfReach } from './out-of-reach.tsx';

/** Above every page, beside it where there is room: which organization it is about, where to go, and who is signed in. */
export function Header() {
  const words = useWords(shellWords);
  const cache = useQueryClient().getQueryCache();
  useEffect(() => keepLatest(cache), [cache]);
  useEffect(() => followReturn(cache), [cache]);
  const header = useRef<HTMLElement>(null);
  useEffect(() => (header.current ? keepFocusNear(header.current.ownerDocument) : undefined), []);
  useVisited(header);
  useSessionOfRestored();
  return (
    <header ref={header} className={styles['header']}>
      <a href="#page" className={styles['skip']}>
        {words.skip}
      </a>
      <Link to="/" className={styles['brand']}>
        Tenantry
      </Link>
      <OrganizationMenu />
      <QuickAccess />
      <Navigation />
      <UserMenu />
      <Leaving />
    </header>
  );
}

function UserMenu() {
  const words = useWords(shellWords);
  const { user } = useSignedIn();
  const mayOpen = useMayOpen();
  const signOut = useSignOut();
  return (
    <div className={styles['user']}>
      <Menu
        label={words.menu(user.name)}
        side="end"
        button={
          <>
            <span className={styles['initials']} data-initials={initialsOf(user.name)} aria-hidden="true" />
            <span className={styles['called']}>{user.name}</span>
          </>
        }
        head={
          <>
            <div>
              <p className={styles['name']}>{user.name}</p>
              <p className={styles['email']}>{shownEmail(user.email)}</p>
            </div>
            {signOut.error !== null && <Failure error={signOut.error} />}
          </>
        }
      >
        {mayOpen('/account') && <AccountLink />}
        <ThemeChoice />
        <MenuEntry isBusy={signOut.isPending} stays onChoose={() => signOut.mutate()}>
          {words.signOut}
        </MenuEntry>
      </Menu>
    </div>
  );
}

function AccountLink() {
  const words = useWords(shellWords);
  return (
    <Link to="/account" {...useMenuLink()}>
      {words.account}
    </Link>
  );
}

/** Of the first and the last of somebody's names. */
function initialsOf(name: string): string {
  const names = name.split(/\s+/).filter((part) => part !== '');
  const shown = names.length > 1 ? [names.at(0), names.at(-1)] : names;
  return shown.map((part = '') => Array.from(part)[0]?.toUpperCase() ?? '').join('');
}
