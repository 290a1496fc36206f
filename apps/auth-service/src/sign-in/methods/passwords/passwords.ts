import type { Transaction } from '../../../database.ts';
import type { Counter } from '../../lockout/failure-counter.ts';
import type { Claimant, Lockout } from '../../lockout/lockout.ts';
import type { PasswordHashing, Verdict } from './password-hashing.ts';
import { normalizePassword, requireAcceptable, type PasswordOwner } from './password-policy.ts';
import { invalidCredentials } from './passwords.errors.ts';
import type { PasswordsRepository, StoredCredential } from './passwords.repository.ts';

/** What the use cases of passwords need. */
export interface PasswordsDependencies {
  readonly repository: PasswordsRepository;
  readonly hashing: PasswordHashing;
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
  /** Told of every failure of a password that somebody has. */
  readonly onFailure: (failure: Failure) => Promise<void>;
  readonly lengthMin: number;
  /** Whether an address has to be confirmed before anyone signs in with it. */
  readonly emailVerificationRequired: boolean;
  readonly now: () => Date;
}

/** A password that was not right. */
export interface Failure {
  readonly counter: Counter;
  /** Undefined for an address without an account, or whose password is disabled already. */
  readonly userId: string | undefined;
}

/** An e-mail address and what should be its password. */
export interface PasswordClaim extends Claimant {
  readonly password: string;
}

/** Somebody has proved a password. */
export interface PasswordProof {
  readonly userId: string;
  /** Which password it was, by the moment at which it was set. */
  readonly setAt: Date;
}

/** An attempt whose turn has come. */
interface Attempt {
  readonly counter: Counter;
  readonly credential: StoredCredential | undefined;
}

/** Setting and proving passwords. */
export interface Passwords {
  /** Checks a new password against the policy and gives what {@link Passwords.store} takes. */
  prepare(password: string, owner: PasswordOwner, field?: string): Promise<string>;
  /** Stores the first password of a user. */
  store(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /**
   * Says whose e-mail address and password these are, or refuses without saying why.
   *
   * @throws INVALID_CREDENTIALS (401); ACCOUNT_LOCKED (429) after too many of them.
   */
  authenticate(claim: PasswordClaim): Promise<PasswordProof>;
  /**
   * Sees, in the transaction of what a proof allows, that the password is still the one that was proved: it may have
   * been reset meanwhile.
   *
   * @throws INVALID_CREDENTIALS
   */
  requireCurrent(tx: Transaction, proof: PasswordProof): Promise<void>;
}

/** Makes the use cases of passwords. */
export function createPasswords(dependencies: PasswordsDependencies): Passwords {
  const { repository, hashing, lockout, onFailure, lengthMin, emailVerificationRequired, now } = dependencies;

  /** Whether nobody signs in with it, whatever the password. */
  const isRefused = ({ disabled, emailVerified }: StoredCredential) =>
    disabled || (emailVerificationRequired && !emailVerified);

  /** Counts the attempt, and finds what it is compared with. */
  async function begin(claimant: Claimant): Promise<Attempt> {
    const [counter, credential] = await Promise.all([
      lockout.reserve(claimant),
      repository.findByEmail(claimant.email),
    ]);
    return { counter, credential };
  }

  async function renew({ userId, passwordHash }: StoredCredential, password: string): Promise<void> {
    const renewed = await hashing.hash(password);
    await repository.replace({ userId, from: passwordHash, to: renewed });
  }

  return {
    async prepare(password, owner, field) {
      requireAcceptable(password, owner, { lengthMin, field });
      return hashing.hash(password);
    },

    async store(tx, userId, prepared) {
      await repository.insert(tx, { userId, passwordHash: prepared, at: now() });
    },

    async authenticate({ password, ...claimant }) {
      // A password that is too long is refused before anything is counted.
      normalizePassword(password);
      let attempt: Attempt | undefined;
      const find = async () => {
        attempt = await begin(claimant);
        return attempt.credential?.passwordHash;
      };
      // Settled within the attempt's turn: right passwords that are in flight together must not lock each other out.
      const settle = async ({ matches }: Verdict) => {
        if (!matches || !attempt?.credential || isRefused(attempt.credential)) return;
        await lockout.succeed(attempt.counter);
      };
      const { matches, outdated } = await hashing.verify(password, find, settle);
      if (!attempt) throw new Error('a password was compared without counting the attempt');
      const { counter, credential } = attempt;

      if (!matches || !credential || isRefused(credential)) {
        await onFailure({ counter, userId: credential?.disabled === false ? credential.userId : undefined });
        throw invalidCredentials({ emailVerificationRequired });
      }
      if (outdated) await renew(credential, password);
      return { userId: credential.userId, setAt: credential.setAt };
    },

    async requireCurrent(tx, proof) {
      if (!(await repository.isCurrent(tx, proof))) throw invalidCredentials({ emailVerificationRequired });
    },
  };
}
