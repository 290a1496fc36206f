import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Panel, Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useCreateOrganization } from './organizations.queries.ts';
import { organizationWords } from './organizations.words.ts';
import { proposeSlug } from './slug.ts';

/** Founding an organization. */
export function Page() {
  const { create: words } = useWords(organizationWords);
  return (
    <Frame title={words.title}>
      <Panel>
        <NewOrganizationForm />
      </Panel>
    </Frame>
  );
}

function NewOrganizationForm() {
  const { create: words } = useWords(organizationWords);
  const create = useCreateOrganization();
  const problem = useProblem(create.error);
  const [name, setName] = useState('');
  const [chosenSlug, setChosenSlug] = useState<string>();
  return (
    <Form sends={create} onSubmit={({ text }) => create.mutate({ name: text('name'), slug: text('slug') })}>
      {create.error !== null && <Failure error={create.error} />}
      <TextField
        name="name"
        required
        autoFocus
        autoComplete="organization"
        label={words.name}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={problem?.fields['name']}
      />
      <TextField
        name="slug"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        label={words.slug}
        hint={words.slugHint}
        value={chosenSlug ?? proposeSlug(name)}
        onChange={({ target }) => setChosenSlug(target.value)}
        error={problem?.fields['slug']}
      />
      <Row>
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {words.submit}
        </Button>
        <Link to="/" ignoreBlocker>
          {words.cancel}
        </Link>
      </Row>
    </Form>
  );
}
