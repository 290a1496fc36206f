import { availableParallelism } from 'node:os';
import { invalidField, type ErrorDetail } from '@tenantry/envelope';
import type { Measurement } from '@tenantry/service-kit/metrics';
import { countBy, type Charge } from '@tenantry/service-kit/rate-limits';
import type { Transaction, Unscoped } from '../../../database.ts';
import { addressKeyOf, type Client, type Ground, type User } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Lockout } from '../../lockout/lockout.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import { invalidCredentials, wrongPassword } from '../../sign-in.errors.ts';
import { HashingTurns } from './hashing-turns.ts';
import { PasswordAttempts, type PasswordClaim } from './password-attempts.ts';
import { PasswordFailures } from './password-failures.ts';
import { PasswordHashing, type HashingReason } from './password-hashing.ts';
import { findingOf, normalizePassword, type PasswordOwner } from './password-policy.ts';
import { PasswordsRepository } from './passwords.repository.ts';

interface PasswordsDependencies extends Ground {
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox' | 'mailedTokens'>;
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

/** A new password of a user. */
interface ChosenPassword {
  readonly password: string;
  readonly owner: PasswordOwner;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string;
  readonly reason: HashingReason;
}

/** A password that is about to be stored. */
interface PreparedPassword {
  /** The result of {@link Passwords.prepare}. */
  readonly prepared: string;
  /** The mark of the client that its user has chosen it on; null where another person has chosen it. */
  readonly setOn: string | null;
}

/** Sets and checks passwords. */
export class Passwords implements Method<PasswordClaim> {
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

  async prove(claim: PasswordClaim): Promise<Proof> {
    const { config, signInLimits } = this.#dependencies;
    const address = addressKeyOf(claim.client);
    // A password that is too long is refused before counting.
    normalizePassword(claim.password);
    const refusal = invalidCredentials({ emailVerificationRequired: config.REQUIRE_EMAIL_VERIFICATION });
    return signInLimits.attempt(claim, (counted) =>
      this.#attempts.prove(claim, {
        refusal,
        reason: { asking: { address, account: claim.email }, counted },
      }),
    );
  }

  /** As {@link Passwords.prove}, for a user who is known already: limited as {@link Passwords.spendInSession} says. */
  async confirm(confirmation: PasswordConfirmation): Promise<Proof> {
    const { user, sessionId, password, field, client, reason: given } = confirmation;
    const reason = given ?? (await this.spendInSession({ userId: user.id, sessionId, client }));
    const claim = { email: user.email, userId: user.id, password, client };
    return this.#attempts.prove(claim, { field, refusal: wrongPassword(field), reason });
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
    return findingOf(password, owner, { lengthMin: this.#dependencies.config.PASSWORD_MIN_LENGTH, field });
  }

  /** Refuses a new password that the policy forbids, before limits count the hashing. @throws VALIDATION_ERROR */
  requireAcceptable(password: string, owner: PasswordOwner, field?: string): void {
    const finding = this.findingOf(password, owner, field);
    if (finding) throw invalidField(finding);
  }

  /** Checks a new password against the policy, and hashes it. @returns the hash to store */
  async prepare({ password, owner, field, reason }: ChosenPassword): Promise<string> {
    this.requireAcceptable(password, owner, field);
    return this.#hashing.hash({ password, reason });
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
