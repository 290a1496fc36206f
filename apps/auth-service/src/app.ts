import { randomInt, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createService, isUnavailable, type Logger, type Service } from '@tenantry/service-kit';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { healthRoutes } from './health/health.routes.ts';
import { createOrganizationsRepository } from './organizations/organizations.repository.ts';
import { organizationsRoutes } from './organizations/organizations.routes.ts';
import { createOrganizations } from './organizations/organizations.ts';
import { createHashingQueue } from './passwords/hashing-queue.ts';
import { createPasswordHashing } from './passwords/password-hashing.ts';
import { createPasswordsRepository } from './passwords/passwords.repository.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createSecretRing } from './secrets/auth-secret.ts';
import { sessionAccess } from './sessions/access.plugin.ts';
import { createSessionsRepository } from './sessions/sessions.repository.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { createSigningKeysRepository } from './signing-keys/signing-keys.repository.ts';
import { signingKeysRoutes } from './signing-keys/signing-keys.routes.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys/signing-keys.ts';
import { createTokens } from './tokens/tokens.ts';
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
  const { users, organizations, sessions, signingKeys, tokens } = createFeatures(dependencies, now);
  const checkDatabase = async () => {
    await database.pool.query('SELECT 1');
  };

  const app = await createService({
    name: 'auth-service',
    version,
    logger,
    failures: 'plain',
    access: sessionAccess({ tokens, sessions }),
    checks: { database: checkDatabase },
    openapi: { title: 'Tenantry authentication', path: '/api/auth/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    production: config.NODE_ENV === 'production',
  });
  app.decorateRequest('principal');
  app.addHook('onClose', () => database.close());
  app.addHook('onReady', () => readKeys(signingKeys));

  usersRoutes(app, { users });
  sessionsRoutes(app, { sessions });
  organizationsRoutes(app, { organizations, sessions });
  signingKeysRoutes(app, { signingKeys });
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
  const tokens = createTokens({ signingKeys, issuer: config.AUTH_URL, now });
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
  const sessions = createSessions({
    repository: createSessionsRepository(database),
    passwords,
    tokens,
    sessionsMax: config.MAX_SESSIONS_PER_USER,
    now,
    newId,
  });
  const organizations = createOrganizations({
    repository: createOrganizationsRepository(database),
    now,
    newId,
    newSlugSuffix,
  });
  const users = createUsers({
    repository: createUsersRepository(),
    passwords,
    organizations,
    sessions,
    now,
    newId,
  });
  return { users, organizations, sessions, signingKeys, tokens };
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

const slugSuffixLength = 8;

function newSlugSuffix(): string {
  return Array.from({ length: slugSuffixLength }, () => randomInt(36).toString(36)).join('');
}
