import type { Passwords } from '../methods/passwords/passwords.ts';
import type { Client } from '../../ground/callers/client.ts';
import type { Principal } from '../../sessions/session.ts';
import { passwordRequired, recentSeconds, secondFactorRequired } from './step-up.errors.ts';

/** A sensitive operation about to take place. */
export interface SensitiveOperation {
  /**
   * Of a user without a second factor, one's own account asks for the password; what concerns others (members,
   * users) goes by role alone.
   */
  readonly concerns: 'own-account' | 'others';
  /** The password, if the request brings it. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/**
 * Lets a sensitive operation go on, or throws.
 *
 * Whoever has a second factor must have shown it within five minutes, with every organization and role alike; others
 * show the password in the request or have signed in with it as recently. ASVS 5.0, 7.5.1 and 7.5.3.
 *
 * @throws INSUFFICIENT_USER_AUTHENTICATION (401) with the challenge of RFC 9470; INVALID_CREDENTIALS (401) for a
 * wrong password; whatever else a sign-in with it would be refused for.
 */
export type RequireSensitive = (principal: Principal, operation: SensitiveOperation) => Promise<void>;

/** What {@link createRequireSensitive} needs. */
export interface StepUpDependencies {
  /** Whether codes are asked of a user. */
  readonly hasSecondFactor: (userId: string) => Promise<boolean>;
  readonly passwords: Pick<Passwords, 'authenticate'>;
  readonly now: () => Date;
}

/** Makes {@link RequireSensitive}. */
export function createRequireSensitive(dependencies: StepUpDependencies): RequireSensitive {
  const { hasSecondFactor, passwords, now } = dependencies;

  return async ({ user, session }, { concerns, password, client }) => {
    const isRecent = now().getTime() - session.authenticatedAt.getTime() <= recentSeconds * 1_000;
    if (await hasSecondFactor(user.id)) {
      if (isRecent && session.factors.length > 1) return;
      throw secondFactorRequired();
    }
    if (concerns === 'others') return;
    if (password !== undefined) await passwords.authenticate({ email: user.email, password, client });
    else if (!isRecent) throw passwordRequired();
  };
}
