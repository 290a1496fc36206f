import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { LanguageMenu } from '../design/language-menu.tsx';
import { loadPart } from '../design/load-part.ts';
import { CardPage } from '../design/page.tsx';
import { sessionWords } from './sessions.words.ts';
import { useReload, useSession, useSessionStore } from './sessions.queries.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import type { GivenAddress } from './ways/providers.queries.ts';

const MailedForm = lazy(async () => ({
  default: (await loadPart(() => import('./ways/mailed-form.tsx'))).MailedForm,
}));

const AddressStep = lazy(async () => ({
  default: (await loadPart(() => import('./ways/address-step.tsx'))).AddressStep,
}));

const OtherWays = lazy(async () => ({
  default: (await loadPart(() => import('./ways/other-ways.tsx'))).OtherWays,
}));

const CookieGone = lazy(async () => ({
  default: (await loadPart(() => import('./cookie-gone.tsx'))).CookieGone,
}));

/**
 * Signing in; the router continues from here once somebody is signed in. Where an organization signs people in, the address comes
 * first, and then what its domain has.
 */
export function Page() {
  const words = useWords(sessionWords);
  const search: { readonly next?: string; readonly organization?: string } = useSearch({ strict: false });
  const reload = useReload();
  const { start } = useSession();
  const [isMailed, chooseMailed] = useMailedWay();
  const [given, setGiven] = useState<GivenAddress>();
  const [isAsked, setAsked] = useState(search.organization !== undefined || start?.signIn.singleSignOn);
  const [isCode, setCode] = useState(false);
  const [isCookieGone, setCookieGone] = useState(false);
  const goOn = async () => {
    const { status } = await reload();
    setCookieGone(status !== 'signed-in');
  };
  const take = (address: GivenAddress) => {
    setGiven(address);
    setAsked(false);
  };
  return (
    <CardPage title={isCode ? words.code.title : words.title}>
      <Suspense fallback={null}>
        {isCookieGone && <CookieGone />}
        {isAsked && !isMailed ? (
          <AddressStep given={given} onGiven={take} />
        ) : (
          <SignInForm
            email={given?.email}
            way={given && <AddressStep given={given} onOther={() => setAsked(true)} />}
            isSecond={given?.isOfOrganization}
            onChallenge={setCode}
            onSignedIn={goOn}
            {...(isMailed && { first: MailedForm })}
          />
        )}
      </Suspense>
      {!isCode && (
        <div className={styles['ways']}>
          {(start?.signIn.passkeys || start?.signIn.providers.length !== 0) && (
            <Suspense fallback={null}>
              <OtherWays onSignedIn={goOn} />
            </Suspense>
          )}
          {(isMailed || start?.signIn.mailed) && (
            <Button onClick={() => chooseMailed(!isMailed)}>
              {isMailed ? words.byPassword : words.byMail}
            </Button>
          )}
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
