import { isTenantryError, mayCall, type api } from '@tenantry/client';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../design/button.tsx';
import { Facts } from '../design/facts.tsx';
import { Form } from '../design/form.tsx';
import type { Values } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Versions } from '../design/versions.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { customerFields, CustomerInputs, shown, typedCustomer } from './customer-inputs.tsx';
import { useChangeCustomer, type CustomerField, type ReadCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';
import styles from './customers.module.css';

interface CustomerProps {
  readonly read: ReadCustomer;
}

/** What is known of a customer, and its change. */
export function CustomerDetails({ read }: CustomerProps) {
  const { details: words } = useWords(customerWords);
  const { permissions } = useSignedIn();
  const change = useChangeCustomer(read.customer.id);
  useDoneToast(change, words.saved);
  const [isEdited, edit] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const close = () => {
    flushSync(() => edit(false));
    around.current?.querySelector('button')?.focus();
  };
  if (isEdited) return <CustomerForm {...{ read, change }} onClose={close} />;
  const facts = customerFields.filter((field) => field !== 'name' && Boolean(read.customer[field]));
  return (
    <div ref={around} className={styles['part']}>
      {facts.length === 0 && <p className={styles['about']}>{words.nothing}</p>}
      {facts.length > 0 && (
        <Facts facts={facts.map((field) => [words[field], shown(field, read.customer[field])])} />
      )}
      {mayCall(permissions, 'patchCustomer') && (
        <Row>
          <Button onClick={() => edit(true)}>{words.change}</Button>
        </Row>
      )}
    </div>
  );
}

interface CustomerFormProps extends CustomerProps {
  readonly change: ReturnType<typeof useChangeCustomer>;
  readonly onClose: () => void;
}

/** The form of a customer. Concurrent changes of others do not replace the user's input. */
function CustomerForm({ read, change, onClose }: CustomerFormProps) {
  const { details: words } = useWords(customerWords);
  /** The customer as it was when the form was opened. */
  const [base] = useState(read);
  const isRace = isTenantryError(change.error) && change.error.code === 'PRECONDITION_FAILED';
  const save = (from: ReadCustomer, body: api.CustomerChanges) =>
    change.mutate({ base: from, body }, { onSuccess: onClose });
  const leave = () => {
    change.reset();
    onClose();
  };
  return (
    <Form sends={change} onSubmit={(values) => save(base, changesOf(values, base.customer))}>
      <p className={styles['about']}>{words.about}</p>
      {change.error !== null && !isRace && <Failure error={change.error} />}
      {isRace && (
        <Conflict
          {...{ base: base.customer, now: read.customer, isBusy: change.isPending }}
          mine={change.variables?.body ?? {}}
          onKeep={(mine) => save(read, mine)}
          onDrop={(rest) => (Object.keys(rest).length > 0 ? save(read, rest) : leave())}
        />
      )}
      <CustomerInputs customer={base.customer} error={change.error} />
      <Row>
        <Button type="submit" kind="primary" isBusy={change.isPending}>
          {words.save}
        </Button>
        <Button onClick={leave}>{words.cancel}</Button>
      </Row>
    </Form>
  );
}

interface ConflictProps {
  readonly base: api.Customer;
  readonly now: api.Customer;
  readonly mine: api.CustomerChanges;
  readonly isBusy: boolean;
  readonly onKeep: (mine: api.CustomerChanges) => void;
  /** Called with the changes that do not conflict. */
  readonly onDrop: (rest: api.CustomerChanges) => void;
}

/** A conflict of two changes of a customer: both versions, and the choice between them. */
function Conflict({ base, now, mine, isBusy, onKeep, onDrop }: ConflictProps) {
  const { details: words, conflict } = useWords(customerWords);
  const changed = (Object.keys(mine) as CustomerField[]).filter((field) => now[field] !== base[field]);
  const written = (field: CustomerField, value: string | null | undefined) =>
    field === 'language' && !value ? words.noLanguage : shown(field, value);
  const rest = Object.entries(mine).filter(([field]) => !changed.some((each) => each === field));
  return (
    <Notice kind="problem">
      <p>{conflict.title}</p>
      <Versions
        columns={conflict.column}
        rows={changed.map((field) => ({
          ...{ field: words[field], now: written(field, now[field]), yours: written(field, mine[field]) },
        }))}
      />
      <Row>
        <Button kind="primary" isBusy={isBusy} onClick={() => onKeep(mine)}>
          {conflict.keep}
        </Button>
        <Button onClick={() => onDrop(Object.fromEntries(rest))}>{conflict.drop}</Button>
      </Row>
    </Notice>
  );
}

/** The fields of a customer that the input changes. */
function changesOf(values: Values, customer: api.Customer): api.CustomerChanges {
  const typed = Object.entries(typedCustomer(values)) as [CustomerField, string | null][];
  return Object.fromEntries(typed.filter(([field, value]) => value !== customer[field]));
}
