import type { Ground } from '../../ground/index.ts';
import type { Principal, RequireSensitive, SensitiveOperation } from '../../sessions/index.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import { showsSecondFactor } from '../second-factors/second-factor.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import { passwordRefusals } from '../sign-in.errors.ts';
import { passwordRequired, recentSeconds, secondFactorRequired } from './step-up.errors.ts';

/** What step-up needs. */
export interface StepUpDependencies extends Pick<Ground, 'now'> {
  readonly secondFactors: Pick<SecondFactors, 'methodsOf'>;
  readonly passwords: Pick<Passwords, 'confirm'>;
}

/**
 * Makes {@link RequireSensitive}: a user with a second factor must have shown it in the last five minutes, with every
 * organization and role alike. Others send their password, or have signed in as recently. ASVS 5.0, 7.5.1 and 7.5.3.
 */
export function createRequireSensitive(dependencies: StepUpDependencies): RequireSensitive {
  const { secondFactors, passwords, now } = dependencies;

  async function requireSensitive(
    { user, session }: Principal,
    { concerns, password, client }: SensitiveOperation,
  ): Promise<void> {
    const isRecent = now().getTime() - session.authenticatedAt.getTime() <= recentSeconds * 1_000;
    const methods = await secondFactors.methodsOf(user.id);
    if (methods.length > 0) {
      if (!isRecent || !showsSecondFactor(session.amr)) throw secondFactorRequired(methods);
    } else if (concerns === 'own-account' && password === undefined && !isRecent) {
      throw passwordRequired();
    }
    // A password that is sent is checked, even where none is needed.
    if (password !== undefined) await passwords.confirm({ user, password, client });
  }

  return Object.assign(requireSensitive, {
    refusals: [secondFactorRequired(['totp', 'backup-code']), ...passwordRefusals],
  });
}
