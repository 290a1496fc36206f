import { Link } from '@tanstack/react-router';
import { isTenantryError, type api } from '@tenantry/client';
import { Confirm } from '../design/confirm.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Panel } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { useSetSsoRequirement, useSsoRequirement } from './sso-requirement.queries.ts';
import { ssoRequirementWords } from './sso-requirement.words.ts';

/** Whether members get in through the identity provider alone, and who would lose access. Nothing before a connection is on. */
export function SsoRequirement() {
  const words = useWords(ssoRequirementWords);
  const requirement = useSsoRequirement();
  if (requirement.isPending) return <Skeleton label={words.title} lines={4} />;
  if (requirement.isError) {
    return <Failure error={requirement.error} onRetry={() => void requirement.refetch()} />;
  }
  const { required, connectionId } = requirement.data;
  if (connectionId === null && !required) return null;
  return (
    <Panel title={words.title}>
      <p>{required ? words.on : words.about}</p>
      <p>{words.owners}</p>
      <LockedOut lockedOut={requirement.data.lockedOut} />
      {required ? <Stop /> : <Begin requirement={requirement.data} />}
    </Panel>
  );
}

function LockedOut({ lockedOut: { total, names } }: Pick<api.SsoRequirement, 'lockedOut'>) {
  const words = useWords(ssoRequirementWords);
  if (total === 0) return <p>{words.allKnow}</p>;
  return (
    <div>
      <p>{words.lockedOut(total)}</p>
      <ul>
        {names.map((name, position) => (
          // Several may have one name.
          // oxlint-disable-next-line react/no-array-index-key -- the list is read anew as a whole
          <li key={position}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {total > names.length && <p>{words.more(total - names.length)}</p>}
    </div>
  );
}

function Begin({ requirement }: { readonly requirement: api.SsoRequirement }) {
  const words = useWords(ssoRequirementWords);
  const formats = useFormats();
  const [set, toasts] = [useSetSsoRequirement(), useToasts()];
  const { requirableUntil, lockedOut } = requirement;
  if (requirableUntil === null) {
    return (
      <>
        <p>{words.untried}</p>
        {set.error !== null && <Refusal error={set.error} />}
      </>
    );
  }
  return (
    <>
      <p>{words.tried(formats.time(requirableUntil))}</p>
      <Confirm
        {...{ action: words.require, question: words.sure(lockedOut.total), confirm: words.confirm }}
        {...{ cancel: words.cancel, kind: 'secondary' }}
        isBusy={set.isPending}
        onConfirm={() => set.mutate(true, { onSuccess: () => toasts.show({ text: words.required }) })}
      >
        {set.error !== null && <Refusal error={set.error} />}
      </Confirm>
    </>
  );
}

function Stop() {
  const words = useWords(ssoRequirementWords);
  const [set, toasts] = [useSetSsoRequirement(), useToasts()];
  return (
    <Confirm
      {...{ action: words.stop, question: words.stopSure, confirm: words.stop, cancel: words.cancel }}
      isBusy={set.isPending}
      onConfirm={() => set.mutate(false, { onSuccess: () => toasts.show({ text: words.stopped }) })}
    >
      {set.error !== null && <Failure error={set.error} />}
    </Confirm>
  );
}

/** An owner without two-factor authentication would lose access: a link leads to their account. */
function Refusal({ error }: { readonly error: unknown }) {
  const words = useWords(ssoRequirementWords);
  return (
    <>
      <Failure error={error} />
      {isTenantryError(error) && error.code === 'TWO_FACTOR_REQUIRED' && (
        <Link to="/account/security">{words.account}</Link>
      )}
    </>
  );
}
