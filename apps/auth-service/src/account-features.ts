import { availableParallelism } from 'node:os';
import type { Logger, RateLimits } from '@tenantry/service-kit';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { createEmailsRepository } from './accounts/emails.repository.ts';
import { createEmails } from './accounts/emails.ts';
import type { EnqueueMail } from './mail/mail.ts';
import { createMailedTokensRepository } from './mail/mailed-tokens/mailed-tokens.repository.ts';
import { createMailedTokens } from './mail/mailed-tokens/mailed-tokens.ts';
import { createHashingQueue } from './sign-in/methods/passwords/hashing-queue.ts';
import { createPasswordChanges } from './sign-in/methods/passwords/password-changes.ts';
import { createPasswordFailures } from './sign-in/methods/passwords/password-failures.ts';
import { createPasswordHashing } from './sign-in/methods/passwords/password-hashing.ts';
import { createPasswordsRepository } from './sign-in/methods/passwords/passwords.repository.ts';
import { createPasswords } from './sign-in/methods/passwords/passwords.ts';
import type { SecretRing } from './ground/secrets/auth-secret.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { RequireSensitive } from './sign-in/step-up/step-up.ts';
import { createAuthLimits } from './ground/limits/auth-limits.ts';
import { evenTime } from './ground/limits/even-time.ts';
import { createLockoutRepository } from './sign-in/lockout/lockout.repository.ts';
import { createLockout } from './sign-in/lockout/lockout.ts';
import { createMailBudget } from './ground/limits/mail-budget.ts';
import type { Challenges } from './sign-in/second-factors/challenges.ts';

/** What passwords are built on. */
export interface PasswordFeaturesDependencies {
  readonly config: Config;
  readonly database: AuthDatabase;
  readonly secrets: SecretRing;
  readonly rateLimits: RateLimits;
  readonly logger: Logger;
  readonly enqueueMail: EnqueueMail;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts together what proves a password, and what stands in the way of guessing one. */
export function createPasswordFeatures(dependencies: PasswordFeaturesDependencies) {
  const { config, database, secrets, rateLimits, logger, enqueueMail, now, newId } = dependencies;
  const repository = createPasswordsRepository(database);
  const mailedTokens = createMailedTokens({
    repository: createMailedTokensRepository(database),
    now,
    newId,
  });
  const threshold = config.LOCKOUT_THRESHOLD;
  const lockout = createLockout({
    repository: createLockoutRepository(database),
    secret: secrets.current,
    figures: { threshold, seconds: config.LOCKOUT_SECONDS, secondsMax: config.LOCKOUT_SECONDS_MAX },
    now,
  });
  const limits = createAuthLimits(rateLimits, config);
  const evenly = evenTime();
  const passwords = createPasswords({
    repository,
    hashing: createPasswordHashing({
      secrets,
      cost: config.BCRYPT_COST,
      queue: createHashingQueue({ runningMax: hashingMax(config.UV_THREADPOOL_SIZE), waitingMax: 64 }),
      onUnreadableHash: (problem) => logger.error({ problem }, 'add the secret to AUTH_SECRET_PREVIOUS'),
    }),
    lockout,
    onFailure: createPasswordFailures({
      repository,
      mailedTokens,
      enqueueMail,
      evenly,
      threshold,
      disableAt: config.LOCKOUT_DISABLE_AFTER,
      now,
    }),
    lengthMin: config.PASSWORD_MIN_LENGTH,
    emailVerificationRequired: config.REQUIRE_EMAIL_VERIFICATION,
    now,
  });
  const mailBudget = createMailBudget(limits.mail, secrets.current);
  return { repository, passwords, lockout, mailedTokens, limits, mailBudget, evenly };
}

/** What changes of an account are built on. */
export interface AccountFeaturesDependencies extends ReturnType<typeof createPasswordFeatures> {
  readonly database: AuthDatabase;
  readonly enqueueMail: EnqueueMail;
  readonly sessions: Sessions;
  readonly challenges: Pick<Challenges, 'closeAll'>;
  readonly requireSensitive: RequireSensitive;
  readonly now: () => Date;
}

/** Puts together what changes the password and the address of an account. */
export function createAccountFeatures(dependencies: AccountFeaturesDependencies) {
  const emails = createEmails({ ...dependencies, repository: createEmailsRepository(dependencies.database) });
  return { emails, passwordChanges: createPasswordChanges({ ...dependencies, emails }) };
}

/** One job per processor; one worker thread stays free for signatures and name look-ups. */
function hashingMax(workerThreads: number): number {
  return Math.min(availableParallelism(), workerThreads - 1);
}
