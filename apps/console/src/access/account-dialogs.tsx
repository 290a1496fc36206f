import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useMay } from '../sessions/sessions.queries.ts';
import styles from './access.module.css';
import {
  useCreateServiceAccount,
  useDeleteServiceAccount,
  useUpdateServiceAccount,
} from './service-accounts.queries.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

type Role = api.ServiceAccount['role'];
const roles: readonly Role[] = ['member', 'admin'];

interface CreateAccountDialogProps {
  readonly onClose: () => void;
  readonly onDone: (text: string, accountId: string) => void;
}

/** Creating a service account. */
export function CreateAccountDialog({ onClose, onDone }: CreateAccountDialogProps) {
  const words = useWords(serviceAccountWords);
  const { rules } = useWords(failureWords);
  const create = useCreateServiceAccount();
  const problem = useProblem(create.error);
  const [role, choose] = useState<Role>('member');
  const [isEmpty, setEmpty] = useState(false);
  return (
    <Dialog title={words.create.title} onClose={onClose}>
      {(close) => (
        <Form
          sends={create}
          refusal={isEmpty || create.error}
          onSubmit={({ text }) => {
            const name = text('name').trim();
            setEmpty(name === '');
            if (name === '') return;
            create.mutate(
              { name, role },
              { onSuccess: (account) => onDone(words.create.done(account.name), account.id) },
            );
          }}
        >
          {create.error !== null && <Failure error={create.error} />}
          <TextField
            {...{ name: 'name', autoComplete: 'off', autoFocus: true, required: true, maxLength: 100 }}
            label={words.name}
            hint={words.create.hint}
            error={isEmpty ? rules.required() : problem?.fields['name']}
          />
          <RoleField role={role} onChoose={choose} />
          <Row>
            <Button type="submit" kind="primary" isBusy={create.isPending}>
              {words.create.submit}
            </Button>
            <Button onClick={close}>{words.cancel}</Button>
          </Row>
        </Form>
      )}
    </Dialog>
  );
}

interface ManageAccountDialogProps {
  readonly account: api.ServiceAccount;
  readonly onClose: () => void;
  /** Without an account once that is deleted. */
  readonly onDone: (text: string, accountId?: string) => void;
}

/** Renaming a service account, changing its role, and deleting it. */
export function ManageAccountDialog({ account, onClose, onDone }: ManageAccountDialogProps) {
  const may = useMay();
  const { remove: words, cancel } = useWords(serviceAccountWords);
  const remove = useDeleteServiceAccount(account);
  return (
    <Dialog title={account.name} onClose={onClose}>
      {(close) => (
        <>
          <ChangeForm
            account={account}
            onCancel={close}
            onDone={(text) => onDone(text, account.id)}
            onUnchanged={onClose}
          />
          {may('deleteServiceAccount') && (
            <div className={styles['removal']}>
              <Confirm
                {...{ action: words.action, confirm: words.confirm, cancel }}
                question={words.sure(account.name, account.keys.length)}
                isBusy={remove.isPending}
                onConfirm={() =>
                  remove.mutate(undefined, { onSuccess: () => onDone(words.done(account.name)) })
                }
              >
                {remove.error !== null && <Failure error={remove.error} />}
              </Confirm>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

interface ChangeFormProps {
  readonly account: api.ServiceAccount;
  readonly onCancel: () => void;
  readonly onDone: (text: string) => void;
  readonly onUnchanged: () => void;
}

function ChangeForm({ account, onCancel, onDone, onUnchanged }: ChangeFormProps) {
  const words = useWords(serviceAccountWords);
  const { rules } = useWords(failureWords);
  const change = useUpdateServiceAccount(account);
  const problem = useProblem(change.error);
  const [role, choose] = useState(account.role);
  const [isEmpty, setEmpty] = useState(false);
  const isLower = account.role === 'admin' && role === 'member' && account.keys.length > 0;
  return (
    <Form
      sends={change}
      refusal={isEmpty || change.error}
      onSubmit={({ text }) => {
        const name = text('name').trim();
        setEmpty(name === '');
        if (name === '') return;
        // What stays is not sent: the role of an admin asks for a proof.
        const changes = {
          ...(name !== account.name && { name }),
          ...(role !== account.role && { role }),
        };
        if (Object.keys(changes).length === 0) onUnchanged();
        else change.mutate(changes, { onSuccess: () => onDone(words.change.done) });
      }}
    >
      {change.error !== null && <Failure error={change.error} />}
      <TextField
        {...{ name: 'name', autoComplete: 'off', required: true, maxLength: 100 }}
        label={words.name}
        defaultValue={account.name}
        error={isEmpty ? rules.required() : problem?.fields['name']}
      />
      <RoleField role={role} onChoose={choose} more={isLower ? words.change.lower : ''} />
      <Row>
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {words.save}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </Row>
    </Form>
  );
}

interface RoleFieldProps {
  readonly role: Role;
  readonly onChoose: (role: Role) => void;
  /** Said beside what the role means. */
  readonly more?: string;
}

function RoleField({ role, onChoose, more = '' }: RoleFieldProps) {
  const words = useWords(serviceAccountWords);
  const names = useRoleNames();
  return (
    <SelectField
      name="role"
      label={words.role}
      hint={`${words.aboutRoles[role]} ${more}`.trim()}
      value={role}
      onChange={({ target }) => onChoose(target.value as Role)}
    >
      {roles.map((each) => (
        <option key={each} value={each}>
          {names[each]}
        </option>
      ))}
    </SelectField>
  );
}
