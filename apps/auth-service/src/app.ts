import { randomUUID } from 'node:crypto';
import {
  createRateLimits,
  createService,
  isUnavailable,
  serveBrowsers,
  takeCookieSession,
  type Logger,
  type Service,
} from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import { createAccountFeatures, createPasswordFeatures } from './account-features.ts';
import { createListAudit } from './audit/audit.repository.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { createBackground } from './background.ts';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { emailsRoutes } from './accounts/emails.routes.ts';
import { healthRoutes } from './ground/health/health.routes.ts';
import { createAccountsRepository } from './provisioning/accounts.repository.ts';
import { accountsRoutes } from './provisioning/accounts.routes.ts';
import { createAccounts } from './provisioning/accounts.ts';
import { internalAccess } from './provisioning/internal-access.plugin.ts';
import { internalRoutes } from './provisioning/internal.routes.ts';
import { invitationsRoutes } from './organizations/invitations/invitations.routes.ts';
import { createEnqueueMail } from './mail/mail.ts';
import { membersRoutes } from './organizations/members/members.routes.ts';
import { createOrganizationFeatures } from './organization-features.ts';
import { organizationChangesRoutes } from './organizations/organization-changes.routes.ts';
import { organizationsRoutes } from './organizations/organizations.routes.ts';
import { passwordsRoutes } from './sign-in/methods/passwords/passwords.routes.ts';
import { createSecretRing } from './ground/secrets/auth-secret.ts';
import { sessionAccess } from './sessions/access.plugin.ts';
import { recognizeClients } from './sessions/devices/client.plugin.ts';
import { refreshRoutes } from './sessions/refresh/refresh.routes.ts';
import { createSessionFeatures } from './sessions/session-features.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { keySchedule, type KeySchedule } from './tokens/signing-keys/key-schedule.ts';
import { createSigningKeysRepository } from './tokens/signing-keys/signing-keys.repository.ts';
import { signingKeysRoutes } from './tokens/signing-keys/signing-keys.routes.ts';
import { createSigningKeys, type SigningKeys } from './tokens/signing-keys/signing-keys.ts';
import { createRequireSensitive } from './sign-in/step-up/step-up.ts';
import { tidyIds } from './ground/text/tidy-ids.ts';
import {
  createChallengeFeatures,
  createTwoFactorFeatures,
} from './sign-in/second-factors/two-factor-features.ts';
import { twoFactorRoutes } from './sign-in/second-factors/two-factor.routes.ts';
import { verificationRoutes } from './sign-in/second-factors/verification.routes.ts';
import { createUsersRepository } from './accounts/users.repository.ts';
import { usersRoutes } from './accounts/users.routes.ts';
import { createUsers } from './accounts/users.ts';

/** What the service is built on; clock and ids are handed in where tests need their own. */
export interface AppDependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: AuthDatabase;
  readonly version: string;
  readonly now?: () => Date;
  readonly keySchedule?: KeySchedule;
}

