import { availableParallelism } from 'node:os';
import { invalidField, type ApiError, type ErrorDetail } from '@tenantry/envelope';
import { addressKey, type Measurement } from '@tenantry/service-kit';
import type { Transaction } from '../../../database.ts';
import type { Client, Ground, User } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Counter } from '../../lockout/failure-counter.ts';
import type { Claimant, Lockout } from '../../lockout/lockout.ts';
import type { Method, Proof } from '../../proof.ts';
import { invalidCredentials, wrongPassword } from '../../sign-in.errors.ts';
import { createHashingQueue, type Enqueue } from './hashing-queue.ts';
import { createPasswordFailures } from './password-failures.ts';
import { createPasswordHashing, type GivenPassword, type Verdict } from './password-hashing.ts';
import { findingOf, normalizePassword, type PasswordOwner } from './password-policy.ts';
import { createPasswordsRepository, type StoredCredential } from './passwords.repository.ts';

/** What passwords are built on. */
export interface PasswordsDependencies extends Ground {
  readonly lockout: Pick<Lockout, 'reserve' | 'succeed'>;
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail' | 'mailedTokens'>;
}

/** An e-mail address and what should be its password. */
export interface PasswordClaim {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** An attempt whose turn has come. */
interface Attempt {
  readonly counter: Counter;
  readonly credential: StoredCredential | undefined;
}

/** How a password was asked for. */
interface Asked {
  readonly field?: string | undefined;
  readonly refusal: ApiError;
}

/** A signed-in user who is asked for the password once more. */
export interface PasswordConfirmation {
  readonly user: Pick<User, 'id' | 'email'>;
  readonly password: string;
  /** Where it stands in the request; `password` by default. */
  readonly field?: string;
  readonly client: Client;
}

/** Setting and proving passwords. */
export interface Passwords extends Method<PasswordClaim> {
  /** As {@link Passwords.prove}, for a user who is known already: limited as {@link Passwords.spend} says. */
  confirm(confirmation: PasswordConfirmation): Promise<Proof>;
  /**
   * Counts work on a password by user and by address, before anything is hashed. Sign-ins and sign-ups have limits of
   * their own: a stranger must not use up what is the user's.
   *
   * @throws RATE_LIMITED
   */
  spend(by: { readonly userId: string; readonly client: Client }): Promise<void>;
  /** What the policy says against a new password. */
  findingOf(password: string, owner: PasswordOwner, field?: string): ErrorDetail | undefined;
  /** Checks a new password against the policy. @returns what is stored of it */
  prepare(password: string, owner: PasswordOwner, field?: string): Promise<string>;
  /** Stores the first password of a user. */
  store(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /** Replaces the password of a user, and enables it again if it was disabled. */
  replace(tx: Transaction, userId: string, prepared: string): Promise<void>;
  /** How busy the queue is in which passwords are hashed. */
  readonly measurements: readonly Measurement[];
}

/** Makes the use cases of passwords. */
export function createPasswords(dependencies: PasswordsDependencies): Passwords {
  const { config, database, limits, lockout, now } = dependencies;
  const emailVerificationRequired = config.REQUIRE_EMAIL_VERIFICATION;
  const repository = createPasswordsRepository();
  const { enqueue, measurements } = queueOf(dependencies);
  const hashing = hashingOf({ ...dependencies, enqueue });
  const onFailure = createPasswordFailures({ ...dependencies, repository });

  /** Whether nobody may sign in with it, even with the right password. */
  const isRefused = ({ disabled, emailVerified }: StoredCredential) =>
    disabled || (emailVerificationRequired && !emailVerified);

  const judge: Passwords['findingOf'] = (password, owner, field) =>
    findingOf(password, owner, { lengthMin: config.PASSWORD_MIN_LENGTH, field });

  /** Counts the attempt, and finds what it is compared with. */
  async function begin(claimant: Claimant): Promise<Attempt> {
    const [counter, credential] = await Promise.all([
      lockout.reserve(claimant),
      repository.findByEmail(database.unscoped, claimant.email),
    ]);
    return { counter, credential };
  }

  const spend: Passwords['spend'] = async ({ userId, client }) => {
    await limits.passwords.consume(userId);
    await limits.passwordsByAddress.consume(addressKey(client.ipAddress ?? ''));
  };

  async function renew({ userId, passwordHash }: StoredCredential, given: GivenPassword): Promise<void> {
    const renewed = await hashing.hash(given);
    await repository.replace(database.unscoped, { userId, from: passwordHash, to: renewed });
  }

  return {
    findingOf: judge,
    async prepare(password, owner, field) {
      const finding = judge(password, owner, field);
      if (finding) throw invalidField(finding);
      return hashing.hash({ password, account: owner.email });
    },

    async store(tx, userId, prepared) {
      await repository.insert(tx, { userId, passwordHash: prepared, at: now() });
    },

    async replace(tx, userId, prepared) {
      await repository.set(tx, { userId, passwordHash: prepared, at: now() });
    },

    async confirm({ user: { id: userId, email }, password, field, client }) {
      await spend({ userId, client });
      return attempt({ email, password, client }, { field, refusal: wrongPassword(field) });
    },
    spend,
    measurements,
    prove: (claim) => attempt(claim, { refusal: invalidCredentials({ emailVerificationRequired }) }),
  };

  async function attempt(claim: PasswordClaim, { field, refusal }: Asked): Promise<Proof> {
    const { password, ...claimant } = claim;
    // A password that is too long is refused before anything is counted.
    normalizePassword(password, field);
    const given = { password, account: claimant.email };
    let begun: Attempt | undefined;
    const find = async () => {
      begun = await begin(claimant);
      return begun.credential?.passwordHash;
    };
    // Settled before the next attempt begins: correct passwords in flight together must not lock each other out.
    const settle = async ({ matches }: Verdict) => {
      if (!matches || !begun?.credential || isRefused(begun.credential)) return;
      await lockout.succeed(begun.counter);
    };
    const { matches, outdated } = await hashing.verify(given, find, settle);
    if (!begun) throw new Error('a password was compared without counting the attempt');
    const { counter, credential } = begun;

    if (!matches || !credential || isRefused(credential)) {
      await onFailure({ counter, userId: credential?.disabled === false ? credential.userId : undefined });
      throw refusal;
    }
    if (outdated) await renew(credential, given);
    return proofOf(credential, refusal);
  }

  function proofOf(password: StoredCredential, refusal: ApiError): Proof {
    return {
      userId: password.userId,
      amr: ['pwd'],
      acr: 'aal1',
      async requireValid(tx) {
        if (!(await repository.isCurrent(tx, password))) throw refusal;
      },
    };
  }
}

/** One job per processor; one worker thread stays free for signatures and name look-ups. */
function queueOf({ config }: Pick<Ground, 'config'>) {
  const runningMax = Math.min(availableParallelism(), config.UV_THREADPOOL_SIZE - 1);
  return createHashingQueue({ runningMax, waitingMax: 64 });
}

type HashingDependencies = Pick<Ground, 'config' | 'secrets' | 'logger'> & { readonly enqueue: Enqueue };

function hashingOf({ config, secrets, logger, enqueue }: HashingDependencies) {
  return createPasswordHashing({
    secrets,
    cost: config.BCRYPT_COST,
    enqueue,
    onUnreadableHash: (problem) => logger.error({ problem }, 'add the secret to AUTH_SECRET_PREVIOUS'),
  });
}
