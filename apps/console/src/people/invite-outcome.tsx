import { isTenantryError } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useConfirmOwnAddress, type InvitedAddresses } from './invitations.queries.ts';
import styles from './people.module.css';
import { peopleWords } from './people.words.ts';

/** Who was invited, and who was not, each with the reason. */
export function InviteOutcome({
  outcome: { sent, already, refused },
}: {
  readonly outcome: InvitedAddresses;
}) {
  const { invite: words } = useWords(peopleWords);
  const isUnverified = refused.some(
    ({ error }) => isTenantryError(error) && error.code === 'EMAIL_NOT_VERIFIED',
  );
  return (
    <div className={styles['results']}>
      <Notice kind={refused.length > 0 ? 'problem' : 'news'}>
        {sent.length > 0 && <p>{words.sent(sent.map(shownEmail))}</p>}
        {already.map((email) => (
          <p key={email}>{words.already(shownEmail(email))}</p>
        ))}
        {refused.map(({ email, error }) => (
          <p key={email}>
            <b>{shownEmail(email)}</b> <Reason error={error} />
          </p>
        ))}
      </Notice>
      {isUnverified && <ConfirmOwnAddress />}
    </div>
  );
}

/** Why an address was refused: what is wrong with it, if that is it. */
function Reason({ error }: { readonly error: unknown }) {
  const problem = useProblem(error);
  return problem?.fields['email'] ?? problem?.text;
}

/** Inviting requires a confirmed address of one's own. */
function ConfirmOwnAddress() {
  const { wayOut } = useWords(peopleWords);
  const resend = useConfirmOwnAddress();
  if (resend.isSuccess) return <Notice kind="success">{wayOut.sent(shownEmail(resend.data))}</Notice>;
  return (
    <Row>
      {resend.error !== null && <Failure error={resend.error} />}
      <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
        {wayOut.unverified}
      </Button>
    </Row>
  );
}
