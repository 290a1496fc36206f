import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { PasswordField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { CardPage } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useMailedToken } from '../sessions/mailed-token.queries.ts';
import { useSession } from '../sessions/sessions.queries.ts';
import { useResetPassword } from './accounts.queries.ts';
import { recoveryWords } from './recovery.words.ts';

/** Choosing a new password by a mailed link. */
export function Page() {
  const { reset, ...words } = useWords(recoveryWords);
  const { token, forget } = useMailedToken('/reset-password');
  const change = useResetPassword();
  if (change.isSuccess) {
    return (
      <CardPage title={reset.doneTitle}>
        <p>{reset.done}</p>
        <Link to="/sign-in">{words.signIn}</Link>
      </CardPage>
    );
  }
  if (token === undefined) {
    return (
      <CardPage title={reset.title}>
        <p>{reset.noToken}</p>
        <Link to="/forgot-password">{reset.ask}</Link>
      </CardPage>
    );
  }
  return (
    <CardPage title={reset.title}>
      <p>{reset.about}</p>
      <NewPasswordForm
        change={change}
        onPassword={(newPassword) => change.mutate({ token, newPassword }, { onSuccess: forget })}
      />
    </CardPage>
  );
}

interface NewPasswordFormProps {
  readonly change: ReturnType<typeof useResetPassword>;
  readonly onPassword: (password: string) => void;
}

function NewPasswordForm({ change, onPassword }: NewPasswordFormProps) {
  const { reset, ...words } = useWords(recoveryWords);
  const { start } = useSession();
  const problem = useProblem(change.error);
  return (
    <Form sends={change} onSubmit={({ text }) => onPassword(text('newPassword'))}>
      {change.error !== null && <Failure error={change.error} />}
      {problem?.code === 'INVALID_TOKEN' && <Link to="/forgot-password">{reset.ask}</Link>}
      <PasswordField
        name="newPassword"
        autoComplete="new-password"
        autoFocus
        label={reset.password}
        hint={reset.passwordRule(start?.signUp.passwordMinLength ?? 8)}
        words={words}
        error={problem?.fields['newPassword']}
      />
      <Button type="submit" kind="primary" isBusy={change.isPending}>
        {reset.submit}
      </Button>
    </Form>
  );
}
