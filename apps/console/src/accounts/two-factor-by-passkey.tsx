import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { OwnPasswordField, ownPassword } from './own-password.tsx';
import { useTurnOnByPasskey } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';

interface TwoFactorByPasskeyProps {
  readonly onCancel: () => void;
  /** Turned on, with backup codes to use in place of the passkey. */
  readonly onTurnedOn: (backupCodes: readonly string[]) => void;
}

/** Turns on two-factor authentication with an existing passkey. */
export function TwoFactorByPasskey({ onCancel, onTurnedOn }: TwoFactorByPasskeyProps) {
  const { begin, ...words } = useWords(twoFactorWords);
  const turnOn = useTurnOnByPasskey();
  const problem = useProblem(turnOn.error);
  return (
    <Dialog title={begin.title} onClose={onCancel}>
      <PlainForm
        refusal={turnOn.error}
        onSubmit={(values) =>
          turnOn.mutate(ownPassword(values), { onSuccess: (codes) => codes && onTurnedOn(codes) })
        }
      >
        {turnOn.error !== null && <Failure error={turnOn.error} />}
        <p>{begin.byPasskey}</p>
        <OwnPasswordField problem={problem} />
        <Row>
          <Button type="submit" kind="primary" isBusy={turnOn.isPending}>
            {words.turnOn}
          </Button>
          <Button onClick={onCancel}>{words.cancel}</Button>
        </Row>
      </PlainForm>
    </Dialog>
  );
}
