import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { LanguageMenu } from '../design/language-menu.tsx';
import { loadPart } from '../design/load-part.ts';
import { Notice } from '../design/notice.tsx';
import { CardPage } from '../design/page.tsx';
import { sessionWords } from './sessions.words.ts';
import { useReload, useSession, useSessionStore } from './sessions.queries.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

const MailedForm = lazy(async () => ({
  default: (await loadPart(() => import('./ways/mailed-form.tsx'))).MailedForm,
}));

const OrganizationForm = lazy(async () => ({
  default: (await loadPart(() => import('./ways/organization-form.tsx'))).OrganizationForm,
}));

const OtherWays = lazy(async () => ({
  default: (await loadPart(() => import('./ways/other-ways.tsx'))).OtherWays,
}));

/** Signing in; the router continues from here once somebody is signed in. */
export function Page() {
  const words = useWords(sessionWords);
  const search: { readonly next?: string; readonly organization?: string } = useSearch({ strict: false });
  const reload = useReload();
  const { start } = useSession();
  const [isMailed, chooseMailed] = useMailedWay();
  const [isAtOrganization, setAtOrganization] = useState(search.organization !== undefined);
  const [isCode, setCode] = useState(false);
  const [isCookieGone, setCookieGone] = useState(false);
  const goOn = async () => {
    const { status } = await reload();
    setCookieGone(status !== 'signed-in');
  };
  const first = isAtOrganization ? OrganizationForm : isMailed ? MailedForm : undefined;
  return (
    <CardPage title={isCode ? words.code.title : words.title}>
      {isCookieGone && (
        <Notice kind="problem">
          <h2>{words.cookies.title}</h2>
          <p>{words.cookies.text}</p>
          <p>{words.cookies.help}</p>
        </Notice>
      )}
      <SignInForm onChallenge={setCode} onSignedIn={goOn} {...(first && { first })} />
      {!isCode && (
        <div className={styles['ways']}>
          {(start?.signIn.passkeys || start?.signIn.providers.length !== 0) && (
            <Suspense fallback={null}>
              <OtherWays onSignedIn={goOn} />
            </Suspense>
          )}
          {(isMailed || start?.signIn.mailed) && (
            <Button
              onClick={() => {
                setAtOrganization(false);
                chooseMailed(!isMailed);
              }}
            >
              {isMailed ? words.byPassword : words.byMail}
            </Button>
          )}
          <Button onClick={() => setAtOrganization(!isAtOrganization)}>
            {isAtOrganization ? words.byPassword : words.byOrganization}
          </Button>
          <Link to="/forgot-password">{words.forgot}</Link>
          {start?.signUp.emailVerificationRequired && <Link to="/verify-email">{words.resend}</Link>}
          {start?.signIn.signUp === 'open' && (
            <p>
              {words.noAccount}{' '}
              <Link to="/sign-up" search={search}>
                {words.signUp}
              </Link>
            </p>
          )}
        </div>
      )}
      <LanguageMenu />
    </CardPage>
  );
}

/** Whether somebody signs in by a letter: by choice, or because its link was opened. */
function useMailedWay() {
  const { hash } = useLocation();
  const { mailed } = useSession();
  const store = useSessionStore();
  const [isChosen, setChosen] = useState(false);
  const choose = (isMailed: boolean) => {
    setChosen(isMailed);
    if (!isMailed) store.keepMailed('/sign-in', undefined);
  };
  const isLink = hash.includes('token=') || mailed['/sign-in'] !== undefined;
  return [isChosen || isLink, choose] as const;
}
