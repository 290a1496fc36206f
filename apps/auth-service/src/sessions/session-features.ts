import { allowedOrigins } from '@tenantry/service-kit';
import type { Config } from '../config.ts';
import type { AuthDatabase } from '../database.ts';
import type { EnqueueMail } from '../mail/mail.ts';
import type { Passwords } from '../sign-in/methods/passwords/passwords.ts';
import type { SecretRing } from '../ground/secrets/auth-secret.ts';
import type { SigningKeys } from '../tokens/signing-keys/signing-keys.ts';
import type { Lockout } from '../sign-in/lockout/lockout.ts';
import { createTokens } from '../tokens/access-tokens/access-tokens.ts';
import type { Challenges } from '../sign-in/second-factors/challenges.ts';
import { createCsrfTokens } from '../tokens/csrf-tokens.ts';
import { createDeviceCookies } from './devices/device-cookies.ts';
import { createMisuses } from './misuse.ts';
import { createRefreshRepository } from './refresh/refresh.repository.ts';
import { createRefreshTokens } from './refresh/refresh-tokens.ts';
import { createRefresh } from './refresh/refresh.ts';
import { createSessionEndings } from './session-endings.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { createSessions } from './sessions.ts';

/** What sessions are built on. */
export interface SessionFeaturesDependencies {
  readonly config: Config;
  readonly database: AuthDatabase;
  readonly secrets: SecretRing;
  readonly signingKeys: SigningKeys;
  readonly passwords: Pick<Passwords, 'authenticate' | 'requireCurrent'>;
  readonly lockout: Pick<Lockout, 'rememberDevice'>;
  readonly challenges: Pick<Challenges, 'openIfRequired'>;
  readonly enqueueMail: EnqueueMail;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts everything together that sessions consist of. */
export function createSessionFeatures(dependencies: SessionFeaturesDependencies) {
  const { config, database, secrets, signingKeys, passwords, lockout, challenges } = dependencies;
  const { enqueueMail, now, newId } = dependencies;
  const binding = config.SESSION_BINDING;
  const activeSince = idleEnd(config.SESSION_IDLE_HOURS);
  const csrfTokens = createCsrfTokens(secrets);
  const refreshTokens = createRefreshTokens(secrets);
  const tokens = createTokens({ signingKeys, csrfTokens, binding, issuer: config.AUTH_URL, now });

  const repository = createSessionsRepository({ database, activeSince });
  const misuses = createMisuses({ repository, enqueueMail });
  const refresh = createRefresh({
    repository: createRefreshRepository({ database, activeSince }),
    refreshTokens,
    misuses,
    binding,
    now,
  });
  const sessions = createSessions({
    repository,
    endings: createSessionEndings({ repository, now }),
    misuses,
    refresh,
    refreshTokens,
    passwords,
    lockout,
    challenges,
    tokens,
    binding,
    sessionsMax: config.MAX_SESSIONS_PER_USER,
    now,
    newId,
  });
  return {
    sessions,
    tokens,
    csrfTokens,
    refreshTokens,
    deviceCookies: createDeviceCookies(secrets),
    origins: allowedOrigins(config),
  };
}

const hourMs = 60 * 60 * 1_000;

/** Since when a session must have been active to be alive; 0 hours are no end at all. */
function idleEnd(hours: number): (at: Date) => Date {
  if (hours === 0) return () => new Date(0);
  return (at) => new Date(at.getTime() - hours * hourMs);
}
