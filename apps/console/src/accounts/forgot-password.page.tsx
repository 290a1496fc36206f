import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { CardPage } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useRequestPasswordReset } from './accounts.queries.ts';
import { recoveryWords } from './recovery.words.ts';

/** Requests a link to choose a new password. The page does not reveal whether there is an account. */
export function Page() {
  const { forgot, ...words } = useWords(recoveryWords);
  const request = useRequestPasswordReset();
  const problem = useProblem(request.error);
  if (request.isSuccess) {
    return (
      <CardPage title={forgot.sentTitle}>
        <p>{forgot.sent(shownEmail(request.data))}</p>
        <Button onClick={() => request.reset()}>{forgot.again}</Button>
        <Link to="/sign-in">{words.signIn}</Link>
      </CardPage>
    );
  }
  return (
    <CardPage title={forgot.title}>
      <p>{forgot.about}</p>
      <Form sends={request} onSubmit={({ text }) => request.mutate(text('email'))}>
        {request.error !== null && <Failure error={request.error} />}
        <TextField
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          label={words.email}
          error={problem?.fields['email']}
        />
        <Button type="submit" kind="primary" isBusy={request.isPending}>
          {forgot.submit}
        </Button>
      </Form>
      <Link to="/sign-in">{words.signIn}</Link>
    </CardPage>
  );
}