/** The composition root: every part is made here and handed what it needs. */
export async function buildApp(dependencies: AppDependencies): Promise<Service> {
  const { config, logger, database, version, now = () => new Date() } = dependencies;
  const features = createFeatures(dependencies, now);
  const { sessionFeatures, signingKeys, rateLimits, background } = features;
  const { sessions, tokens, origins } = sessionFeatures;
  const access = sessionAccess({ tokens, sessions });
  const signedIn = async (request: FastifyRequest) => {
    takeCookieSession(request, origins);
    await access.signedIn(request);
  };
  const checkDatabase = () => database.check();

  const app = await createService({
    name: 'auth-service',
    version,
    logger,
    failures: 'plain',
    access: { ...access, internal: internalAccess(config.INTERNAL_API_KEY) },
    checks: { database: checkDatabase, ...(rateLimits.check ? { redis: rateLimits.check } : {}) },
    openapi: { title: 'Tenantry authentication', path: '/api/auth/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  await serveBrowsers(app, { origins });
  recognizeClients(app, sessionFeatures);
  app.addHook('onRequest', tidyIds);
  app.decorateRequest('principal');
  app.addHook('onReady', async () => {
    background.start();
    signingKeys.start();
  });
  app.addHook('onClose', async () => {
    rateLimits.close();
    await Promise.all([background.close(), signingKeys.close()]);
    await database.close();
  });
  app.addHook('onReady', () => readKeys(signingKeys));

  usersRoutes(app, features);
  passwordsRoutes(app, features);
  emailsRoutes(app, features);
  sessionsRoutes(app, { ...features, sessions });
  refreshRoutes(app, { ...sessionFeatures, limits: features.limits });
  organizationsRoutes(app, { ...features, sessions });
  organizationChangesRoutes(app, features);
  auditRoutes(app, { listAudit: createListAudit(database) });
  membersRoutes(app, features);
  invitationsRoutes(app, features);
  twoFactorRoutes(app, features);
  verificationRoutes(app, { ...features, signedIn });
  signingKeysRoutes(app, { signingKeys });
  internalRoutes(app, background);
  accountsRoutes(app, features);
  healthRoutes(app, { checkDatabase, now });
  return app;
}

/** Each feature with the smallest set of what it depends on. */
function createFeatures(dependencies: AppDependencies, now: () => Date) {
  const { config, logger, database } = dependencies;
  const schedule = dependencies.keySchedule ?? keySchedule(config.SIGNING_KEY_ROTATION_DAYS);
  const newId = randomUUID;
  const secrets = createSecretRing(config.AUTH_SECRET, config.AUTH_SECRET_PREVIOUS);
  const signingKeys = createSigningKeys({
    repository: createSigningKeysRepository(database),
    secrets,
    schedule,
    logger,
  });
  const enqueueMail = createEnqueueMail({ secrets, newId });
  const rateLimits = createRateLimits({ redisUrl: config.REDIS_URL, logger });
  const passwordFeatures = createPasswordFeatures({
    config,
    database,
    secrets,
    rateLimits,
    logger,
    enqueueMail,
    now,
    newId,
  });
  const { passwords, lockout, limits } = passwordFeatures;
  const challengeFeatures = createChallengeFeatures({ config, database, now, newId });
  const { challenges, hasSecondFactor } = challengeFeatures;
  const sessionFeatures = createSessionFeatures({
    config,
    database,
    secrets,
    signingKeys,
    passwords,
    lockout,
    challenges,
    enqueueMail,
    now,
    newId,
  });
  const { sessions } = sessionFeatures;
  const requireSensitive = createRequireSensitive({ hasSecondFactor, passwords, now });
  const twoFactorFeatures = createTwoFactorFeatures({
    ...challengeFeatures,
    sessions,
    passwords,
    secrets,
    requireSensitive,
    enqueueMail,
    now,
  });
  const organizationFeatures = createOrganizationFeatures({
    config,
    database,
    enqueueMail,
    hasSecondFactor,
    now,
    newId,
  });
  const accountFeatures = createAccountFeatures({
    ...passwordFeatures,
    database,
    enqueueMail,
    sessions,
    challenges,
    requireSensitive,
    now,
  });
  const users = createUsers({
    ...organizationFeatures,
    ...passwordFeatures,
    ...accountFeatures,
    repository: createUsersRepository(database),
    sessions,
    personalOrganizations: config.PERSONAL_ORGANIZATIONS,
    emailVerificationRequired: config.REQUIRE_EMAIL_VERIFICATION,
    now,
    newId,
  });
  const accounts = createAccounts({
    ...organizationFeatures,
    ...passwordFeatures,
    ...accountFeatures,
    repository: createAccountsRepository(database),
    secrets,
    now,
    newId,
  });
  const background = createBackground({
    config,
    logger,
    database,
    secrets,
    listeners: { signing_keys: () => signingKeys.wake() },
    sweeps: { lockout: () => lockout.sweep(), invitations: () => organizationFeatures.invitations.sweep() },
    now,
  });
  return {
    background,
    accounts,
    ...organizationFeatures,
    ...accountFeatures,
    ...twoFactorFeatures,
    users,
    requireSensitive,
    sessionFeatures,
    signingKeys,
    rateLimits,
    limits,
    mailBudget: passwordFeatures.mailBudget,
  };
}

/** Keys that cannot be decrypted stop the start. A database that is away does not: they are read when it is back. */
async function readKeys(signingKeys: SigningKeys): Promise<void> {
  try {
    await signingKeys.signer();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}
