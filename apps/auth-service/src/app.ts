import {
  callOutside,
  createService,
  peerAccess,
  type CallOutside,
  type Logger,
  type Service,
} from '@tenantry/service-kit';
import { serveBrowsers } from '@tenantry/service-kit/browser';
import { accountsRoutes, createAccounts, startRoutes } from './accounts/index.ts';
import { auditRoutes, createAudit } from './audit/index.ts';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { createEvents, eventsRoutes } from './events/index.ts';
import {
  createBackground,
  createDatabaseClock,
  createGround,
  healthRoutes,
  tidyIds,
  type DatabaseClock,
  type Ground,
} from './ground/index.ts';
import { createMail } from './mail/index.ts';
import { createOrganizationsWing, organizationsRoutes } from './organizations/index.ts';
import { Provisioning, provisioningRoutes } from './provisioning/index.ts';
import { recognizeClients, sessionAccess, Sessions, sessionsRoutes } from './sessions/index.ts';
import { createSignIn, signInRoutes } from './sign-in/index.ts';
import { createTokens, tokensRoutes, type KeySchedule } from './tokens/index.ts';

/** What the service is built on; tests bring their own clock and key schedule. */
export interface AppDependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: AuthDatabase;
  readonly version: string;
  readonly now?: () => Date;
  readonly keySchedule?: KeySchedule | undefined;
  /** How sign-in providers are reached. */
  readonly callOutside?: CallOutside | undefined;
}

/** The composition root. */
export async function buildApp(dependencies: AppDependencies): Promise<Service> {
  const { version, keySchedule, callOutside: reached, ...given } = dependencies;
  const clock = createDatabaseClock(given);
  const ground = createGround({ now: clock.now, ...given });
  const wings = createWings({ ...ground, keySchedule, callOutside: reached });
  const { audit, events, tokens, sessions, signIn, organizations, accounts, provisioning } = wings;
  const { requireSensitive } = signIn;
  const access = sessionAccess({ ...ground, tokens, sessions });

  const app = await createService({
    ...serviceOptions(ground),
    version,
    access: { ...access, internal: peerAccess(ground.config.INTERNAL_API_KEY) },
  });
  await serveBrowsers(app, ground);
  recognizeClients(app, { ...ground, deviceCookies: sessions.deviceCookies });
  app.addHook('onRequest', tidyIds);
  app.decorateRequest('principal');

  healthRoutes(app, ground);
  auditRoutes(app, audit);
  eventsRoutes(app, events);
  tokensRoutes(app, tokens);
  sessionsRoutes(app, { ...ground, tokens, sessions, requireSensitive });
  const { reclaimPersonal } = organizations;
  const { newcomers } = accounts;
  signInRoutes(app, { ...ground, ...signIn, sessions, tokens, access, reclaimPersonal, newcomers });
  organizationsRoutes(app, { ...ground, ...organizations, sessions, requireSensitive });
  accountsRoutes(app, { ...ground, ...accounts, requireSensitive, access });
  startRoutes(app, { ...ground, access, tokens, sessions, organizations, signIn, accounts });
  provisioningRoutes(app, { provisioning, accounts });

  runBackground(app, ground, { clock, wings });
  return app;
}

/** The wings of the service from the ground up: each is built on those before it. */
export function createWings(ground: Ground & Pick<AppDependencies, 'keySchedule' | 'callOutside'>) {
  const audit = createAudit(ground);
  const events = createEvents(ground);
  const mail = createMail(ground);
  const tokens = createTokens(ground);
  const sessions = new Sessions({ ...ground, mail, tokens });
  const outside = { callOutside: ground.callOutside ?? callOutside };
  const signIn = createSignIn({ ...ground, ...outside, mail, tokens, sessions });
  const organizations = createOrganizationsWing({ ...ground, mail, sessions, signIn });
  const accounts = createAccounts({ ...ground, mail, tokens, sessions, signIn, organizations });
  const provisioning = new Provisioning({ ...ground, signIn, organizations, accounts });
  return { audit, events, mail, tokens, sessions, signIn, organizations, accounts, provisioning };
}

interface Running {
  readonly clock: DatabaseClock;
  readonly wings: ReturnType<typeof createWings>;
}

/** Runs what the wings do between requests, from when the service is ready until it closes. */
function runBackground(app: Service, ground: Ground, { clock, wings }: Running): void {
  const { audit, events, mail, tokens, sessions, signIn, organizations, provisioning } = wings;
  const working = [audit, events, mail, tokens, sessions, signIn, organizations, provisioning];
  const background = createBackground(
    ground,
    working.map((wing) => wing.background),
  );
  app.measure([...ground.rateLimits.measurements, ...background.measurements]);
  app.addHook('onReady', async () => {
    await clock.start();
    background.start();
    await tokens.ready();
  });
  app.addHook('onClose', async () => {
    clock.close();
    ground.rateLimits.close();
    await background.close();
    await ground.database.close();
  });
}

function serviceOptions({ config, logger, database, rateLimits }: Ground) {
  return {
    name: 'auth-service',
    logger,
    failures: 'plain' as const,
    checks: {
      database: () => database.check(),
      ...(rateLimits.check ? { redis: rateLimits.check } : {}),
    },
    pool: database.pool,
    openapi: { title: 'Tenantry authentication', path: '/api/auth/openapi.json' },
    trustProxy: config.TRUST_PROXY,
    internalPort: config.INTERNAL_PORT,
    production: config.NODE_ENV === 'production',
  };
}
