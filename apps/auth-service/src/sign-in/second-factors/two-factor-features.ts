import { bindingDigest } from '@tenantry/service-kit';
import type { Config } from '../../config.ts';
import type { AuthDatabase } from '../../database.ts';
import type { EnqueueMail } from '../../mail/mail.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { SecretRing } from '../../ground/secrets/auth-secret.ts';
import { boundDevice } from '../../ground/callers/client.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { RequireSensitive } from '../step-up/step-up.ts';
import { createChallengesRepository } from './challenges.repository.ts';
import { createChallenges, type Challenges } from './challenges.ts';
import { createJudge } from './judging.ts';
import { createNotices } from './notices.ts';
import { createTwoFactorRepository } from './two-factor.repository.ts';
import { createTwoFactor } from './two-factor.ts';
import { createVerification } from './verification.ts';

/** What challenges are built on. */
export interface ChallengeFeaturesDependencies {
  readonly config: Pick<Config, 'SESSION_BINDING'>;
  readonly database: AuthDatabase;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts together what a sign-in asks: whether it must wait for a second factor. */
export function createChallengeFeatures(dependencies: ChallengeFeaturesDependencies) {
  const { config, database, now, newId } = dependencies;
  const twoFactorRepository = createTwoFactorRepository(database);
  const challenges = createChallenges({
    repository: createChallengesRepository(),
    twoFactor: twoFactorRepository,
    bind: (id, client) => {
      const party = { sessionId: id, device: boundDevice(client), address: client.ipAddress };
      return bindingDigest(party, config.SESSION_BINDING) ?? '';
    },
    now,
    newId,
  });
  const hasSecondFactor = async (userId: string) => (await twoFactorRepository.stateOf(userId)).enabled;
  return { challenges, twoFactorRepository, hasSecondFactor };
}

/** What two-factor authentication is built on. */
export interface TwoFactorFeaturesDependencies {
  readonly twoFactorRepository: ReturnType<typeof createTwoFactorRepository>;
  readonly challenges: Challenges;
  readonly sessions: Sessions;
  readonly passwords: Pick<Passwords, 'authenticate'>;
  readonly secrets: SecretRing;
  readonly requireSensitive: RequireSensitive;
  readonly enqueueMail: EnqueueMail;
  readonly now: () => Date;
}

/** Puts everything together that two-factor authentication consists of. */
export function createTwoFactorFeatures(dependencies: TwoFactorFeaturesDependencies) {
  const { twoFactorRepository: repository, enqueueMail, ...rest } = dependencies;
  const judging = { ...rest, repository, notices: createNotices(enqueueMail) };
  const judge = createJudge(judging);
  return {
    twoFactor: createTwoFactor({ ...judging, judge }),
    verification: createVerification({ ...judging, judge }),
  };
}
