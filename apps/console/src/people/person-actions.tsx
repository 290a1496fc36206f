import { isTenantryError } from '@tenantry/client';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { useWords } from '../design/language.ts';
import { Failure } from '../failures/failure.tsx';
import type { Ability } from './abilities.ts';
import styles from './people.module.css';
import {
  useDisabling,
  useRemovePerson,
  useResetTwoFactor,
  useTransferOwnership,
  type Person,
} from './people.queries.ts';
import { peopleWords } from './people.words.ts';

interface ActionProps {
  readonly person: Person;
  /** Says what was done. */
  readonly onDone: (text: string) => void;
  /** They are no longer here. */
  readonly onGone: () => void;
}

/** What is rarely done with somebody, and asks once more. */
export function PersonActions({
  abilities,
  ...action
}: ActionProps & { readonly abilities: readonly Ability[] }) {
  if (abilities.length === 0) return null;
  return (
    <div className={styles['actions']}>
      {abilities.includes('transfer') && <Transfer {...action} />}
      {abilities.includes('reset-two-factor') && <ResetTwoFactor {...action} />}
      {abilities.includes('enable') && <Enable {...action} />}
      {abilities.includes('disable') && <Disable {...action} />}
      {abilities.includes('remove') && <Remove {...action} />}
    </div>
  );
}

function Transfer({ person, onGone }: ActionProps) {
  const { transfer: words, cancel } = useWords(peopleWords);
  const transfer = useTransferOwnership(person);
  return (
    <Confirm
      {...{ action: words.action, question: words.sure(person.name), confirm: words.confirm, cancel }}
      kind="secondary"
      isBusy={transfer.isPending}
      onConfirm={() => transfer.mutate(undefined, { onSuccess: onGone })}
    >
      {transfer.error !== null && <Failure error={transfer.error} />}
    </Confirm>
  );
}

function ResetTwoFactor({ person, ...action }: ActionProps) {
  const { reset: words, cancel } = useWords(peopleWords);
  const reset = useResetTwoFactor(person);
  return (
    <Confirm
      {...{ action: words.action, question: words.sure(person.name), confirm: words.confirm, cancel }}
      kind="secondary"
      isBusy={reset.isPending}
      onConfirm={() => reset.mutate(undefined, { onSuccess: () => action.onDone(words.done) })}
    >
      <Refusal error={reset.error} person={person} {...action} />
    </Confirm>
  );
}

function Enable({ person, onDone }: ActionProps) {
  const { enable: words } = useWords(peopleWords);
  const enable = useDisabling(person);
  return (
    <>
      {enable.error !== null && <Failure error={enable.error} />}
      <Button
        isBusy={enable.isPending}
        onClick={() => enable.mutate(false, { onSuccess: () => onDone(words.done) })}
      >
        {words.action}
      </Button>
    </>
  );
}

function Disable({ person, ...action }: ActionProps) {
  const { disable: words, cancel } = useWords(peopleWords);
  const disable = useDisabling(person);
  return (
    <Confirm
      {...{ action: words.action, question: words.sure(person.name), confirm: words.confirm, cancel }}
      isBusy={disable.isPending}
      onConfirm={() => disable.mutate(true, { onSuccess: () => action.onDone(words.done) })}
    >
      <Refusal error={disable.error} person={person} {...action} />
    </Confirm>
  );
}

function Remove({ person, onGone }: ActionProps) {
  const { remove: words, cancel } = useWords(peopleWords);
  const remove = useRemovePerson(person);
  return (
    <Confirm
      {...{ action: words.action, question: words.sure(person.name), confirm: words.confirm, cancel }}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onGone })}
    >
      {remove.error !== null && <Failure error={remove.error} />}
    </Confirm>
  );
}

/** Why an account stays as it is; one that belongs to others as well can still be removed from here. */
function Refusal({ error, person, onGone }: ActionProps & { readonly error: unknown }) {
  const { wayOut } = useWords(peopleWords);
  const remove = useRemovePerson(person);
  if (error === null) return null;
  return (
    <>
      <Failure error={remove.error ?? error} />
      {isTenantryError(error) && error.reason === 'ACCOUNT_SHARED' && (
        <Button
          kind="danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onGone })}
        >
          {wayOut.sharedAccount}
        </Button>
      )}
    </>
  );
}
