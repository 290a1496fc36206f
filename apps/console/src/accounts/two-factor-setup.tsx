import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { OwnPasswordField, ownPassword, useHasPassword } from './own-password.tsx';
import styles from './two-factor.module.css';
import { useBeginTwoFactor, useCompleteTwoFactor, type Enrolment } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';

interface TwoFactorSetupProps {
  readonly onCancel: () => void;
  /** Turned on, with backup codes to use in place of the app. */
  readonly onTurnedOn: (backupCodes: readonly string[]) => void;
}

/** Turns on two-factor authentication: the password, then the app, confirmed by a code. */
export function TwoFactorSetup({ onCancel, onTurnedOn }: TwoFactorSetupProps) {
  const { begin, scan } = useWords(twoFactorWords);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  return (
    <Dialog title={enrolment ? scan.title : begin.title} onClose={onCancel}>
      {enrolment ? (
        <CodeForm
          enrolment={enrolment}
          onCancel={onCancel}
          onConfirmed={() => onTurnedOn(enrolment.backupCodes)}
        />
      ) : (
        <PasswordForm onCancel={onCancel} onEnrolment={setEnrolment} />
      )}
    </Dialog>
  );
}

interface PasswordFormProps {
  readonly onCancel: () => void;
  readonly onEnrolment: (enrolment: Enrolment) => void;
}

function PasswordForm({ onCancel, onEnrolment }: PasswordFormProps) {
  const { begin, ...words } = useWords(twoFactorWords);
  const hasPassword = useHasPassword();
  const enable = useBeginTwoFactor();
  const problem = useProblem(enable.error);
  return (
    <PlainForm
      refusal={enable.error}
      onSubmit={(values) => enable.mutate(ownPassword(values), { onSuccess: onEnrolment })}
    >
      {enable.error !== null && <Failure error={enable.error} />}
      <p>{hasPassword ? begin.text : begin.bare}</p>
      <OwnPasswordField problem={problem} />
      <Row>
        <Button type="submit" kind="primary" isBusy={enable.isPending}>
          {begin.submit}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </Row>
    </PlainForm>
  );
}

interface CodeFormProps {
  readonly enrolment: Enrolment;
  readonly onCancel: () => void;
  readonly onConfirmed: () => void;
}

function CodeForm({ enrolment, onCancel, onConfirmed }: CodeFormProps) {
  const { scan, ...words } = useWords(twoFactorWords);
  const complete = useCompleteTwoFactor();
  const problem = useProblem(complete.error);
  return (
    <PlainForm
      refusal={complete.error}
      onSubmit={({ code }) => complete.mutate(code('code'), { onSuccess: onConfirmed })}
    >
      {complete.error !== null && <Failure error={complete.error} />}
      <p>{scan.text}</p>
      <img className={styles['picture']} src={enrolment.qrCode} alt={scan.picture} width="200" height="200" />
      <div className={styles['secret']}>
        <span>
          {scan.secret}: <code>{inGroups(enrolment.secret)}</code>
        </span>
        <CopyButton text={enrolment.secret} words={words} />
      </div>
      <TextField
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        autoFocus
        label={scan.code}
        error={problem?.fields['code']}
        isWrong={problem?.code === 'INVALID_CODE'}
      />
      <Row>
        <Button type="submit" kind="primary" isBusy={complete.isPending}>
          {scan.submit}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </Row>
    </PlainForm>
  );
}

/** In groups, for typing. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
