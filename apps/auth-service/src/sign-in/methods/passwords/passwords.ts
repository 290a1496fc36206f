import { availableParallelism } from 'node:os';
import type { ErrorDetail } from '@tenantry/envelope';
import type { Measurement } from '@tenantry/service/metrics';
import { countBy, type Charge } from '@tenantry/service/rate-limits';
import type { Transaction, Unscoped } from '../../../database.ts';
import { addressKeyOf, type Client, type Ground, type User } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Lockout } from '../../lockout/lockout.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import { invalidCredentials, wrongPassword } from '../../sign-in.errors.ts';
import { HashingTurns } from './hashing-turns.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { PasswordFailures } from './password-failures.ts';
import { PasswordHashing, type HashingReason } from './password-hashing.ts';
import {
  acceptPassword,
  findingOf,
  normalizePassword,
  type NormalizedPassword,
  type PasswordOwner,
  type PasswordRules,
} from './password-policy.ts';
import { PasswordsRepository } from './passwords.repository.ts';

interface PasswordsDependencies extends Ground {
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox' | 'mailedTokens'>;
}

/** An address and a claimed password, as they are entered to sign in. */
interface EnteredPassword {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** A signed-in user who must enter the password again. */
interface PasswordConfirmation {
  readonly user: Pick<User, 'id' | 'email'>;
  readonly sessionId: string;
  readonly password: string;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string;
  readonly client: Client;
  /** The result of {@link Passwords.spendInSession}, if shared with other work. */
  readonly reason?: HashingReason;
}

/** Work on a password of a user, in one of the user's sessions. */
interface SessionWork {
  readonly userId: string;
  readonly sessionId: string;
  readonly client: Client;
}

/** A password that is about to be stored. */
interface PreparedPassword {
  /** The result of {@link Passwords.prepare}. */
  readonly prepared: string;
  /** The mark of the client that its user has chosen it on; null where another person has chosen it. */
  readonly setOn: string | null;
}

/** Sets and checks passwords. */
export class Passwords implements Method<EnteredPassword> {
  /** The load of the hashing queue. */
  readonly measurements: readonly Measurement[];
  readonly #dependencies: PasswordsDependencies;
  readonly #repository = new PasswordsRepository();
  readonly #hashing: PasswordHashing;
  readonly #attempts: PasswordAttempts;

  constructor(dependencies: PasswordsDependencies) {
    this.#dependencies = dependencies;
    const { config, secrets, logger, hashingWaitMsMax: waitMsMax } = dependencies;
    // One job per processor; one worker thread stays free for signatures and name look-ups.
    const runningMax = Math.min(availableParallelism(), config.UV_THREADPOOL_SIZE - 1);
    const turns = new HashingTurns({ runningMax, waitingMax: 64, waitMsMax });
    this.measurements = turns.measurements;
    this.#hashing = new PasswordHashing({
      secrets,
      cost: config.BCRYPT_COST,
      turns,
      onUnreadableHash: (problem) => logger.error({ problem }, 'add the secret to AUTH_SECRET_PREVIOUS'),
    });
    const parts = { ...dependencies, repository: this.#repository, hashing: this.#hashing };
    this.#attempts = new PasswordAttempts({ ...parts, failures: new PasswordFailures(parts) });
  }

  async prove(entered: EnteredPassword): Promise<Proof> {
    const { config, signInLimits } = this.#dependencies;
    // A password that is too long is refused before counting.
    const password = normalizePassword(entered.password);
    const { email, client } = entered;
    const refusal = invalidCredentials({ emailVerificationRequired: config.REQUIRE_EMAIL_VERIFICATION });
    return signInLimits.attempt({ email, client }, (counted) => {
      const reason = { asking: { address: addressKeyOf(client), account: email }, counted };
      return this.#attempts.prove({ email, password, client }, { refusal, reason });
    });
  }

  /** As {@link Passwords.prove}, for a user who is known already: limited as {@link Passwords.spendInSession} says. */
  async confirm(confirmation: PasswordConfirmation): Promise<Proof> {
    const { user, sessionId, field, client, reason: given } = confirmation;
    const password = normalizePassword(confirmation.password, field);
    const reason = given ?? (await this.spendInSession({ userId: user.id, sessionId, client }));
    const claim = { email: user.email, userId: user.id, password, client };
    return this.#attempts.prove(claim, { refusal: wrongPassword(field), reason });
  }

  /**
   * Counts work on a password by session and by address, before anything is hashed: whoever has copied a token of one session
   * must use up neither the other sessions' limit nor that of a reset. Sign-ins, sign-ups and provisioning have limits of their
   * own.
   *
   * @throws RATE_LIMITED
   */
  spendInSession({ userId, sessionId, client }: SessionWork): Promise<HashingReason> {
    const { passwords, passwordsOfUser } = this.#dependencies.limits;
    return this.#spend({ userId, client }, [
      { limiter: passwords, key: sessionId },
      { limiter: passwordsOfUser, key: userId },
    ]);
  }

  /** The same for a reset, which takes a token that was mailed to the user. @throws RATE_LIMITED */
  spendForReset({ userId, client }: Omit<SessionWork, 'sessionId'>): Promise<HashingReason> {
    const { passwordResets } = this.#dependencies.limits;
    return this.#spend({ userId, client }, [{ limiter: passwordResets, key: userId }]);
  }

  async #spend(
    { userId, client }: Omit<SessionWork, 'sessionId'>,
    charges: readonly [Charge, ...Charge[]],
  ): Promise<HashingReason> {
    const address = addressKeyOf(client);
    const byAddress = { limiter: this.#dependencies.limits.passwordsByAddress, key: address };
    return { asking: { userId, address }, counted: await countBy(...charges, byAddress) };
  }

  /** The policy's findings about a new password. */
  findingOf(password: string, owner: PasswordOwner, field?: string): ErrorDetail | undefined {
    return findingOf(password, owner, this.#rules(field));
  }

  /** A new password that the policy accepts, before limits count its hashing. @throws VALIDATION_ERROR */
  accept(password: string, owner: PasswordOwner, field?: string): NormalizedPassword {
    return acceptPassword(password, owner, this.#rules(field));
  }

  #rules(field: string | undefined): PasswordRules {
    return { lengthMin: this.#dependencies.config.PASSWORD_MIN_LENGTH, field };
  }

  /** Hashes a new password. @returns the hash to store */
  prepare(accepted: NormalizedPassword, reason: HashingReason): Promise<string> {
    return this.#hashing.hash(accepted, reason);
  }

  /** Stores the password of a user, in place of a former one, which may have been disabled. */
  async store(tx: Transaction, userId: string, { prepared, setOn }: PreparedPassword): Promise<void> {
    const at = this.#dependencies.now();
    await this.#repository.set(tx, { userId, passwordHash: prepared, setOn, at });
  }

  /**
   * Deletes the password of a user.
   *
   * @param but the mark of a client whose own password stays
   * @returns whether one was deleted
   */
  forget(tx: Transaction, userId: string, but: string | null = null): Promise<boolean> {
    return this.#repository.remove(tx, userId, but);
  }

  /** Whether a user has a password to sign in with; a disabled one does not count. */
  isUsable(rows: Unscoped, userId: string): Promise<boolean> {
    return this.#repository.isUsable(rows, userId);
  }
}
