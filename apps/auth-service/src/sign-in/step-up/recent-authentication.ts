import type { Ground } from '../../ground/index.ts';
import {
  sessionConfined,
  type Principal,
  type SensitiveOperation,
  type StepUpRequirement,
} from '../../sessions/index.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import { secondFactorMethods, strongNames } from '../second-factors/second-factor.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import { passwordRefusals } from '../sign-in.errors.ts';
import type { WaysIn } from '../ways-in/ways-in.ts';
import { isOnItsDevice, isRecent } from './confirm-owner.ts';
import { passwordRequired, secondFactorRequired, signInRequired } from './step-up.errors.ts';

interface RecentAuthenticationDependencies extends Pick<Ground, 'now'> {
  readonly secondFactors: Pick<SecondFactors, 'state'>;
  readonly passwords: Pick<Passwords, 'confirm'>;
  readonly waysIn: Pick<WaysIn, 'methodsOf'>;
}

/**
 * A user with a second factor must have verified it in the last five minutes, in every organization and role. Others send their
 * password, or must have signed in as recently. What concerns a way into the account takes the password, or either of these on
 * the device of the session: a copied access token must not become a way in. ASVS 5.0, 7.5.1 and 7.5.3.
 *
 * In a session that is confined to an organization only a second factor of the user's own counts.
 */
export class RecentAuthentication implements StepUpRequirement {
  readonly refusals = [
    secondFactorRequired(secondFactorMethods),
    passwordRequired(),
    signInRequired(['mailed']),
    sessionConfined(),
    ...passwordRefusals,
  ];
  readonly #dependencies: RecentAuthenticationDependencies;

  constructor(dependencies: RecentAuthenticationDependencies) {
    this.#dependencies = dependencies;
  }

  async require(principal: Principal, { concerns, password, client }: SensitiveOperation): Promise<void> {
    const { secondFactors, passwords, waysIn, now } = this.#dependencies;
    const { user, session } = principal;
    const isConfined = session.confinement !== null;
    // A connection speaks for its user in the organization, and not for what outlasts it.
    const isConfirmed = isRecent(session, now()) && (!isConfined || hasOwnFactor(session));
    const { enabled, methods } = await secondFactors.state(user.id);
    if (enabled && (!isConfirmed || session.acr !== 'aal2')) throw secondFactorRequired(methods);
    const counts = concerns === 'way-in' ? isConfirmed && isOnItsDevice(principal, client) : isConfirmed;
    if (isConfined && concerns !== 'others' && !counts) throw sessionConfined();
    if (concerns !== 'others' && password === undefined && !counts) {
      const ways = await waysIn.methodsOf(user.id);
      throw ways.includes('password') ? passwordRequired() : signInRequired(ways);
    }
    // A password is checked even if none is required.
    if (password !== undefined) await passwords.confirm({ user, sessionId: session.id, password, client });
  }
}

/** Whether the user has shown a second factor of their own, whatever a connection has said. */
const hasOwnFactor = ({ amr }: Pick<Principal['session'], 'amr'>): boolean =>
  strongNames.some((name) => amr.includes(name));
