import { scimPath } from '@tenantry/contracts';
import { defineService, readManifest, type ServiceParts } from '@tenantry/service';
import { serveBrowsers } from '@tenantry/service/browser';
import { lastMigration } from '@tenantry/tenancy';
import { accountsRoutes, startRoutes } from './accounts/index.ts';
import { auditRoutes } from './audit/index.ts';
import { connectionsRoutes } from './connections/index.ts';
import { ownSettings, type Config } from './config.ts';
import { tables } from './database.ts';
import { eventsRoutes } from './events/index.ts';
import {
  createBackground,
  createGround,
  DatabaseClock,
  healthRoutes,
  type GroundOptions,
} from './ground/index.ts';
import { organizationArchive, organizationsRoutes } from './organizations/index.ts';
import {
  directoryGroupsRoutes,
  provisioningRoutes,
  scimRoutes,
  scimTokensRoutes,
} from './provisioning/index.ts';
import { documentConfinement, recognizeClients, sessionAccess, sessionsRoutes } from './sessions/index.ts';
import { signInRoutes } from './sign-in/index.ts';
import { tokensRoutes, usersOnly } from './tokens/index.ts';
import { createWings, type WingOptions } from './wings.ts';

/** The parts of the service; tests pass their own clock, key schedule, steps and fetch function for providers. */
interface Parts extends ServiceParts<Config>, WingOptions, Partial<GroundOptions> {
  /** Default: the clock of the database. */
  readonly now?: () => Date;
}

const manifest = new URL('../package.json', import.meta.url);
const { migrationsDirectory } = readManifest(manifest);

const defined = defineService({
  manifest,
  title: 'Tenantry authentication',
  failures: (path) => (path.startsWith(`${scimPath}/`) ? 'scim' : 'plain'),
  settings: ownSettings,
  ...tables,
  features({ now, keySchedule, callOutside, readingMsMax, endOfReading, ...given }: Parts) {
    const clock = new DatabaseClock(given);
    const ground = createGround({ ...given, now: now ?? (() => clock.now()) });
    const wings = createWings({ ...ground, keySchedule, callOutside, readingMsMax, endOfReading });
    const {
      audit,
      events,
      mail,
      tokens,
      sessions,
      organizations,
      signIn,
      acceptances,
      accounts,
      mailboxMethods,
      connections,
      provisioning,
    } = wings;
    const working = [audit, events, mail, tokens, sessions, signIn, organizations, connections, provisioning];
    const { stepUp } = signIn;
    const { directories, groups, scimTokens } = provisioning;
    const provisions = { directories, groups, scimTokens };
    const access = sessionAccess({ ...ground, tokens, sessions });
    return {
      access,
      redisCheck: ground.rateLimits.check,
      async prepare(app) {
        await serveBrowsers(app, ground);
        usersOnly(app);
        documentConfinement(app);
        recognizeClients(app, { ...ground, deviceCookies: sessions.deviceCookies });
        app.decorateRequest('principal');
      },
      routes: [
        (app) => healthRoutes(app, ground),
        (app) => auditRoutes(app, audit),
        (app) => eventsRoutes(app, events),
        (app) => tokensRoutes(app, tokens),
        (app) => sessionsRoutes(app, { ...ground, tokens, sessions, stepUp }),
        (app) => signInRoutes(app, { ...ground, ...signIn, ...mailboxMethods, sessions, tokens, access }),
        (app) =>
          organizationsRoutes(app, {
            ...{ ...ground, ...organizations, acceptances, sessions, stepUp },
            migration: () => lastMigration(migrationsDirectory),
          }),
        (app) => accountsRoutes(app, { ...ground, ...accounts, stepUp, access }),
        (app) => connectionsRoutes(app, { ...connections, groups, stepUp, signIn }),
        (app) =>
          startRoutes(app, {
            ...{ ...ground, access, tokens, sessions, organizations, signIn, accounts },
            singleSignOn: connections.connections,
          }),
        (app) => provisioningRoutes(app, { provisioning, accounts }),
        (app) => directoryGroupsRoutes(app, { groups, stepUp }),
        (app) => scimTokensRoutes(app, { ...ground, ...provisions, stepUp }),
        (app) => scimRoutes(app, { ...ground, ...provisions, arrivals: connections.arrivals }),
      ],
      background: [clock, ground.rateLimits, ...createBackground(ground, working)],
    };
  },
});

/** The identity service: accounts, sign-in, sessions, organizations. It signs the tokens that other services verify. */
export const service = Object.freeze({ ...defined, archive: organizationArchive });
