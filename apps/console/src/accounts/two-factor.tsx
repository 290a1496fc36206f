import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useWords } from '../design/language.ts';
import { Row, Stack } from '../design/page.tsx';
import { Failure, useTold } from '../failures/failure.tsx';
import { useReload, useSignedIn } from '../sessions/sessions.queries.ts';
import { accountWords } from './accounts.words.ts';
import { BackupCodes } from './backup-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';
import { useDisableTwoFactor, useRenewBackupCodes } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';

/** Whether signing in asks for a code too, and how that is changed. */
export function TwoFactor() {
  const { twoFactor } = useSignedIn();
  const reload = useReload();
  const [codes, setCodes] = useState<readonly string[]>();
  const show = (made: readonly string[]) => setCodes(made);
  const done = () => {
    setCodes(undefined);
    void reload();
  };
  return (
    <>
      {twoFactor.enabled ? <TurnedOn onCodes={show} /> : <TurnedOff onCodes={show} />}
      {codes && <BackupCodes codes={codes} onSaved={done} />}
    </>
  );
}

interface StateProps {
  readonly onCodes: (codes: readonly string[]) => void;
}

function TurnedOff({ onCodes }: StateProps) {
  const words = useWords(twoFactorWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack>
      <p>{words.off}</p>
      <Row>
        <Button kind="primary" onClick={() => setOpen(true)}>
          {words.turnOn}
        </Button>
      </Row>
      {isOpen && (
        <TwoFactorSetup
          onCancel={() => setOpen(false)}
          onTurnedOn={(codes) => {
            setOpen(false);
            onCodes(codes);
          }}
        />
      )}
    </Stack>
  );
}

function TurnedOn({ onCodes }: StateProps) {
  const words = useWords(twoFactorWords);
  const { twoFactor } = useSignedIn();
  const renew = useRenewBackupCodes();
  const [isLeaving, setLeaving] = useState(false);
  const { backupCodesLeft: left } = twoFactor;
  return (
    <Stack>
      <p>
        {words.on} {left === 0 ? words.noCodesLeft : words.codesLeft(left)}
      </p>
      {renew.error !== null && <Failure error={renew.error} />}
      <Row>
        <Button isBusy={renew.isPending} onClick={() => renew.mutate(undefined, { onSuccess: onCodes })}>
          {words.renew}
        </Button>
        <Button kind="danger" onClick={() => setLeaving(true)}>
          {words.turnOff}
        </Button>
      </Row>
      {isLeaving && <TurnOffDialog onClose={() => setLeaving(false)} />}
    </Stack>
  );
}

function TurnOffDialog({ onClose }: { readonly onClose: () => void }) {
  const { leave, ...words } = useWords(twoFactorWords);
  const account = useWords(accountWords);
  const disable = useDisableTwoFactor();
  const told = useTold(disable.error);
  return (
    <Dialog title={leave.title} onClose={onClose}>
      <p>{leave.text}</p>
      <Form
        refusal={disable.error}
        onSubmit={({ text, code }) => {
          disable.mutate({ password: text('password'), code: code('code') }, { onSuccess: onClose });
        }}
      >
        {disable.error !== null && <Failure error={disable.error} />}
        <PasswordField
          name="password"
          autoComplete="current-password"
          autoFocus
          label={words.password}
          words={account}
          error={told?.fields['password']}
          isWrong={told?.code === 'INVALID_CREDENTIALS'}
        />
        <TextField
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          label={words.scan.code}
          hint={leave.codeHint}
          error={told?.fields['code']}
          isWrong={told?.code === 'INVALID_CODE'}
        />
        <Row>
          <Button type="submit" kind="danger" isBusy={disable.isPending}>
            {words.turnOff}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
        </Row>
      </Form>
    </Dialog>
  );
}
