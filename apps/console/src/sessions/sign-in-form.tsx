import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { loadPart } from '../design/load-part.ts';
import { useSignIn, type SignInAnswer } from './sessions.queries.ts';
import { sessionWords } from './sessions.words.ts';

const SecondFactorForm = lazy(async () => ({
  default: (await loadPart(() => import('./second-factor-form.tsx'))).SecondFactorForm,
}));

interface SignInFormProps {
  /** The address of the user who signs in again; any user if omitted. */
  readonly email?: string | undefined;
  /** What stands between the address and the password. */
  readonly way?: ReactNode;
  /** Whether that is another way, which goes before the password. */
  readonly isSecond?: boolean | undefined;
  /** Called with true when a second factor is required, with false when the sign-in starts over. */
  readonly onChallenge?: (isAsked: boolean) => void;
  /** The sign-in goes on until a promise that it returns has resolved. */
  readonly onSignedIn: () => unknown;
  /** The form of the first proof; default: the password. */
  readonly first?: ComponentType<FirstFormProps>;
}

/** What a form gets that asks for the first proof. */
export interface FirstFormProps {
  readonly email: string | undefined;
  readonly way: ReactNode;
  readonly isSecond: boolean;
  readonly onAnswer: (answer: SignInAnswer) => unknown;
}

/** Sign-in: the first proof, then, in the same place, the second factor if the account has one. */
export function SignInForm({
  email,
  way,
  isSecond = false,
  onChallenge,
  onSignedIn,
  first: FirstForm = PasswordForm,
}: SignInFormProps) {
  const [challenge, setChallenge] = useState<api.Challenge>();
  if (challenge) {
    const startOver = () => {
      setChallenge(undefined);
      onChallenge?.(false);
    };
    return (
      <Suspense fallback={null}>
        <SecondFactorForm challenge={challenge} onStartOver={startOver} onSignedIn={onSignedIn} />
      </Suspense>
    );
  }
  const goOn = (answer: SignInAnswer) => {
    if (!('challenge' in answer)) return onSignedIn();
    setChallenge(answer.challenge);
    return onChallenge?.(true);
  };
  return (
    <Suspense fallback={null}>
      <FirstForm {...{ email, way, isSecond }} onAnswer={goOn} />
    </Suspense>
  );
}

function PasswordForm({ email, way, isSecond, onAnswer }: FirstFormProps) {
  const words = useWords(sessionWords);
  const signIn = useSignIn();
  const problem = useProblem(signIn.error);
  return (
    <PlainForm
      refusal={signIn.error}
      onSubmit={({ text }) => {
        signIn.mutate({ email: email ?? text('email'), password: text('password') }, { onSuccess: onAnswer });
      }}
    >
      {signIn.error !== null && <Failure error={signIn.error} />}
      <TextField
        name="email"
        type="email"
        autoComplete="username webauthn"
        label={words.email}
        error={problem?.fields['email']}
        {...(email === undefined ? { autoFocus: true } : { value: shownEmail(email), readOnly: true })}
      />
      {way}
      <PasswordField
        name="password"
        autoComplete="current-password"
        label={words.password}
        words={words}
        error={problem?.fields['password']}
        isWrong={problem?.code === 'INVALID_CREDENTIALS'}
        autoFocus={email !== undefined && !isSecond}
      />
      <Button type="submit" kind={isSecond ? 'secondary' : 'primary'} isBusy={signIn.isPending}>
        {words.signIn}
      </Button>
    </PlainForm>
  );
}
