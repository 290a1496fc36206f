import { isErrorOf } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { grantableRoles, type Role } from './abilities.ts';
import { useChangeRole, useRename, type Person } from './people.queries.ts';
import { peopleWords } from './people.words.ts';

interface PersonFormProps {
  readonly person: Person;
  /** Says what was done. */
  readonly onDone: (text: string) => void;
}

/** The name of somebody else, as the directory shows it. */
export function RenameForm({
  person,
  etag,
  onDone,
}: PersonFormProps & { readonly etag: string | undefined }) {
  const { name: words, wayOut } = useWords(peopleWords);
  const rename = useRename(person, etag);
  const problem = useProblem(rename.error);
  return (
    <Form
      sends={rename}
      onSubmit={({ text }) =>
        rename.mutate(
          { firstName: text('firstName'), lastName: text('lastName') },
          { onSuccess: () => onDone(words.done) },
        )
      }
    >
      {rename.error !== null &&
        (isErrorOf(rename.error, 'patchUser') && rename.error.code === 'PRECONDITION_FAILED' ? (
          <Notice kind="problem">{wayOut.changed}</Notice>
        ) : (
          <Failure error={rename.error} />
        ))}
      <TextField
        name="firstName"
        required
        autoComplete="off"
        label={words.first}
        defaultValue={person.firstName}
        error={problem?.fields['firstName']}
      />
      <TextField
        name="lastName"
        required
        autoComplete="off"
        label={words.last}
        defaultValue={person.lastName}
        error={problem?.fields['lastName']}
      />
      <Row>
        <Button type="submit" isBusy={rename.isPending}>
          {words.submit}
        </Button>
      </Row>
    </Form>
  );
}

/** The role of somebody else: none above the reader's own is offered. */
export function RoleForm({ person, onDone }: PersonFormProps) {
  const { role: words } = useWords(peopleWords);
  const roles = useRoleNames();
  const { permissions } = useSignedIn();
  const change = useChangeRole(person);
  const [chosen, choose] = useState<Role>(person.role);
  return (
    <Form
      sends={change}
      onSubmit={() =>
        change.mutate(chosen, { onSuccess: (role) => onDone(words.done(person.name, roles[role])) })
      }
    >
      {change.error !== null && <Failure error={change.error} />}
      <SelectField
        name="role"
        label={words.label}
        hint={words.about[chosen]}
        value={chosen}
        onChange={({ target }) => choose(target.value as Role)}
      >
        {grantableRoles(permissions).map((role) => (
          <option key={role} value={role}>
            {roles[role]}
          </option>
        ))}
      </SelectField>
      <Row>
        <Button type="submit" disabled={chosen === person.role} isBusy={change.isPending}>
          {words.submit}
        </Button>
      </Row>
    </Form>
  );
}
