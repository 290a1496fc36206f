import { shownEmail } from '@tenantry/text';
import { Button, ButtonLink } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import styles from './two-factor.module.css';
import { twoFactorWords } from './two-factor.words.ts';

interface BackupCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** Backup codes, which are shown once: closing requires confirming that they are saved. */
export function BackupCodes({ codes, onSaved }: BackupCodesProps) {
  const { codes: words, copy, copied, uncopied } = useWords(twoFactorWords);
  const { user } = useSignedIn();
  const text = codes.join('\n');
  const file = `${words.heading(shownEmail(user.email))}\n\n${text}\n`;
  return (
    <Dialog title={words.title}>
      <p>{words.text}</p>
      <ul className={styles['codes']} aria-label={words.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Row>
        <CopyButton text={text} words={{ copy, copied, uncopied }} />
        <ButtonLink download={words.file} href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
          {words.save}
        </ButtonLink>
        <Button onClick={() => print()}>{words.print}</Button>
      </Row>
      <Button kind="primary" onClick={onSaved}>
        {words.done}
      </Button>
    </Dialog>
  );
}
