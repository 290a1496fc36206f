import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { CardPage } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useMailedToken } from '../sessions/mailed-token.queries.ts';
import { useSession } from '../sessions/sessions.queries.ts';
import { useResendVerification, useVerifyEmail } from './accounts.queries.ts';
import { recoveryWords } from './recovery.words.ts';

/**
 * Confirms an address by a mailed link, at the press of a button, since mail scanners open links. Without a link, it requests
 * another one.
 */
export function Page() {
  const { verify, ...words } = useWords(recoveryWords);
  const { start } = useSession();
  const { token, forget } = useMailedToken('/verify-email');
  const confirm = useVerifyEmail();
  const problem = useProblem(confirm.error);
  if (confirm.isSuccess) {
    const isSignedIn = start?.status === 'signed-in';
    const { email, needsPassword } = confirm.data;
    if (needsPassword) {
      return (
        <CardPage title={verify.doneTitle}>
          <p>{verify.doneElsewhere(email)}</p>
          <Link to="/reset-password">{verify.choosePassword}</Link>
        </CardPage>
      );
    }
    return (
      <CardPage title={verify.doneTitle}>
        <p>{verify.done(email)}</p>
        <Link to={isSignedIn ? '/' : '/sign-in'}>{isSignedIn ? words.goOn : words.signIn}</Link>
      </CardPage>
    );
  }
  if (token === undefined || problem?.code === 'INVALID_TOKEN') {
    return (
      <CardPage title={verify.resendTitle}>
        {confirm.error !== null && <Failure error={confirm.error} />}
        <ResendForm />
        <Link to="/sign-in">{words.signIn}</Link>
      </CardPage>
    );
  }
  return (
    <CardPage title={verify.title}>
      {confirm.error !== null && <Failure error={confirm.error} />}
      <p>{verify.about}</p>
      <Button
        kind="primary"
        isBusy={confirm.isPending}
        onClick={() => confirm.mutate(token, { onSuccess: forget })}
      >
        {verify.submit}
      </Button>
      {problem?.code === 'UNAUTHENTICATED' && (
        <p>
          {verify.signInFirst}{' '}
          <Link to="/sign-in" search={{ next: '/verify-email' }}>
            {words.signIn}
          </Link>
        </p>
      )}
    </CardPage>
  );
}

function ResendForm() {
  const { verify, ...words } = useWords(recoveryWords);
  const resend = useResendVerification();
  const problem = useProblem(resend.error);
  return (
    <Form sends={resend} onSubmit={({ text }) => resend.mutate(text('email'))}>
      {resend.error !== null && <Failure error={resend.error} />}
      {resend.isSuccess && <Notice kind="success">{verify.resent(shownEmail(resend.data))}</Notice>}
      <p>{verify.resend}</p>
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        label={words.email}
        error={problem?.fields['email']}
      />
      <Button type="submit" kind="primary" isBusy={resend.isPending}>
        {verify.resendSubmit}
      </Button>
    </Form>
  );
}
