import type { api } from '@tenantry/client';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSecondFactor } from './sessions.queries.ts';
import { sessionWords } from './sessions.words.ts';
import { useNextCode } from './use-next-code.ts';
import { useKnowsPasskeys, useVerifyPasskey } from './ways/passkeys.queries.ts';
import { waysWords } from './ways/ways.words.ts';

interface SecondFactorFormProps {
  readonly challenge: api.Challenge;
  readonly onStartOver: () => void;
  readonly onSignedIn: () => unknown;
}

/** The second factor of a sign-in: a code, or a passkey where the account has one. */
export function SecondFactorForm({ challenge, onStartOver, onSignedIn }: SecondFactorFormProps) {
  const { label } = useWords(sessionWords).code;
  const { code: words } = useWords(waysWords);
  const { token: challengeToken, methods } = challenge;
  const verify = useSecondFactor();
  const problem = useProblem(verify.error);
  const nextSeconds = useNextCode(verify.error);
  const hasPasskey = useKnowsPasskeys() && methods.includes('passkey');
  return (
    <PlainForm
      refusal={verify.error}
      onSubmit={({ code }) => {
        verify.mutate({ challengeToken, code: code('code') }, { onSuccess: onSignedIn });
      }}
    >
      {hasPasskey && <PasskeyFactor challengeToken={challengeToken} onSignedIn={onSignedIn} />}
      {verify.error !== null && <Failure error={verify.error} />}
      <TextField
        name="code"
        label={label}
        hint={nextSeconds === undefined ? words.hint : words.next(nextSeconds)}
        error={problem?.fields['code']}
        isWrong={problem?.code === 'INVALID_CODE'}
        autoComplete="one-time-code"
        inputMode="text"
        spellCheck={false}
        autoFocus={!hasPasskey}
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
    </PlainForm>
  );
}

interface PasskeyFactorProps {
  readonly challengeToken: string;
  readonly onSignedIn: () => unknown;
}

function PasskeyFactor({ challengeToken, onSignedIn }: PasskeyFactorProps) {
  const words = useWords(waysWords);
  const verify = useVerifyPasskey(challengeToken);
  return (
    <>
      {verify.error !== null && <Failure error={verify.error} />}
      <Button
        autoFocus
        isBusy={verify.isPending}
        onClick={() => verify.mutate(undefined, { onSuccess: (isDone) => isDone && onSignedIn() })}
      >
        {words.usePasskey}
      </Button>
    </>
  );
}
