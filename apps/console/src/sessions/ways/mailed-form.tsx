import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { PlainForm } from '../../design/plain-form.tsx';
import { useWords } from '../../design/language.ts';
import { Failure, useProblem } from '../../failures/failure.tsx';
import { MailedCodeForm } from './mailed-code-form.tsx';
import { useRequestMailed, useVerifyMailed, type MailedRequest } from './mailed-sign-in.queries.ts';
import { useMailedToken } from '../mailed-token.queries.ts';
import { mailedWords } from './mailed.words.ts';
import { sessionWords } from '../sessions.words.ts';
import type { FirstFormProps } from '../sign-in-form.tsx';

/**
 * Signing in by a letter: by its link, at the press of a button, since programs that look through mail open links; or by its
 * code, on the page that asked for it.
 */
export function MailedForm({ email, onAnswer }: Pick<FirstFormProps, 'email' | 'onAnswer'>) {
  const words = useWords(mailedWords);
  const { signIn } = useWords(sessionWords);
  const { token, forget } = useMailedToken('/sign-in');
  const [request, setRequest] = useState<MailedRequest>();
  const verify = useVerifyMailed();
  const problem = useProblem(verify.error);
  if (request) {
    const startOver = () => setRequest(undefined);
    return <MailedCodeForm {...{ request, onAnswer }} onResent={setRequest} onStartOver={startOver} />;
  }
  if (token === undefined || problem?.code === 'INVALID_TOKEN') {
    return (
      <>
        {verify.error !== null && <Failure error={verify.error} />}
        <RequestForm email={email} onSent={setRequest} />
      </>
    );
  }
  const goOn = () => {
    verify.mutate(
      { token },
      {
        onSuccess(answer) {
          const goingOn = onAnswer(answer);
          forget();
          return goingOn;
        },
      },
    );
  };
  return (
    <>
      {verify.error !== null && <Failure error={verify.error} />}
      <p>{words.link}</p>
      <Button kind="primary" isBusy={verify.isPending} onClick={goOn}>
        {signIn}
      </Button>
    </>
  );
}

interface RequestFormProps {
  readonly email: string | undefined;
  readonly onSent: (request: MailedRequest) => void;
}

function RequestForm({ email, onSent }: RequestFormProps) {
  const words = useWords(mailedWords);
  const session = useWords(sessionWords);
  const send = useRequestMailed();
  const problem = useProblem(send.error);
  return (
    <PlainForm
      refusal={send.error}
      onSubmit={({ text }) => send.mutate(text('email'), { onSuccess: onSent })}
    >
      {send.error !== null && <Failure error={send.error} />}
      <p>{words.about}</p>
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        label={session.email}
        error={problem?.fields['email']}
        defaultValue={email && shownEmail(email)}
        autoFocus
      />
      <Button type="submit" kind="primary" isBusy={send.isPending}>
        {words.send}
      </Button>
    </PlainForm>
  );
}
