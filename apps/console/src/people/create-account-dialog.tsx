import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useCreatePerson } from './people.queries.ts';
import { peopleWords } from './people.words.ts';

/** Creating an account for somebody, with a password that they are told. */
export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { create: words, close, cancel } = useWords(peopleWords);
  const create = useCreatePerson();
  if (create.isSuccess) {
    return (
      <Dialog title={words.title} onClose={onClose}>
        <Notice kind="success">{words.done(create.data)}</Notice>
        <Row>
          <Button onClick={onClose}>{close}</Button>
        </Row>
      </Dialog>
    );
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.about}</p>
      <Fields create={create}>
        <Row>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            {words.submit}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </Row>
      </Fields>
    </Dialog>
  );
}

interface FieldsProps {
  readonly create: ReturnType<typeof useCreatePerson>;
  readonly children: ReactNode;
}

function Fields({ create, children }: FieldsProps) {
  const { create: words } = useWords(peopleWords);
  const problem = useProblem(create.error);
  return (
    <Form
      sends={create}
      onSubmit={({ text }) =>
        create.mutate({
          email: text('email'),
          password: text('password'),
          firstName: text('firstName'),
          lastName: text('lastName'),
        })
      }
    >
      {create.error !== null && <Failure error={create.error} />}
      <TextField
        {...{ name: 'firstName', required: true, autoComplete: 'off', autoFocus: true }}
        label={words.first}
        error={problem?.fields['firstName']}
      />
      <TextField
        name="lastName"
        required
        autoComplete="off"
        label={words.last}
        error={problem?.fields['lastName']}
      />
      <TextField
        {...{
          name: 'email',
          required: true,
          type: 'email',
          autoComplete: 'off',
          autoCapitalize: 'none',
          spellCheck: false,
        }}
        label={words.email}
        error={problem?.fields['email']}
      />
      <PasswordField
        {...{ name: 'password', required: true, autoComplete: 'new-password', words }}
        label={words.password}
        error={problem?.fields['password']}
      />
      {children}
    </Form>
  );
}
