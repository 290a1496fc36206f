import { isTenantryError, mayCall, type api } from '@tenantry/client';
import { Fragment, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import type { Values } from '../design/plain-form.tsx';
import { languageNames, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Versions } from '../design/versions.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { CustomerInputs, typedCustomer } from './customer-inputs.tsx';
import { useChangeCustomer, type CustomerField, type ReadCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';

/** The form of a customer. Concurrent changes of others do not replace the user's input. */
export function CustomerForm({ read }: { readonly read: ReadCustomer }) {
  const { details: words } = useWords(customerWords);
  const { permissions } = useSignedIn();
  const change = useChangeCustomer(read.customer.id);
  useDoneToast(change, words.saved);
  /** The customer as read before the first input. */
  const [base, hold] = useState<ReadCustomer>();
  const [resets, setResets] = useState(0);
  const mayChange = mayCall(permissions, 'patchCustomer');
  const about = base ?? read;
  const isRace = isTenantryError(change.error) && change.error.code === 'PRECONDITION_FAILED';
  const save = (from: ReadCustomer, body: api.CustomerChanges) =>
    change.mutate({ base: from, body }, { onSuccess: () => hold(undefined) });
  const takeTheirs = (rest: api.CustomerChanges): void => {
    if (Object.keys(rest).length > 0) {
      save(read, rest);
    } else {
      change.reset();
      hold(undefined);
      setResets(resets + 1);
    }
  };
  return (
    <div onInput={() => hold(about)}>
      <Form key={resets} sends={change} onSubmit={(values) => save(about, changesOf(values, about.customer))}>
        {change.error !== null && !isRace && <Failure error={change.error} />}
        {isRace && (
          <Conflict
            {...{ base: about.customer, now: read.customer, isBusy: change.isPending }}
            mine={change.variables?.body ?? {}}
            onKeep={(mine) => save(read, mine)}
            onDrop={takeTheirs}
          />
        )}
        <Fragment key={about.etag}>
          <CustomerInputs customer={about.customer} error={change.error} isReadOnly={!mayChange} />
        </Fragment>
        {mayChange && (
          <Row>
            <Button type="submit" kind="primary" isBusy={change.isPending}>
              {words.save}
            </Button>
          </Row>
        )}
      </Form>
    </div>
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
  const shown = (field: CustomerField, value: string | null | undefined): string => {
    if (field === 'language')
      return value === 'en' || value === 'sv' ? languageNames[value] : words.noLanguage;
    return value ?? '';
  };
  const rest = Object.entries(mine).filter(([field]) => !changed.some((each) => each === field));
  return (
    <Notice kind="problem">
      <p>{conflict.title}</p>
      <Versions
        columns={conflict.column}
        rows={changed.map((field) => ({
          ...{ field: words[field], now: shown(field, now[field]), yours: shown(field, mine[field]) },
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
