import { invalidField } from '@tenantry/envelope';
import type { ApiError } from '@tenantry/envelope';
import { clientMark, type Client, type Ground } from '../../ground/index.ts';
import type { Principal } from '../../sessions/index.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { Proof } from '../proof.ts';
import { passwordRefusals } from '../sign-in.errors.ts';
import type { WaysIn } from '../ways-in/ways-in.ts';
import { recentSeconds, signInRequired } from './step-up.errors.ts';

/** Proof in a request that its sender owns the account. */
interface OwnerConfirmation {
  readonly password: string | undefined;
  readonly client: Client;
  /** Other proof, with which a user without a password needs nothing more. */
  readonly besides?: 'second-factor';
}

/**
 * Requires the password in any case or, of a user without one, a sign-in within the last five minutes on this device: a copied
 * access token must not set up what its owner does not know.
 *
 * @returns the proof by the password, to be checked again in the transaction; undefined without a password
 * @throws VALIDATION_ERROR where the password is missing; INVALID_CREDENTIALS; INSUFFICIENT_USER_AUTHENTICATION
 */
export type ConfirmOwner = (principal: Principal, given: OwnerConfirmation) => Promise<Proof | undefined>;

interface ConfirmOwnerDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly passwords: Pick<Passwords, 'confirm' | 'isUsable'>;
  readonly waysIn: Pick<WaysIn, 'methodsOf'>;
}

export function createConfirmOwner(dependencies: ConfirmOwnerDependencies): ConfirmOwner {
  const { database, passwords, waysIn, now } = dependencies;

  return async (principal, { password, client, besides }) => {
    const { user, session } = principal;
    if (password !== undefined) return passwords.confirm({ user, sessionId: session.id, password, client });
    if (await passwords.isUsable(database.unscoped, user.id)) throw passwordMissing();
    if (besides !== undefined || (isRecent(session, now()) && isOnItsDevice(principal, client)))
      return undefined;
    throw signInRequired(await waysIn.methodsOf(user.id));
  };
}

/** Clocks may differ that much; what lies further ahead would never grow old. */
const aheadMsMax = 5_000;

/** Whether a session's user authenticated recently enough for sensitive operations. */
export function isRecent(
  { authenticatedAt }: Pick<Principal['session'], 'authenticatedAt'>,
  at: Date,
): boolean {
  const ageMs = at.getTime() - authenticatedAt.getTime();
  return ageMs >= -aheadMsMax && ageMs <= recentSeconds * 1_000;
}

/** Whether a request comes from the device of its session; one that names none counts by its User-Agent and address. */
export function isOnItsDevice({ user, session }: Principal, client: Client): boolean {
  return clientMark(user.id, client) === clientMark(user.id, session.client);
}

/** What {@link ConfirmOwner} throws, for the `errors` of a route. */
export const ownerRefusals: readonly ApiError[] = [...passwordRefusals, signInRequired(['mailed'])];

function passwordMissing(): ApiError {
  return invalidField({ field: 'password', rule: 'required', message: 'is required' });
}
