import { Link } from '@tanstack/react-router';
import { isTenantryError } from '@tenantry/client';
import { Confirm } from '../design/confirm.tsx';
import { useWords } from '../design/language.ts';
import { Failure } from '../failures/failure.tsx';
import { useMay, useSignedIn } from '../sessions/sessions.queries.ts';
import { useLeave } from './people.queries.ts';
import { peopleWords } from './people.words.ts';

/** Leaving the organization; its only owner is told how. */
export function LeaveAction() {
  const { leave: words, cancel } = useWords(peopleWords);
  const { organization } = useSignedIn();
  const leave = useLeave();
  return (
    <Confirm
      {...{
        action: words.action,
        question: words.sure(organization?.name ?? ''),
        confirm: words.confirm,
        cancel,
      }}
      isBusy={leave.isPending}
      onConfirm={() => leave.mutate()}
    >
      {leave.error !== null && <Failure error={leave.error} />}
      {isTenantryError(leave.error) && leave.error.code === 'LAST_OWNER' && <OfLastOwner />}
    </Confirm>
  );
}

function OfLastOwner() {
  const { wayOut } = useWords(peopleWords);
  const may = useMay();
  return (
    <p>
      {wayOut.lastOwner}{' '}
      {may('deleteOrganization') && <Link to="/organization/danger">{wayOut.toOrganization}</Link>}
    </p>
  );
}
