import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Row, Stack } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useReload, useSignedIn } from '../sessions/sessions.queries.ts';
import { BackupCodes } from './backup-codes.tsx';
import { TwoFactorByPasskey } from './two-factor-by-passkey.tsx';
import { TurnOffDialog } from './two-factor-off.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';
import { useRenewBackupCodes } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';
import { useWaysIn } from './ways-in.queries.ts';
import { useKnowsPasskeys } from '../sessions/ways/passkeys.queries.ts';

/** Shows whether two-factor authentication is on, and changes it. */
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
  const [setUp, setSetUp] = useState<'app' | 'passkey'>();
  const passkeys = useWaysIn().data?.passkeys ?? [];
  const knowsPasskeys = useKnowsPasskeys();
  const onCancel = () => setSetUp(undefined);
  const onTurnedOn = (codes: readonly string[]) => {
    setSetUp(undefined);
    onCodes(codes);
  };
  return (
    <Stack>
      <p>{words.off}</p>
      <Row>
        <Button kind="primary" onClick={() => setSetUp('app')}>
          {words.turnOn}
        </Button>
        {passkeys.length > 0 && knowsPasskeys && (
          <Button onClick={() => setSetUp('passkey')}>{words.turnOnByPasskey}</Button>
        )}
      </Row>
      {setUp === 'app' && <TwoFactorSetup {...{ onCancel, onTurnedOn }} />}
      {setUp === 'passkey' && <TwoFactorByPasskey {...{ onCancel, onTurnedOn }} />}
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
