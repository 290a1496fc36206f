import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  createService,
  isUnavailable,
  serveBrowsers,
  type Logger,
  type Service,
} from '@tenantry/service-kit';
import { createBackground } from './background.ts';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { healthRoutes } from './health/health.routes.ts';
import { internalAccess } from './internal/internal-access.plugin.ts';
import { internalRoutes } from './internal/internal.routes.ts';
import { invitationsRoutes } from './invitations/invitations.routes.ts';
import { createEnqueueMail } from './mail/mail.ts';
import { membersRoutes } from './members/members.routes.ts';
import { createOrganizationFeatures } from './organization-features.ts';
import { organizationChangesRoutes } from './organizations/organization-changes.routes.ts';
import { organizationsRoutes } from './organizations/organizations.routes.ts';
import { createHashingQueue } from './passwords/hashing-queue.ts';
import { createPasswordHashing } from './passwords/password-hashing.ts';
import { createPasswordsRepository } from './passwords/passwords.repository.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createSecretRing } from './secrets/auth-secret.ts';
import { sessionAccess } from './sessions/access.plugin.ts';
import { recognizeClients } from './sessions/client.plugin.ts';
import { refreshRoutes } from './sessions/refresh.routes.ts';
import { createSessionFeatures } from './sessions/session-features.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { createSigningKeysRepository } from './signing-keys/signing-keys.repository.ts';
import { signingKeysRoutes } from './signing-keys/signing-keys.routes.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys/signing-keys.ts';
import { createRequireSensitive } from './step-up/step-up.ts';
import { createTwoFactorRepository } from './two-factor/two-factor.repository.ts';
import { createUsersRepository } from './users/users.repository.ts';
import { usersRoutes } from './users/users.routes.ts';
import { createUsers } from './users/users.ts';

/** What the service is built on; clock and ids are handed in where tests need their own. */
export interface AppDependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: AuthDatabase;
  readonly version: string;
  readonly now?: () => Date;
}

/** The composition root: every part is made here and handed what it needs. */
export async function buildApp(dependencies: AppDependencies): Promise<Service> {
  const { config, logger, database, version, now = () => new Date() } = dependencies;
  const features = createFeatures(dependencies, now);
  const { sessionFeatures, signingKeys, background } = features;
  const { sessions, tokens, origins } = sessionFeatures;
  const checkDatabase = async () => {
    await database.pool.query('SELECT 1');
  };

  const app = await createService({
    name: 'auth-service',
    version,
    logger,
    failures: 'plain',
    access: { ...sessionAccess({ tokens, sessions }), internal: internalAccess(config.INTERNAL_API_KEY) },
    checks: { database: checkDatabase },
    openapi: { title: 'Tenantry authentication', path: '/api/auth/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  serveBrowsers(app, { origins });
  recognizeClients(app, sessionFeatures);
  app.decorateRequest('principal');
  app.addHook('onReady', async () => background.start());
  app.addHook('onClose', async () => {
    await background.close();
    await database.close();
  });
  app.addHook('onReady', () => readKeys(signingKeys));

  usersRoutes(app, features);
  sessionsRoutes(app, { sessions });
  refreshRoutes(app, sessionFeatures);
  organizationsRoutes(app, { ...features, sessions });
  organizationChangesRoutes(app, features);
  membersRoutes(app, features);
  invitationsRoutes(app, features);
  signingKeysRoutes(app, { signingKeys });
  internalRoutes(app, background);
  healthRoutes(app, { checkDatabase, now });
  return app;
}

/** Each feature with the smallest set of what it depends on. */
function createFeatures({ config, logger, database }: AppDependencies, now: () => Date) {
  const newId = randomUUID;
  const secrets = createSecretRing(config.AUTH_SECRET, config.AUTH_SECRET_PREVIOUS);
  const signingKeys = createSigningKeys({
    repository: createSigningKeysRepository(database),
    secrets,
    now,
  });
  const enqueueMail = createEnqueueMail({ secrets, newId });
  const passwords = createPasswords({
    repository: createPasswordsRepository(database),
    hashing: createPasswordHashing({
      secrets,
      cost: config.BCRYPT_COST,
      queue: createHashingQueue({ runningMax: hashingMax(config.UV_THREADPOOL_SIZE), waitingMax: 64 }),
      onUnreadableHash: (problem) => logger.error({ problem }, 'add the secret to AUTH_SECRET_PREVIOUS'),
    }),
    lengthMin: config.PASSWORD_MIN_LENGTH,
    now,
  });
  const sessionFeatures = createSessionFeatures({
    config,
    database,
    secrets,
    signingKeys,
    passwords,
    enqueueMail,
    now,
    newId,
  });
  const { sessions } = sessionFeatures;
  const secondFactors = createTwoFactorRepository(database);
  const hasSecondFactor = async (userId: string) => (await secondFactors.stateOf(userId)).enabled;
  const requireSensitive = createRequireSensitive({ hasSecondFactor, passwords, now });
  const organizationFeatures = createOrganizationFeatures({
    config,
    database,
    enqueueMail,
    hasSecondFactor,
    now,
    newId,
  });
  const users = createUsers({
    ...organizationFeatures,
    repository: createUsersRepository(database),
    passwords,
    sessions,
    personalOrganizations: config.PERSONAL_ORGANIZATIONS,
    now,
    newId,
  });
  const background = createBackground({ config, logger, database, secrets, now });
  return { ...organizationFeatures, users, requireSensitive, sessionFeatures, signingKeys, background };
}

/** Keys that cannot be decrypted stop the start. A database that is away does not: they are read when it is back. */
async function readKeys(signingKeys: SigningKeys): Promise<void> {
  try {
    await signingKeys.signer();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** One job per processor; one worker thread stays free for signatures and name look-ups. */
function hashingMax(workerThreads: number): number {
  return Math.min(availableParallelism(), workerThreads - 1);
}
