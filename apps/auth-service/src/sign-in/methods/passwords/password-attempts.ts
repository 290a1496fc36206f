import type { ApiError } from '@tenantry/envelope';
import type { Client, Ground } from '../../../ground/index.ts';
import type { Counter, Lockout } from '../../lockout/lockout.ts';
import type { Proof } from '../../proof.ts';
import type { PasswordFailures } from './password-failures.ts';
import type { HashingReason, PasswordHashing, Verdict } from './password-hashing.ts';
import type { NormalizedPassword } from './password-policy.ts';
import type { PasswordsRepository, StoredCredential } from './passwords.repository.ts';

/** An e-mail address and a claimed password. */
export interface PasswordClaim {
  readonly email: string;
  readonly password: NormalizedPassword;
  readonly client: Client;
  /** The user whose password it must be, if known. */
  readonly userId?: string;
}

/** The context of an attempt. */
interface Asked {
  readonly refusal: ApiError;
  readonly reason: HashingReason;
}

interface PasswordAttemptsDependencies extends Pick<Ground, 'config' | 'database'> {
  readonly repository: Pick<PasswordsRepository, 'findByEmail' | 'isUsable' | 'replace'>;
  readonly hashing: PasswordHashing;
  readonly failures: PasswordFailures;
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
}

/** An attempt that was counted, and compared with the password of its account. */
interface Compared extends Verdict {
  readonly counter: Counter;
  /** Undefined where nobody can sign in with a password, not even the right one. */
  readonly usable: StoredCredential | undefined;
}

/** Checks passwords, and counts failures. */
export class PasswordAttempts {
  readonly #dependencies: PasswordAttemptsDependencies;

  constructor(dependencies: PasswordAttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Compares a password with the stored one; counts only wrong ones. */
  async prove(claim: PasswordClaim, { refusal, reason }: Asked): Promise<Proof> {
    const { counter, usable, matches, outdated } = await this.#compare(claim, reason);
    if (!matches || !usable) {
      // An account that cannot be used yet needs no letter, and its password is not disabled.
      await this.#dependencies.failures.respondTo({ counter, guessed: usable });
      throw refusal;
    }
    if (outdated) await this.#renew(usable, claim.password, reason);
    return this.#proofOf(usable, refusal);
  }

  /** Counts the attempt once its turn has come: waiting attempts hold no resources, and a locked address saves the work. */
  async #compare(claim: PasswordClaim, reason: HashingReason): Promise<Compared> {
    const { database, repository, hashing, lockout } = this.#dependencies;
    const turn = await hashing.take(reason);
    try {
      const [counter, found] = await Promise.all([
        lockout.reserve(claim),
        repository.findByEmail(database.unscoped, claim.email),
      ]);
      const isTheirs = claim.userId === undefined || found?.userId === claim.userId;
      const credential = isTheirs ? found : undefined;
      const verdict = await turn.compare(claim.password, credential?.passwordHash);
      const usable = credential && this.#isUsable(credential) ? credential : undefined;
      // Before the next attempt begins: concurrent correct passwords must not lock each other out.
      if (verdict.matches && usable) await lockout.succeed(counter);
      return { ...verdict, counter, usable };
    } finally {
      turn.giveBack();
    }
  }

  /**
   * Whether sign-in is possible with the right password. Where it is not yet, the right one counts like a wrong one: otherwise a
   * person who signs up with an address could find out, by signing in, whether it was taken before. Confirming the address resets
   * the counts.
   */
  #isUsable({ disabled, emailVerified }: StoredCredential): boolean {
    return !disabled && (emailVerified || !this.#dependencies.config.REQUIRE_EMAIL_VERIFICATION);
  }

  async #renew(
    { userId, passwordHash }: StoredCredential,
    password: NormalizedPassword,
    reason: HashingReason,
  ): Promise<void> {
    const { database, repository, hashing } = this.#dependencies;
    const renewed = await hashing.hash(password, reason);
    await repository.replace(database.unscoped, { userId, from: passwordHash, to: renewed });
  }

  #proofOf({ userId, setAt }: StoredCredential, refusal: ApiError): Proof {
    const { repository } = this.#dependencies;
    return {
      userId,
      amr: ['pwd'],
      acr: 'aal1',
      async requireValid(tx) {
        if (!(await repository.isUsable(tx, userId, setAt))) throw refusal;
      },
    };
  }
}
