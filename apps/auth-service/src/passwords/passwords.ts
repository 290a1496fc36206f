import type { Transaction } from '../database.ts';
import type { PasswordHashing } from './password-hashing.ts';
import { requireAcceptable, type PasswordOwner } from './password-policy.ts';
import { invalidCredentials } from './passwords.errors.ts';
import type { PasswordsRepository } from './passwords.repository.ts';

/** What the use cases of passwords need. */
export interface PasswordsDependencies {
  readonly repository: PasswordsRepository;
  readonly hashing: PasswordHashing;
  readonly lengthMin: number;
  readonly now: () => Date;
}

/** Setting and proving passwords. */
export interface Passwords {
  /** Checks a new password against the policy and gives what {@link Passwords.store} takes. */
  prepare(password: string, owner: PasswordOwner): Promise<string>;
  /** Stores the first password of a user. */
  store(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /** Says whose e-mail address and password these are, or refuses without saying why. */
  authenticate(claim: { readonly email: string; readonly password: string }): Promise<{ userId: string }>;
}

/** Makes the use cases of passwords. */
export function createPasswords(dependencies: PasswordsDependencies): Passwords {
  const { repository, hashing, lengthMin, now } = dependencies;

  return {
    async prepare(password, owner) {
      requireAcceptable(password, owner, lengthMin);
      return hashing.hash(password);
    },

    async store(tx, userId, prepared) {
      await repository.insert(tx, { userId, passwordHash: prepared, at: now() });
    },

    async authenticate({ email, password }) {
      const credential = await repository.findByEmail(email);
      const { matches, outdated } = await hashing.verify(password, credential?.passwordHash);
      if (!credential || !matches || credential.disabled) throw invalidCredentials();

      const { userId, passwordHash } = credential;
      if (outdated) {
        const renewed = await hashing.hash(password);
        await repository.replace({ userId, from: passwordHash, to: renewed, at: now() });
      }
      return { userId };
    },
  };
}
