import type { Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Sessions } from '../../../sessions/index.ts';
import { PasskeyAnswers } from './passkey-answers.ts';
import { PasskeyFactor } from './passkey-factor.ts';
import { Passkeys } from './passkeys.ts';
import { PasskeySignIn } from './passkey-sign-in.ts';

/** Passkeys, and what they are used for. */
export interface PasskeyWing {
  readonly passkeys: Passkeys;
  readonly passkeySignIn: PasskeySignIn;
  readonly passkeyFactor: PasskeyFactor;
  /** Deletes a batch of used challenges that have ended. */
  readonly sweepUsed: () => Promise<boolean>;
}

/** Makes {@link PasskeyWing}. @throws ConfigError where no allowed origin belongs to the domain */
export function createPasskeyWing(
  dependencies: Ground & { readonly mail: Mail; readonly sessions: Sessions },
): PasskeyWing {
  const parts = { ...dependencies, answers: new PasskeyAnswers(dependencies) };
  const { answers, database } = parts;
  return {
    passkeys: new Passkeys(parts),
    passkeySignIn: new PasskeySignIn(parts),
    passkeyFactor: new PasskeyFactor(parts),
    sweepUsed: () => answers.challenges.sweep(database.unscoped),
  };
}
