import type { Rows, UserTransaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import type { Passkey } from '../methods/passkeys/passkey.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { Identity } from '../methods/providers/identities.ts';
import type { AddedWays, SignInMethod } from './way-in.ts';
import { lastWayIn } from './ways-in.errors.ts';

/** How a user can sign in. */
interface Ways {
  readonly password: boolean;
  /** By a code or link mailed to the confirmed address. */
  readonly mailed: boolean;
  readonly passkeys: Passkey[];
  readonly identities: Identity[];
}

interface WaysInDependencies extends Pick<Ground, 'database'> {
  /** Whether codes are mailed here. */
  readonly isMailed: boolean;
  readonly passwords: Pick<Passwords, 'isUsable'>;
  readonly passkeys: AddedWays<Passkey>;
  readonly identities: AddedWays<Identity>;
  readonly mail: Pick<Mail, 'addressees'>;
}

/** The sign-in methods of users, of all kinds: the last one cannot be removed. */
export class WaysIn {
  readonly #dependencies: WaysInDependencies;

  constructor(dependencies: WaysInDependencies) {
    this.#dependencies = dependencies;
  }

  /** All ways of a user. */
  list(userId: string): Promise<Ways> {
    return this.#waysIn(this.#dependencies.database.within({ userId }), userId);
  }

  /** The kinds of them. */
  async methodsOf(userId: string): Promise<SignInMethod[]> {
    return kindsOf(await this.list(userId));
  }

  /**
   * Within a transaction that has locked its user and removed a way.
   *
   * @throws LAST_WAY_IN if none is left, which rolls the removal back
   */
  async requireOneLeft(tx: UserTransaction): Promise<void> {
    const { userId } = tx.scope;
    if (kindsOf(await this.#waysIn(tx, userId)).length === 0) throw lastWayIn();
  }

  /**
   * Within a transaction of the user: deletes the methods that were added to the account, except what the device with the mark
   * `but` has added.
   *
   * @returns how many
   */
  async forgetAdded(
    tx: UserTransaction,
    but: string | null,
  ): Promise<{ readonly passkeys: number; readonly identities: number }> {
    const { passkeys, identities } = this.#dependencies;
    return { passkeys: await passkeys.forget(tx, but), identities: await identities.forget(tx, but) };
  }

  async #waysIn(rows: Rows, userId: string): Promise<Ways> {
    const { isMailed, passwords, passkeys, identities, mail } = this.#dependencies;
    return {
      password: await passwords.isUsable(rows, userId),
      mailed: isMailed && (await mail.addressees.hasProven(rows, userId)),
      passkeys: await passkeys.list(rows),
      identities: await identities.list(rows),
    };
  }
}

function kindsOf({ password, mailed, passkeys, identities }: Ways): SignInMethod[] {
  return [
    ...(password ? (['password'] as const) : []),
    ...(mailed ? (['mailed'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(identities.length > 0 ? (['identity'] as const) : []),
  ];
}
