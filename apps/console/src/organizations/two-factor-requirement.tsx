import { Link } from '@tanstack/react-router';
import { isTenantryError } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { Confirm } from '../design/confirm.tsx';
import { useWords } from '../design/language.ts';
import { Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import styles from './organization.module.css';
import { useMembersWithoutTwoFactor, useUpdateOrganization } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

/** More than these would hide what the section is for. */
const namesMax = 10;

/** Whether every member needs two-factor authentication, and who is without it. */
export function TwoFactorRequirement({ isRequired }: { readonly isRequired: boolean }) {
  const { twoFactor: words, cancel } = useWords(settingsWords);
  const lacking = useMembersWithoutTwoFactor();
  const update = useUpdateOrganization();
  const change = (requireTwoFactor: boolean) => update.mutate({ settings: { requireTwoFactor } });
  const refusal = update.error !== null && <Refusal error={update.error} />;
  return (
    <Stack>
      <p>{isRequired ? words.on : words.off}</p>
      <Lacking lacking={lacking} />
      {isRequired ? (
        <Confirm
          key="stop"
          {...{ action: words.stop, question: words.stopSure, confirm: words.confirm.stop, cancel }}
          isBusy={update.isPending}
          onConfirm={() => change(false)}
        >
          {refusal}
        </Confirm>
      ) : (
        <Confirm
          key="require"
          {...{ action: words.require, confirm: words.confirm.require, cancel }}
          question={words.requireSure(lacking.data?.total ?? 0)}
          kind="secondary"
          isBusy={update.isPending}
          onConfirm={() => change(true)}
        >
          {refusal}
        </Confirm>
      )}
    </Stack>
  );
}

function Lacking({ lacking }: { readonly lacking: ReturnType<typeof useMembersWithoutTwoFactor> }) {
  const { twoFactor: words } = useWords(settingsWords);
  if (lacking.isPending) return <Skeleton label={words.title} lines={2} />;
  if (lacking.isError) return <Failure error={lacking.error} onRetry={() => void lacking.refetch()} />;
  const { rows, total } = lacking.data;
  if (total === 0) return <p>{words.all}</p>;
  return (
    <div>
      <p>{words.lacking(total)}</p>
      <ul className={styles['bullets']}>
        {rows.slice(0, namesMax).map(({ userId, name, email }) => (
          <li key={userId}>
            <bdi>{name}</bdi> <span className={styles['address']}>{shownEmail(email)}</span>
          </li>
        ))}
      </ul>
      {total > namesMax && <p>{words.more(total - namesMax)}</p>}
    </div>
  );
}

/** An owner without two-factor authentication cannot require it of others: a link leads to their account instead. */
function Refusal({ error }: { readonly error: unknown }) {
  const { twoFactor: words } = useWords(settingsWords);
  return (
    <>
      <Failure error={error} />
      {isTenantryError(error) && error.code === 'TWO_FACTOR_REQUIRED' && (
        <Link to="/account/security">{words.own}</Link>
      )}
    </>
  );
}
