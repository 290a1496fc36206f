import { Suspense, useState, type ComponentType } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Failure, useTold } from '../failures/failure.tsx';
import { useSecondFactor, useSignIn, type SignInAnswer } from './sessions.queries.ts';
import { sessionWords } from './sessions.words.ts';
import { useNextCode } from './use-next-code.ts';

interface SignInFormProps {
  /** Who signs in again; anyone where nobody is named. */
  readonly email?: string;
  /** The first proof was right, and a code is asked for; undefined when it starts over. */
  readonly onChallenge?: (isAsked: boolean) => void;
  readonly onSignedIn: () => void;
  /** What is asked for first: the password, where nothing else is named. */
  readonly first?: ComponentType<FirstFormProps>;
}

/** What a form gets that asks for the first proof. */
export interface FirstFormProps {
  readonly email: string | undefined;
  readonly onAnswer: (answer: SignInAnswer) => void;
}

/** Signing in: the first proof, then, in the same place, a code where the account has a second factor. */
export function SignInForm({
  email,
  onChallenge,
  onSignedIn,
  first: FirstForm = PasswordForm,
}: SignInFormProps) {
  const [challengeToken, setChallenge] = useState<string>();
  if (challengeToken !== undefined) {
    const startOver = () => {
      setChallenge(undefined);
      onChallenge?.(false);
    };
    return <CodeForm challengeToken={challengeToken} onStartOver={startOver} onSignedIn={onSignedIn} />;
  }
  const goOn = (answer: SignInAnswer) => {
    if ('challenge' in answer) {
      setChallenge(answer.challenge.token);
      onChallenge?.(true);
    } else onSignedIn();
  };
  return (
    <Suspense fallback={null}>
      <FirstForm email={email} onAnswer={goOn} />
    </Suspense>
  );
}

function PasswordForm({ email, onAnswer }: FirstFormProps) {
  const words = useWords(sessionWords);
  const signIn = useSignIn();
  const told = useTold(signIn.error);
  return (
    <Form
      refusal={signIn.error}
      onSubmit={({ text }) => {
        signIn.mutate({ email: email ?? text('email'), password: text('password') }, { onSuccess: onAnswer });
      }}
    >
      {signIn.error !== null && <Failure error={signIn.error} />}
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        label={words.email}
        error={told?.fields['email']}
        {...(email === undefined ? { autoFocus: true } : { value: email, readOnly: true })}
      />
      <PasswordField
        name="password"
        autoComplete="current-password"
        label={words.password}
        words={words}
        error={told?.fields['password']}
        isWrong={told?.code === 'INVALID_CREDENTIALS'}
        autoFocus={email !== undefined}
      />
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        {words.signIn}
      </Button>
    </Form>
  );
}

interface CodeFormProps {
  readonly challengeToken: string;
  readonly onStartOver: () => void;
  readonly onSignedIn: () => void;
}

function CodeForm({ challengeToken, onStartOver, onSignedIn }: CodeFormProps) {
  const { code: words } = useWords(sessionWords);
  const verify = useSecondFactor();
  const told = useTold(verify.error);
  const nextSeconds = useNextCode(verify.error);
  return (
    <Form
      refusal={verify.error}
      onSubmit={({ code }) => {
        verify.mutate({ challengeToken, code: code('code') }, { onSuccess: onSignedIn });
      }}
    >
      {verify.error !== null && <Failure error={verify.error} />}
      <TextField
        name="code"
        label={words.label}
        hint={nextSeconds === undefined ? words.hint : words.next(nextSeconds)}
        error={told?.fields['code']}
        isWrong={told?.code === 'INVALID_CODE'}
        autoComplete="one-time-code"
        inputMode="text"
        spellCheck={false}
        autoFocus
      />
      <Button type="submit" kind="primary" isBusy={verify.isPending}>
        {words.submit}
      </Button>
      <details>
        <summary>{words.lost}</summary>
        <p>{words.lostHelp}</p>
      </details>
      <Button kind="plain" onClick={onStartOver}>
        {words.back}
      </Button>
    </Form>
  );
}
