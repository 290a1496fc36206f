import type { SignInMethod } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { useSessionStore } from '../sessions.queries.ts';
import { sessionWords } from '../sessions.words.ts';
import { SignInForm } from '../sign-in-form.tsx';
import { MailedForm } from './mailed-form.tsx';
import { OtherWays } from './other-ways.tsx';

interface SignInAgainProps {
  readonly email: string;
  readonly methods: readonly SignInMethod[];
  readonly onSignedIn: () => void;
}

/** Signing in again by one of these ways, in a dialog: the page below it stays, unless it was somebody else. */
export function SignInAgain({ email, methods, onSignedIn }: SignInAgainProps) {
  const words = useWords(sessionWords);
  const isTyped = methods.includes('password');
  const [isMailed, setMailed] = useState(!isTyped);
  const { tenantry, leave } = useSessionStore();
  const goOn = async () => {
    const { user } = (await tenantry.getStart()).data;
    if (user?.email === email) onSignedIn();
    else leave('/');
  };
  const signedIn = () => void goOn();
  const canBeMailed = methods.includes('mailed');
  return (
    <>
      {(isTyped || canBeMailed) && (
        <SignInForm email={email} onSignedIn={signedIn} {...(isMailed && { first: MailedForm })} />
      )}
      {isTyped && canBeMailed && (
        <Button onClick={() => setMailed(!isMailed)}>{isMailed ? words.byPassword : words.byMail}</Button>
      )}
      <OtherWays methods={methods} onSignedIn={signedIn} />
    </>
  );
}
