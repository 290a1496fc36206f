import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Failure } from '../failures/failure.tsx';
import { useConfirmOwnAddress } from '../people/invitations.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { shellWords } from './shell.words.ts';
import styles from './unconfirmed.module.css';

/** Says above every page that the reader's address is not confirmed, and sends the link again. */
export function Unconfirmed() {
  const { unconfirmed: words } = useWords(shellWords);
  const { user } = useSignedIn();
  const resend = useConfirmOwnAddress();
  return (
    <div className={styles['banner']} role="status">
      <p className={styles['text']}>
        {resend.isSuccess ? words.sent(shownEmail(resend.data)) : words.text(shownEmail(user.email))}
      </p>
      {resend.error !== null && <Failure error={resend.error} />}
      {!resend.isSuccess && (
        <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
          {words.send}
        </Button>
      )}
    </div>
  );
}
