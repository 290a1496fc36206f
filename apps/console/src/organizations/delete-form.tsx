import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useDeleteOrganization } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

/** Deleting the organization: only somebody who has typed its short name can press the button. */
export function DeleteForm({ slug }: { readonly slug: string }) {
  const { erase: words } = useWords(settingsWords);
  const erase = useDeleteOrganization();
  const [typed, setTyped] = useState('');
  const isMeant = typed.trim().toLowerCase() === slug;
  return (
    <PlainForm
      refusal={erase.error}
      onSubmit={() => {
        if (isMeant) erase.mutate();
      }}
    >
      {erase.error !== null && <Failure error={erase.error} />}
      <p>
        {words.exportFirst} <Link to="/organization/export">{words.openExport}</Link>
      </p>
      <TextField
        {...{ name: 'confirmation', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }}
        label={words.type(slug)}
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
