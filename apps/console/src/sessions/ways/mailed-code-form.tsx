import { shownEmail } from '@tenantry/text';
import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { PlainForm } from '../../design/plain-form.tsx';
import { useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Failure, useProblem } from '../../failures/failure.tsx';
import { useRequestMailed, useVerifyMailed, type MailedRequest } from './mailed-sign-in.queries.ts';
import { mailedWords } from './mailed.words.ts';
import { sessionWords } from '../sessions.words.ts';
import type { FirstFormProps } from '../sign-in-form.tsx';

interface MailedCodeFormProps {
  readonly request: MailedRequest;
  readonly onAnswer: FirstFormProps['onAnswer'];
  readonly onResent: (request: MailedRequest) => void;
  readonly onStartOver: () => void;
}

/** The code of a letter, typed where the letter was asked for. */
export function MailedCodeForm({ request, onAnswer, onResent, onStartOver }: MailedCodeFormProps) {
  const words = useWords(mailedWords);
  const { signIn } = useWords(sessionWords);
  const verify = useVerifyMailed();
  const resend = useRequestMailed();
  const problem = useProblem(verify.error);
  const left = useSecondsLeft(request.expiresAt);
  const { email } = request;
  const isWrong = problem?.code === 'INVALID_CODE';
  const sendAgain = () => {
    verify.reset();
    if (email !== undefined) resend.mutate(email, { onSuccess: onResent });
  };
  return (
    <PlainForm
      refusal={verify.error}
      onSubmit={({ code }) => {
        verify.mutate({ requestId: request.id, code: code('code') }, { onSuccess: onAnswer });
      }}
    >
      {isWrong && <Notice kind="problem">{words.wrong}</Notice>}
      {verify.error !== null && !isWrong && <Failure error={verify.error} />}
      {resend.error !== null && <Failure error={resend.error} />}
      {resend.isSuccess && <Notice kind="success">{words.sentAgain}</Notice>}
      <p>{email === undefined ? words.sentThere : words.sent(shownEmail(email))}</p>
      <TextField
        name="code"
        label={words.label}
        hint={`${words.hint} ${left > 0 ? words.left(left) : words.over}`}
        error={problem?.fields['code']}
        isWrong={isWrong}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
      />
      <Button type="submit" kind="primary" isBusy={verify.isPending}>
        {signIn}
      </Button>
      {email !== undefined && (
        <Button isBusy={resend.isPending} onClick={sendAgain}>
          {words.resend}
        </Button>
      )}
      <Button kind="plain" onClick={onStartOver}>
        {words.otherAddress}
      </Button>
    </PlainForm>
  );
}

/** Seconds until a moment, counted down; by the clock of the browser, so nothing is refused for it. */
function useSecondsLeft(until: string): number {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const update = () => setLeft(secondsUntil(until));
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

const secondsUntil = (moment: string): number =>
  Math.max(0, Math.ceil((Date.parse(moment) - Date.now()) / 1_000));
