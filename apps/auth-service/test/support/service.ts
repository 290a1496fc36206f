import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService, openDatabase as openDatabaseOf, type DatabaseConfig } from '@tenantry/service';
import type { CallOutside } from '@tenantry/service/calls';
import type { Service } from '@tenantry/service/http';
import { createLogger, type Logger } from '@tenantry/service/logging';
import { readConfig } from '@tenantry/service/settings';
import { standardTimeouts, type TenantDatabase } from '@tenantry/tenancy';
import {
  canarySecret,
  createTestDatabase,
  logMetrics,
  patience,
  patient,
  testLog,
  type TestDatabase,
} from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll } from 'vitest';
import type { Config } from '../../src/config.ts';
import { fixedSteps, type InFixedSteps } from '../../src/ground/limits/fixed-steps.ts';
import { service } from '../../src/service.ts';
import type { KeySchedule } from '../../src/tokens/signing-keys/key-schedule.ts';

/** Every setting a test may want otherwise. */
export type Settings = Readonly<Record<string, string>>;

/** The service on a database of its own. */
export interface RunningService {
  readonly app: Service;
  readonly config: Config;
  /** Where its mail is written. */
  readonly mailDirectory: string;
  readonly database: TestDatabase;
  /** Runs SQL as the superuser, past every policy. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Everything that was logged. */
  readonly logs: () => string;
}

/** What a test may choose. */
export interface ServiceOptions {
  readonly settings?: Settings;
  /** Share another service's database. */
  readonly database?: TestDatabase;
  readonly now?: () => Date;
  /** How providers are reached: those of tests are on this machine, whatever their addresses say. */
  readonly callOutside?: CallOutside;
  /** How long the answers take that must not tell an address with an account from one without. Default: 10 ms. */
  readonly answerStepMs?: number;
  /** Have the windows of limits go by: they stand still otherwise, however long a test takes. */
  readonly limitsNow?: () => number;
  /** In place of those steps. */
  readonly inFixedSteps?: InFixedSteps;
  /** How long the DNS may take; by default as long as the service lets it. */
  readonly readingMsMax?: number;
  /** Ends the reading of a document of SAML; by default late, on any machine. */
  readonly endOfReading?: () => AbortSignal;
  /** A shorter life of signing keys. */
  readonly keySchedule?: KeySchedule;
  /** Add routes of its own before the service is ready. */
  readonly extend?: (app: Service) => void;
}

/** Opens the database that a configuration names. */
export const openDatabase = (config: DatabaseConfig, logger: Logger): TenantDatabase =>
  openDatabaseOf(service, { config, logger, timeouts: patient(standardTimeouts) });

/** Builds the service against a real PostgreSQL, and ends both after the file's tests. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const database = options.database ?? (await createTestDatabase('auth-service'));
  const mailDirectory = mkdtempSync(join(tmpdir(), 'tenantry-mail-'));
  const config = readConfig('auth-service', service.config, {
    NODE_ENV: 'test',
    AUTH_SECRET: canarySecret(),
    DATABASE_URL: database.runtimeUrl,
    BCRYPT_COST: '4',
    // Tests of limits set their own: the others come from one address all.
    RATE_LIMIT_SIGN_IN_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_IN_PER_HOUR: '1000000',
    RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE: '1000000',
    RATE_LIMIT_REFUSED_CALLBACKS_PER_HOUR: '1000000',
    RATE_LIMIT_SIGN_UP_PER_HOUR: '1000000',
    RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: '1000000',
    RATE_LIMIT_MAIL_PER_10_MINUTES: '1000000',
    RATE_LIMIT_MAIL_PER_USER_PER_DAY: '1000000',
    RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY: '1000000',
    RATE_LIMIT_EMAIL_CHANGES_PER_DAY: '1000000',
    RATE_LIMIT_REFRESH_PER_MINUTE: '1000000',
    RATE_LIMIT_INVITATIONS_PER_HOUR: '1000000',
    RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: '1000000',
    RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE: '1000000',
    RATE_LIMIT_ORGANIZATIONS_PER_DAY: '1000000',
    RATE_LIMIT_TAKEN_SLUGS_PER_HOUR: '1000000',
    RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR: '1000000',
    RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE: '1000000',
    RATE_LIMIT_EXPORTS_PER_HOUR: '1000000',
    RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE: '1000000',
    RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
    RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR: '1000000',
    RATE_LIMIT_MEMBER_CHANGES_PER_HOUR: '1000000',
    RATE_LIMIT_USERS_PER_HOUR: '1000000',
    RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: '1000000',
    RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: '1000000',
    RATE_LIMIT_REFUSED_USERS_PER_HOUR: '1000000',
    RATE_LIMIT_PASSWORDS_PER_MINUTE: '1000000',
    RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: '1000000',
    INTERNAL_API_KEY: canarySecret(),
    MAIL_DIRECTORY: mailDirectory,
    ...options.settings,
  }) as Config;
  const log = testLog();
  const logger = createLogger({ name: 'auth-service', level: 'trace', destination: log });
  const app = await buildService(service, {
    config,
    logger,
    database: openDatabase(config, logger),
    hashingWaitMsMax: patience(),
    redisAnswerMsMax: patience(),
    endOfReading: options.endOfReading ?? (() => AbortSignal.timeout(patience())),
    limitsNow: options.limitsNow ?? (() => 0),
    inFixedSteps: options.inFixedSteps ?? fixedSteps(options.answerStepMs ?? 10),
    ...(options.now ? { now: options.now } : {}),
    ...(options.callOutside ? { callOutside: options.callOutside } : {}),
    ...(options.readingMsMax ? { readingMsMax: options.readingMsMax } : {}),
    ...(options.keySchedule ? { keySchedule: options.keySchedule } : {}),
  });
  logMetrics(app);
  options.extend?.(app);
  try {
    await app.ready();
  } catch (error) {
    // What runs in the background by now would ask for a database that is gone.
    await app.close();
    throw error;
  }

  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  // A connection that is still closing is cut when the database is dropped.
  admin.on('error', () => undefined);
  afterAll(async () => {
    await app.close();
    await admin.end();
    if (!options.database) await database.drop();
    rmSync(mailDirectory, { recursive: true, force: true });
  });
  return {
    app,
    config,
    mailDirectory,
    database,
    logs: log.text,
    sql: async (text, values) => (await admin.query<Record<string, unknown>>(text, values)).rows,
  };
}
