import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useChangeEmail } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';

/** Changes the address, which takes effect when the link mailed to the new one is followed. */
export function EmailForm() {
  const { address: words } = useWords(accountWords);
  const { user } = useSignedIn();
  const change = useChangeEmail();
  const problem = useProblem(change.error);
  const [changes, setChanges] = useState(0);
  return (
    <Form
      key={changes}
      sends={change}
      onSubmit={({ text }) => change.mutate(text('newEmail'), { onSuccess: () => setChanges(changes + 1) })}
    >
      {change.error !== null && <Failure error={change.error} />}
      {change.isSuccess && <Notice kind="success">{words.sent(shownEmail(change.data))}</Notice>}
      <p>{words.present(shownEmail(user.email))}</p>
      <TextField
        name="newEmail"
        type="email"
        autoComplete="email"
        label={words.next}
        hint={words.hint}
        error={problem?.fields['newEmail']}
      />
      <Row>
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {words.submit}
        </Button>
      </Row>
    </Form>
  );
}
