import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { CardPage } from '../design/page.tsx';
import { sessionWords } from './sessions.words.ts';
import { useReload, useSession } from './sessions.queries.ts';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in; the router goes on from here once somebody is signed in. */
export function Page() {
  const words = useWords(sessionWords);
  const search: { readonly next?: string } = useSearch({ strict: false });
  const reload = useReload();
  const { start } = useSession();
  const [isCode, setCode] = useState(false);
  const [isCookieGone, setCookieGone] = useState(false);
  const goOn = async () => {
    const { status } = await reload();
    setCookieGone(status !== 'signed-in');
  };
  return (
    <CardPage title={isCode ? words.code.title : words.title}>
      {isCookieGone && (
        <Notice kind="problem">
          <h2>{words.cookies.title}</h2>
          <p>{words.cookies.text}</p>
          <p>{words.cookies.help}</p>
        </Notice>
      )}
      <SignInForm onChallenge={setCode} onSignedIn={() => void goOn()} />
      {!isCode && (
        <div className={styles['ways']}>
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
    </CardPage>
  );
}
