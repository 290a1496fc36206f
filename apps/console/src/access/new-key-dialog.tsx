import type { api } from '@tenantry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { Choice, Choices } from '../design/choices.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import styles from './access.module.css';
import { dayAhead, expiryAt, expiryOf, lifetimeDaysMax, lifetimes } from './key-expiry.ts';
import { keyPermissions } from './key-permissions.ts';
import { NewKey } from './new-key.tsx';
import { useCreateKey, usePermissionsOfRoles } from './service-accounts.queries.ts';
import { serviceAccountWords } from './service-accounts.words.ts';

interface NewKeyDialogProps {
  readonly account: api.ServiceAccount;
  readonly onClose: () => void;
}

/** Creating a key, which is then shown once. */
export function NewKeyDialog({ account, onClose }: NewKeyDialogProps) {
  const { newKeyForm: words, cancel } = useWords(serviceAccountWords);
  const create = useCreateKey(account);
  if (create.isSuccess) return <NewKey key="new" created={create.data} onClose={onClose} />;
  return (
    <Dialog key="form" title={words.title(account.name)} onClose={onClose}>
      {(close) => (
        <KeyForm account={account} create={create}>
          <Row>
            <Button type="submit" kind="primary" isBusy={create.isPending}>
              {words.submit}
            </Button>
            <Button onClick={close}>{cancel}</Button>
          </Row>
        </KeyForm>
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  readonly account: api.ServiceAccount;
  readonly create: ReturnType<typeof useCreateKey>;
  /** The buttons below it. */
  readonly children: ReactNode;
}

/** What is missing or wrong before anything is sent; a new object for each attempt. */
interface Findings {
  readonly name: boolean;
  readonly day: boolean;
  readonly permissions: boolean;
}

function KeyForm({ account, create, children }: KeyFormProps) {
  const words = useWords(serviceAccountWords);
  const { rules } = useWords(failureWords);
  const problem = useProblem(create.error);
  const { timeZone } = useSignedIn().user;
  const zone = timeZone ?? undefined;
  const [now] = useState(() => Date.now());
  const [day, setDay] = useState(() => dayAhead(lifetimes[1], now, zone));
  const [permissions, choose] = useState<readonly string[]>();
  const [found, setFound] = useState<Findings>();
  const expiresAt = expiryAt(day, now, zone);
  const refusedPermission = Object.keys(problem?.fields ?? {}).find((name) => name.startsWith('permissions'));
  return (
    <Form
      sends={create}
      refusal={found ?? create.error}
      onSubmit={({ text }) => {
        const name = text('name').trim();
        const findings = { name: name === '', day: !expiresAt, permissions: permissions?.length === 0 };
        const isComplete = !Object.values(findings).includes(true);
        setFound(isComplete ? undefined : findings);
        if (!isComplete || !expiresAt) return;
        create.mutate({
          name,
          expiresAt: expiresAt.toISOString(),
          ...(permissions && { permissions: [...permissions] }),
        });
      }}
    >
      {create.error !== null && <Failure error={create.error} />}
      <TextField
        {...{ name: 'name', autoComplete: 'off', autoFocus: true, required: true, maxLength: 100 }}
        label={words.name}
        hint={words.newKeyForm.hint}
        error={found?.name ? rules.required() : problem?.fields['name']}
      />
      <EndFields
        {...{ day, now, zone, expiresAt }}
        error={found?.day ? words.newKeyForm.wrongDay : problem?.fields['expiresAt']}
        onChange={setDay}
      />
      <PermissionFields
        role={account.role}
        chosen={permissions}
        error={
          found?.permissions ? words.newKeyForm.none : problem?.fields[refusedPermission ?? 'permissions']
        }
        onChoose={choose}
      />
      {children}
    </Form>
  );
}

interface EndFieldsProps {
  /** As 2027-01-31; empty if none is chosen. */
  readonly day: string;
  readonly now: number;
  readonly zone: string | undefined;
  readonly expiresAt: Date | undefined;
  readonly error: string | undefined;
  readonly onChange: (day: string) => void;
}

function EndFields({ day, now, zone, expiresAt, error, onChange }: EndFieldsProps) {
  const { newKeyForm: words } = useWords(serviceAccountWords);
  const formats = useFormats();
  const [chosen, choose] = useState(String(lifetimes[1]));
  const isOwn = chosen === 'own';
  const end = expiresAt?.toISOString();
  const announced = end !== undefined && expiryOf(end, now) === 'later' ? words.announced : '';
  const hint = end && `${words.until(formats.day(end))} ${announced}`.trim();
  return (
    <>
      <SelectField
        name="lifetime"
        label={words.end}
        hint={isOwn ? undefined : hint}
        error={isOwn ? undefined : error}
        value={chosen}
        onChange={({ target }) => {
          choose(target.value);
          if (target.value !== 'own') onChange(dayAhead(Number(target.value), now, zone));
        }}
      >
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {words.lifetimes[days]}
          </option>
        ))}
        <option value="own">{words.ownDay}</option>
      </SelectField>
      {isOwn && (
        <TextField
          {...{ name: 'expiresAt', type: 'date', required: true }}
          label={words.lastDay}
          hint={hint}
          error={error}
          min={dayAhead(0, now, zone)}
          max={dayAhead(lifetimeDaysMax, now, zone)}
          value={day}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </>
  );
}

interface PermissionFieldsProps {
  readonly role: api.ServiceAccount['role'];
  /** Undefined for everything that the role may. */
  readonly chosen: readonly string[] | undefined;
  readonly error: string | undefined;
  readonly onChoose: (chosen: readonly string[] | undefined) => void;
}

function PermissionFields({ role, chosen, error, onChoose }: PermissionFieldsProps) {
  const { key, newKeyForm: words } = useWords(serviceAccountWords);
  const isLimited = chosen !== undefined;
  return (
    <>
      <Choices legend={words.may} error={error}>
        <Choice
          {...{ type: 'radio', name: 'extent', checked: !isLimited }}
          label={key.everything[role]}
          onChange={() => onChoose(undefined)}
        />
        <Choice
          {...{ type: 'radio', name: 'extent', checked: isLimited }}
          // What is wrong can only be what is chosen, or that nothing is.
          aria-invalid={error !== undefined || undefined}
          label={words.chosen}
          onChange={() => onChoose([])}
        />
      </Choices>
      {isLimited && <PermissionChoices {...{ role, chosen, onChoose }} />}
    </>
  );
}

function PermissionChoices({
  role,
  chosen,
  onChoose,
}: Omit<PermissionFieldsProps, 'error'> & { readonly chosen: readonly string[] }) {
  const { key: words, newKeyForm } = useWords(serviceAccountWords);
  const roles = usePermissionsOfRoles();
  if (roles.isPending) return <Skeleton label={newKeyForm.may} lines={6} />;
  if (roles.isError) return <Failure error={roles.error} onRetry={() => void roles.refetch()} />;
  const groups = keyPermissions(roles.data[role]);
  return (
    <div className={styles['permissions']}>
      {groups.map(({ subject, permissions }) => (
        <Choices key={subject} legend={words.subjects[subject]}>
          {permissions.map((name) => (
            <Choice
              key={name}
              {...{ type: 'checkbox', name: 'permissions', checked: chosen.includes(name) }}
              label={words.permissions[name]}
              onChange={({ target }) =>
                onChoose(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
              }
            />
          ))}
        </Choices>
      ))}
    </div>
  );
}
