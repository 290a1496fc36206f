import { availableParallelism } from 'node:os';
import { invalidField, type ErrorDetail } from '@tenantry/envelope';
import { addressKey } from '@tenantry/service-kit/addresses';
import type { Measurement } from '@tenantry/service-kit/metrics';
import { countBy } from '@tenantry/service-kit/rate-limits';
import type { Transaction, Unscoped } from '../../../database.ts';
import type { Client, Ground, User } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Lockout } from '../../lockout/lockout.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import { invalidCredentials, wrongPassword } from '../../sign-in.errors.ts';
import { HashingTurns } from './hashing-turns.ts';
import { createPasswordAttempts, type PasswordClaim } from './password-attempts.ts';
import { createPasswordHashing, type HashingReason } from './password-hashing.ts';
import { findingOf, normalizePassword, type PasswordOwner } from './password-policy.ts';
import { createPasswordsRepository } from './passwords.repository.ts';

/** What passwords are built on. */
export interface PasswordsDependencies extends Ground {
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
  readonly signInLimits: Pick<SignInLimits, 'attempt'>;
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail' | 'mailedTokens'>;
}

/** A signed-in user who is asked for the password once more. */
export interface PasswordConfirmation {
  readonly user: Pick<User, 'id' | 'email'>;
  readonly password: string;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string;
  readonly client: Client;
  /** What {@link Passwords.spend} gave, where more than this depends on it. */
  readonly reason?: HashingReason;
}

/** A password that a user is to have. */
export interface ChosenPassword {
  readonly password: string;
  readonly owner: PasswordOwner;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string;
  readonly reason: HashingReason;
}

/** Setting and proving passwords. */
export interface Passwords extends Method<PasswordClaim> {
  /** As {@link Passwords.prove}, for a user who is known already: limited as {@link Passwords.spend} says. */
  confirm(confirmation: PasswordConfirmation): Promise<Proof>;
  /**
   * Counts work on a password by user and by address, before anything is hashed. Sign-ins, sign-ups and provisioning have
   * limits of their own: a stranger must not use up what is the user's.
   *
   * @throws RATE_LIMITED
   */
  spend(by: { readonly userId: string; readonly client: Client }): Promise<HashingReason>;
  /** What the policy says against a new password. */
  findingOf(password: string, owner: PasswordOwner, field?: string): ErrorDetail | undefined;
  /** Refuses a new password that the policy forbids: before limits count what would be hashed. @throws VALIDATION_ERROR */
  requireAcceptable(password: string, owner: PasswordOwner, field?: string): void;
  /** Checks a new password against the policy, and hashes it. @returns what is stored of it */
  prepare(chosen: ChosenPassword): Promise<string>;
  /** Stores the first password of a user. */
  store(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /** Replaces the password of a user, and enables it again if it was disabled. */
  replace(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /** Forgets the password of a user. @returns whether there was one */
  forget(tx: Transaction, userId: string): Promise<boolean>;
  /** Whether a user has a password to sign in with: one that is disabled is none. */
  isUsable(rows: Unscoped, userId: string): Promise<boolean>;
  /** How busy the queue is in which passwords are hashed. */
  readonly measurements: readonly Measurement[];
}

export function createPasswords(dependencies: PasswordsDependencies): Passwords {
  const { config, limits, now, signInLimits } = dependencies;
  const emailVerificationRequired = config.REQUIRE_EMAIL_VERIFICATION;
  const repository = createPasswordsRepository();
  const turns = turnsOf(dependencies);
  const hashing = hashingOf({ ...dependencies, turns });
  const attempt = createPasswordAttempts({ ...dependencies, repository, hashing });

  const judge: Passwords['findingOf'] = (password, owner, field) =>
    findingOf(password, owner, { lengthMin: config.PASSWORD_MIN_LENGTH, field });

  const spend: Passwords['spend'] = async ({ userId, client }) => {
    const address = addressKey(client.ipAddress ?? '');
    const counted = await countBy(
      { limiter: limits.passwords, key: userId },
      { limiter: limits.passwordsByAddress, key: address },
    );
    return { asking: { userId, address }, counted };
  };

  const requireAcceptable: Passwords['requireAcceptable'] = (password, owner, field) => {
    const finding = judge(password, owner, field);
    if (finding) throw invalidField(finding);
  };

  return {
    findingOf: judge,
    requireAcceptable,
    async prepare({ password, owner, field, reason }) {
      requireAcceptable(password, owner, field);
      return hashing.hash({ password, reason });
    },

    async store(tx, userId, prepared) {
      await repository.insert(tx, { userId, passwordHash: prepared, at: now() });
    },

    async replace(tx, userId, prepared) {
      await repository.set(tx, { userId, passwordHash: prepared, at: now() });
    },

    forget: (tx, userId) => repository.remove(tx, userId),
    isUsable: (rows, userId) => repository.isUsable(rows, userId),

    async confirm({ user: { id: userId, email }, password, field, client, reason }) {
      const asked = { field, refusal: wrongPassword(field) };
      const spent = reason ?? (await spend({ userId, client }));
      return attempt({ email, password, client }, { ...asked, reason: spent });
    },
    spend,
    measurements: turns.measurements,

    async prove(claim) {
      const address = addressKey(claim.client.ipAddress ?? '');
      // A password that is too long is refused before anything is counted.
      normalizePassword(claim.password);
      const refusal = invalidCredentials({ emailVerificationRequired });
      return signInLimits.attempt(claim, (counted) =>
        attempt(claim, { refusal, reason: { asking: { address, account: claim.email }, counted } }),
      );
    },
  };
}

/** One job per processor; one worker thread stays free for signatures and name look-ups. */
function turnsOf({ config }: Pick<Ground, 'config'>): HashingTurns {
  const runningMax = Math.min(availableParallelism(), config.UV_THREADPOOL_SIZE - 1);
  return new HashingTurns({ runningMax, waitingMax: 64 });
}

type HashingDependencies = Pick<Ground, 'config' | 'secrets' | 'logger'> & { readonly turns: HashingTurns };

function hashingOf({ config, secrets, logger, turns }: HashingDependencies) {
  return createPasswordHashing({
    secrets,
    cost: config.BCRYPT_COST,
    turns,
    onUnreadableHash: (problem) => logger.error({ problem }, 'add the secret to AUTH_SECRET_PREVIOUS'),
  });
}
