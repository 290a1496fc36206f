import { randomUUID } from 'node:crypto';
import { allowedOrigins, type Origins } from '@tenantry/service/browser';
import type { Logger } from '@tenantry/service/logging';
import { RateLimits } from '@tenantry/service/rate-limits';
import type { Config } from '../config.ts';
import type { AuthDatabase } from '../database.ts';
import { createAuthLimits, type AuthLimits } from './limits/auth-limits.ts';
import { fixedSteps, type InFixedSteps } from './limits/fixed-steps.ts';
import { SecretRing } from './secrets/auth-secret.ts';

/** The parts that wings share; each wing declares those that it uses. */
export interface Ground {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: AuthDatabase;
  readonly secrets: SecretRing;
  /** For tokens held by clients: a leaked secret must not be listed here, even if stored data still needs it. */
  readonly tokenSecrets: SecretRing;
  readonly rateLimits: RateLimits;
  readonly limits: AuthLimits;
  readonly inFixedSteps: InFixedSteps;
  /** How long a password waits to be hashed, at most; by default as long as its client waits for the answer. */
  readonly hashingWaitMsMax?: number | undefined;
  readonly origins: Origins;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What tests choose. */
export interface GroundOptions extends Pick<Ground, 'inFixedSteps' | 'hashingWaitMsMax'> {
  /** A monotonic clock for limits, in milliseconds; by default the process's. */
  readonly limitsNow: () => number;
  /** How long Redis may take to answer; by default as {@link RateLimits} says. */
  readonly redisAnswerMsMax: number;
}

/** Creates the shared parts from a configuration and an open database. */
export function createGround(
  given: Pick<Ground, 'config' | 'logger' | 'database' | 'now'> & Partial<GroundOptions>,
): Ground {
  const { config, logger, limitsNow, redisAnswerMsMax } = given;
  const rateLimits = new RateLimits({
    redisUrl: config.REDIS_URL,
    redisAnswerMsMax,
    logger,
    ...(limitsNow && { now: limitsNow }),
  });
  return {
    ...given,
    secrets: new SecretRing(config.AUTH_SECRET, config.AUTH_SECRET_PREVIOUS),
    tokenSecrets: new SecretRing(config.AUTH_SECRET, config.TOKEN_SECRET_PREVIOUS),
    rateLimits,
    limits: createAuthLimits(rateLimits, config),
    inFixedSteps: given.inFixedSteps ?? fixedSteps(),
    origins: allowedOrigins(config),
    newId: randomUUID,
  };
}
