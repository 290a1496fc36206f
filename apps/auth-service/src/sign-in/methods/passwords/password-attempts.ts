import type { ApiError } from '@tenantry/envelope';
import type { Client, Ground } from '../../../ground/index.ts';
import type { Counter, Lockout } from '../../lockout/lockout.ts';
import type { Proof } from '../../proof.ts';
import type { PasswordFailures } from './password-failures.ts';
import type { GivenPassword, HashingReason, PasswordHashing, Verdict } from './password-hashing.ts';
import { normalizePassword } from './password-policy.ts';
import type { PasswordsRepository, StoredCredential } from './passwords.repository.ts';

/** An e-mail address and a claimed password. */
export interface PasswordClaim {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
  /** The user whose password it must be, if known. */
  readonly userId?: string;
}

/** The claim to know a password. */
type PasswordClaimant = Omit<PasswordClaim, 'password'>;

/** The context of an attempt. */
export interface Asked {
  readonly field?: string | undefined;
  readonly refusal: ApiError;
  readonly reason: HashingReason;
}

interface PasswordAttemptsDependencies extends Pick<Ground, 'config' | 'database'> {
  readonly repository: Pick<PasswordsRepository, 'findByEmail' | 'isUsable' | 'replace'>;
  readonly hashing: PasswordHashing;
  readonly failures: PasswordFailures;
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
}

/** An attempt whose turn has come. */
interface Begun {
  readonly counter: Counter;
  readonly credential: StoredCredential | undefined;
}

/** Checks passwords, and counts failures. */
export class PasswordAttempts {
  readonly #dependencies: PasswordAttemptsDependencies;

  constructor(dependencies: PasswordAttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Compares a password with the stored one; counts only wrong ones. */
  async prove({ password, ...claimant }: PasswordClaim, { field, refusal, reason }: Asked): Promise<Proof> {
    // A password that is too long is refused before counting.
    normalizePassword(password, field);
    const given = { password, reason };
    const { matches, outdated, counter, credential } = await this.#compare(given, claimant);
    if (!matches || !credential || this.#isRefused(credential)) {
      // An account that cannot be used yet needs no letter, and its password is not disabled.
      const guessed = credential && !this.#isRefused(credential) ? credential : undefined;
      await this.#dependencies.failures.respondTo({ counter, guessed });
      throw refusal;
    }
    if (outdated) await this.#renew(credential, given);
    return this.#proofOf(credential, refusal);
  }

  /**
   * Whether sign-in is not possible yet, even with the right password. That counts like a wrong one: otherwise a person who
   * signs up with an address could find out, by signing in, whether it was taken before. Confirming the address resets the
   * counts.
   */
  #isRefused({ disabled, emailVerified }: StoredCredential): boolean {
    return disabled || (this.#dependencies.config.REQUIRE_EMAIL_VERIFICATION && !emailVerified);
  }

  /** Counts the attempt and finds the password of the account; of a known user, only if the address is still theirs. */
  async #begin({ userId, ...claimant }: PasswordClaimant): Promise<Begun> {
    const { database, repository, lockout } = this.#dependencies;
    const [counter, found] = await Promise.all([
      lockout.reserve(claimant),
      repository.findByEmail(database.unscoped, claimant.email),
    ]);
    return { counter, credential: userId === undefined || found?.userId === userId ? found : undefined };
  }

  async #compare(given: GivenPassword, claimant: PasswordClaimant): Promise<Begun & Verdict> {
    const { hashing, lockout } = this.#dependencies;
    let begun: Begun | undefined;
    const find = async () => {
      begun = await this.#begin(claimant);
      return begun.credential?.passwordHash;
    };
    // Settled before the next attempt begins: concurrent correct passwords must not lock each other out.
    const settle = async ({ matches }: Verdict) => {
      if (matches && begun?.credential && !this.#isRefused(begun.credential))
        await lockout.succeed(begun.counter);
    };
    const verdict = await hashing.verify(given, find, settle);
    if (!begun) throw new Error('a password was compared without counting the attempt');
    return { ...begun, ...verdict };
  }

  async #renew({ userId, passwordHash }: StoredCredential, given: GivenPassword): Promise<void> {
    const { database, repository, hashing } = this.#dependencies;
    const renewed = await hashing.hash(given);
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
