import type { StepUpAnswer } from '@tenantry/client';
import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { Failure } from '../../failures/failure.tsx';
import { useAskPasskey } from './passkeys.queries.ts';
import { waysWords } from './ways.words.ts';

interface PasskeyProofProps {
  readonly onProof: (proof: Extract<StepUpAnswer, { readonly passkey: object }>) => void;
}

/** Confirming by a passkey in place of a code. */
export function PasskeyProof({ onProof }: PasskeyProofProps) {
  const words = useWords(waysWords);
  const ask = useAskPasskey();
  return (
    <>
      {ask.error !== null && <Failure error={ask.error} />}
      <Button
        isBusy={ask.isPending}
        onClick={() => ask.mutate(undefined, { onSuccess: (passkey) => passkey && onProof({ passkey }) })}
      >
        {words.usePasskey}
      </Button>
    </>
  );
}
