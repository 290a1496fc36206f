import type { Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Sessions } from '../../../sessions/index.ts';
import { PasskeyAnswers } from './passkey-answers.ts';
import { PasskeyFactor } from './passkey-factor.ts';
import { Passkeys } from './passkeys.ts';
import { PasskeySignIn } from './passkey-sign-in.ts';

/** Passkeys, and what they are used for. @throws ConfigError where no allowed origin belongs to the domain */
export function createPasskeyWing(
  dependencies: Ground & { readonly mail: Mail; readonly sessions: Sessions },
) {
  const parts = { ...dependencies, answers: new PasskeyAnswers(dependencies) };
  return {
    passkeys: new Passkeys(parts),
    passkeySignIn: new PasskeySignIn(parts),
    passkeyFactor: new PasskeyFactor(parts),
  };
}
