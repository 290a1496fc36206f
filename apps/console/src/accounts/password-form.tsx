import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useChangePassword } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';

/** Changes the password; the fields are cleared afterwards. */
export function PasswordForm() {
  const words = useWords(accountWords);
  const { user, signUp } = useSignedIn();
  const change = useChangePassword();
  useDoneToast(change, words.password.done);
  const problem = useProblem(change.error);
  const [changes, setChanges] = useState(0);
  return (
    <Form
      key={changes}
      sends={change}
      onSubmit={({ text }) => {
        const body = { currentPassword: text('currentPassword'), newPassword: text('newPassword') };
        change.mutate(body, { onSuccess: () => setChanges(changes + 1) });
      }}
    >
      {change.error !== null && <Failure error={change.error} />}
      {/* Says to a password manager whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        name="currentPassword"
        autoComplete="current-password"
        label={words.password.current}
        words={words}
        error={problem?.fields['currentPassword'] ?? problem?.fields['password']}
      />
      <PasswordField
        name="newPassword"
        autoComplete="new-password"
        label={words.password.next}
        hint={words.signUp.passwordRule(signUp.passwordMinLength)}
        words={words}
        error={problem?.fields['newPassword']}
      />
      <Row>
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {words.password.submit}
        </Button>
      </Row>
    </Form>
  );
}
