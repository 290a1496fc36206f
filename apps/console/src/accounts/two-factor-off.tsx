import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { PlainForm, type Values } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useKnowsPasskeys } from '../sessions/ways/passkeys.queries.ts';
import { OwnPasswordField, ownPassword } from './own-password.tsx';
import { useDisableByPasskey, useDisableTwoFactor } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';

/** Turns off two-factor authentication, by a passkey if there is one, or by a code. */
export function TurnOffDialog({ onClose }: { readonly onClose: () => void }) {
  const { leave, ...words } = useWords(twoFactorWords);
  const { twoFactor } = useSignedIn();
  const [byCode, byPasskey] = [useDisableTwoFactor(), useDisableByPasskey()];
  const error = byCode.error ?? byPasskey.error;
  const problem = useProblem(error);
  const hasPasskey = useKnowsPasskeys() && twoFactor.methods.includes('passkey');
  const submit = (values: Values) => {
    const owner = ownPassword(values);
    const code = values.code('code');
    if (hasPasskey && code === '') {
      byCode.reset();
      byPasskey.mutate(owner, { onSuccess: (isOff) => isOff && onClose() });
    } else {
      byPasskey.reset();
      byCode.mutate({ ...owner, code }, { onSuccess: onClose });
    }
  };
  return (
    <Dialog title={leave.title} onClose={onClose}>
      <p>{leave.text}</p>
      <PlainForm refusal={error} onSubmit={submit}>
        {error !== null && <Failure error={error} />}
        <OwnPasswordField problem={problem} />
        <TextField
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          label={words.scan.code}
          hint={hasPasskey ? leave.orPasskey : leave.codeHint}
          error={problem?.fields['code']}
          isWrong={problem?.code === 'INVALID_CODE'}
        />
        <Row>
          <Button type="submit" kind="danger" isBusy={byCode.isPending || byPasskey.isPending}>
            {words.turnOff}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </Row>
      </PlainForm>
    </Dialog>
  );
}
