import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Verifier } from '@tenantry/jwt-verify';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { buildService, openDatabase } from '@tenantry/service';
import type { BusinessConfig, BusinessService } from '@tenantry/service/business';
import type { Service } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { readConfig } from '@tenantry/service/settings';
import { standardTimeouts, type TenantDatabase, type Timeouts } from '@tenantry/tenancy';
import { createTestDatabase, logMetrics, patient, testLog, type TestDatabase } from '@tenantry/test-kit';
import type { TProperties } from 'typebox';
import { createCaller, type AnswerBody, type Caller } from './callers.ts';

/** A business service on a database of its own. */
export interface TestService<Body = AnswerBody<unknown>> {
  readonly app: Service;
  readonly issuer: TestIssuer;
  readonly database: TenantDatabase;
  readonly testDatabase: TestDatabase;
  /** Everything that the service has logged so far. */
  readonly logs: () => string;
  /** A member of an organization, of a new one unless the claims name one. */
  member(claims?: Readonly<Record<string, unknown>>): Promise<Caller<Body>>;
  /** A program with a key of a service account, of a new organization unless the claims name one. */
  serviceAccount(claims?: TestClaims): Promise<Caller<Body>>;
  /** A caller with this Authorization header, or none. */
  caller(authorization?: string): Caller<Body>;
  close(): Promise<void>;
}

/** How a service is started. */
export interface TestServiceOptions {
  /** Settings beyond those that every service needs, as in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Address of a server of the test's own, as its superuser. */
  readonly adminUrl?: string;
  /** Instead of one that knows the issuer's keys. */
  readonly verifier?: Verifier;
  /** For a test of one: by default no test meets them. */
  readonly timeouts?: Partial<Timeouts>;
  readonly now?: () => Date;
}

/**
 * Starts a business service on a migrated, empty database of its own. It logs to `testLog()` and is called by
 * `app.inject`.
 *
 * @example
 * const invoices = await startTestService(service);
 * afterAll(() => invoices.close());
 * const member = await invoices.member({ role: 'admin' });
 * const answer = await member.send('POST', '/api/invoices', { body: { title: 'Website' } });
 */
export async function startTestService<Settings extends TProperties>(
  service: BusinessService<Settings>,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const { adminUrl, env, now } = options;
  const testDatabase = await createTestDatabase(service.name, {
    projectRoot: join(service.migrationsDirectory, '../..'),
    ...(adminUrl !== undefined && { adminUrl }),
  });
  const issuer = await createTestIssuer();
  const log = testLog();
  const logger = createLogger({ name: service.name, level: 'trace', destination: log });
  const config = readConfig(service.name, service.config, {
    NODE_ENV: 'test',
    DATABASE_URL: testDatabase.runtimeUrl,
    DATABASE_POOL_SIZE: '5',
    AUTH_URL: issuer.issuer,
    ...env,
  }) as BusinessConfig<Settings>;
  const timeouts = { ...patient(standardTimeouts), ...options.timeouts };
  const database = openDatabase(service, { config, logger, timeouts });
  const verifier = options.verifier ?? issuer.verifier();
  const app = await buildService(service, {
    config,
    database,
    verifier,
    logger,
    ...(now && { now }),
  });
  logMetrics(app);
  return {
    app,
    issuer,
    database,
    testDatabase,
    logs: log.text,
    caller: (authorization) => createCaller(app, { authorization }),
    async member(claims = {}) {
      const organizationId = (claims['organizationId'] as string | undefined) ?? randomUUID();
      const authorization = `Bearer ${await issuer.token({ ...claims, organizationId })}`;
      return createCaller(app, { authorization, organizationId });
    },
    async serviceAccount(claims = {}) {
      const organizationId = claims.organizationId ?? randomUUID();
      const authorization = `Bearer ${await issuer.serviceToken({ ...claims, organizationId })}`;
      return createCaller(app, { authorization, organizationId });
    },
    async close() {
      await app.close();
      await issuer.close();
      await testDatabase.drop();
    },
  };
}
