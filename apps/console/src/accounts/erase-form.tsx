import { lowerAscii, readEmail, shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useDeleteAccount } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';

/** Deletes the account permanently; the button requires typing its address. */
export function EraseForm() {
  const { erase: words } = useWords(accountWords);
  const { user } = useSignedIn();
  const erase = useDeleteAccount();
  const [typed, setTyped] = useState('');
  const isMeant = readEmail(lowerAscii(typed)) === user.email;
  return (
    <PlainForm
      refusal={erase.error}
      onSubmit={() => {
        if (isMeant) erase.mutate();
      }}
    >
      {erase.error !== null && <Failure error={erase.error} />}
      <TextField
        name="confirmation"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        label={words.type(shownEmail(user.email))}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Row>
        <Button type="submit" kind="danger" disabled={!isMeant} isBusy={erase.isPending}>
          {words.submit}
        </Button>
      </Row>
    </PlainForm>
  );
}
