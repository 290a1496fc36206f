import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, workspaceRoot } from '@tenantry/dev-database';
import { canarySecret, testLog } from '@tenantry/test-kit';
import { discoverServices } from '../../src/services.ts';
import { startStack } from '../../src/start/stack.ts';
import { startNameServerOf } from './name-server.ts';
import { ownOrigin } from './origin.ts';
import { providerName, startIdentityProvider } from './identity-provider.ts';

/** Where services that run are found, in values that go from one process to another. */
export interface Whereabouts {
  readonly ports: Readonly<Record<string, number>>;
  readonly internalApiKey: string;
  readonly directory: string;
}

/** All services as processes, each with its database, reached without the gateway in between. */
export interface RunningServices {
  /** Names of the services that answer a prefix of the API. */
  names: readonly string[];
  /** Address of one service; of the gateway by its name. */
  urlOf: (service: string) => string;
  /** `/api/leads` of leads-service. */
  prefixOf: (service: string) => string;
  processIds: () => Promise<Readonly<Record<string, number>>>;
  internalApiKey: string;
  mailDirectory: string;
  /** Where the name server has its records. */
  zoneDirectory: string;
  /** Lines that say that something went wrong inside. */
  defects: () => Promise<readonly string[]>;
}

/** What is started here is also stopped here. */
export interface StartedServices extends RunningServices {
  whereabouts: Whereabouts;
  stop: () => Promise<void>;
}

/** Limits that do not apply here, unless a test wants them. */
export const liftedLimits = [
  'RATE_LIMIT_PER_MINUTE',
  'RATE_LIMIT_SIGN_IN_PER_MINUTE',
  'RATE_LIMIT_SIGN_IN_PER_HOUR',
  'RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE',
  'RATE_LIMIT_REFUSED_CALLBACKS_PER_HOUR',
  'RATE_LIMIT_SIGN_UP_PER_HOUR',
  'RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR',
  'RATE_LIMIT_MAIL_PER_10_MINUTES',
  'RATE_LIMIT_MAIL_PER_USER_PER_DAY',
  'RATE_LIMIT_MAIL_PER_ORGANIZATION_PER_DAY',
  'RATE_LIMIT_EMAIL_CHANGES_PER_DAY',
  'RATE_LIMIT_REFRESH_PER_MINUTE',
  'RATE_LIMIT_INVITATIONS_PER_HOUR',
  'RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR',
  'RATE_LIMIT_INVITATION_LOOKUPS_PER_MINUTE',
  'RATE_LIMIT_ORGANIZATIONS_PER_DAY',
  'RATE_LIMIT_TAKEN_SLUGS_PER_HOUR',
  'RATE_LIMIT_ORGANIZATION_CHANGES_PER_HOUR',
  'RATE_LIMIT_SERVICE_TOKENS_PER_MINUTE',
  'RATE_LIMIT_EXPORTS_PER_HOUR',
  'RATE_LIMIT_DOMAIN_CHECKS_PER_MINUTE',
  'RATE_LIMIT_DOMAIN_CHECKS_PER_ADDRESS_PER_MINUTE',
  'RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR',
  'RATE_LIMIT_MEMBER_CHANGES_PER_HOUR',
  'RATE_LIMIT_USERS_PER_HOUR',
  'RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR',
  'RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR',
  'RATE_LIMIT_REFUSED_USERS_PER_HOUR',
  'RATE_LIMIT_PASSWORDS_PER_MINUTE',
  'RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE',
  'RATE_LIMIT_PDFS_PER_MINUTE',
  'RATE_LIMIT_OFFERS_PER_MINUTE',
  'MAX_ORGANIZATIONS_PER_USER_UNCONFIRMED',
  'MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED',
] as const;

/** Beside their wiring: secrets that a log shows, quick passwords, and no limit in the way. */
const environment = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'trace',
  AUTH_SECRET: canarySecret(),
  INTERNAL_API_KEY: canarySecret(),
  BCRYPT_COST: '4',
  FRONTEND_URL: ownOrigin,
  MAILED_SIGN_IN: 'true',
  PASSKEY_RP_ID: new URL(ownOrigin).hostname,
  ...Object.fromEntries(liftedLimits.map((name) => [name, '1000000'])),
};

/**
 * Starts everything twice in the same place: first an hour ago, for what `before` then does and brings along, and
 * then now.
 *
 * @param env over the settings of all services
 */
export async function startServicesAfter<T>(
  before: (services: RunningServices) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<StartedServices & { brought: T }> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-matrix-'));
  // The same ones both times: the gateway's is part of the issuer's name.
  const ports = await freePorts();
  const clock = new URL('an-hour-ago.ts', import.meta.url).href;
  const past = await startIn(directory, ports, { ...env, NODE_OPTIONS: `--import=${clock}` });
  const brought = await askAndStop(past, before);
  const services = await startBesideProvider(directory, ports, env);
  return { ...services, brought };
}

/** Starts everything, in a place of its own. @param env over the settings of all services */
export async function startServices(env: Readonly<Record<string, string>> = {}): Promise<StartedServices> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-matrix-'));
  return startBesideProvider(directory, await freePorts(), env);
}

/** @param directory is removed in the end */
async function startBesideProvider(
  directory: string,
  ports: ReadonlyMap<string, number>,
  env: Readonly<Record<string, string>>,
): Promise<StartedServices> {
  const provider = await startIdentityProvider();
  const names = await startNameServerOf(zoneIn({ directory }));
  const services = await startIn(directory, ports, {
    SSO_LOOPBACK_ORIGINS: provider.issuer,
    ...env,
    DNS_SERVERS: names.address,
    OIDC_PROVIDERS: `${providerName}|${provider.issuer}|matrix|${canarySecret()}`,
  });
  const stop = async () => {
    await services.stop();
    provider.close();
    names.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { ...services, stop };
}

/** Never the standard ports: another start at the same moment may find those free, too. */
async function freePorts(): Promise<ReadonlyMap<string, number>> {
  const ports = discoverServices(workspaceRoot).map(async ({ name }) => [name, await freePort()] as const);
  return new Map(await Promise.all(ports));
}

async function askAndStop<T>(
  services: StartedServices,
  ask: (services: RunningServices) => Promise<T>,
): Promise<T> {
  try {
    return await ask(services);
  } finally {
    await services.stop();
  }
}

async function startIn(
  directory: string,
  ports: ReadonlyMap<string, number>,
  env = {},
): Promise<StartedServices> {
  const log = testLog();
  const whereabouts = {
    ports: Object.fromEntries(ports),
    internalApiKey: environment.INTERNAL_API_KEY,
    directory,
  };
  const note = (line: string) => {
    log.write(`${line}\n`);
    if (isDefect(line)) appendFileSync(defectsIn(whereabouts), `${line}\n`);
  };
  const stack = await startStack({
    workspaceRoot,
    directory,
    run: 'source',
    fresh: false,
    env: { ...inherited(), ...environment, ...env, MAIL_DIRECTORY: mailIn(whereabouts) },
    ports,
    log: { write: (service, line) => note(`${service} ${line}`), release: () => undefined },
    progress: { step: (_name, work) => work(), note: () => undefined, end: () => undefined },
    signal: new AbortController().signal,
    onGiveUp: (error) => note(`gave up: ${error.message}`),
  }).catch((error: unknown) => {
    throw new Error(`The services did not start.\n${log.text()}`, { cause: error });
  });
  return { ...servicesAt(whereabouts), whereabouts, stop: stack.stop };
}

/** Services that run somewhere, maybe started by another process. */
export function servicesAt(whereabouts: Whereabouts): RunningServices {
  const { ports, internalApiKey, directory } = whereabouts;
  const descriptions = discoverServices(workspaceRoot).filter(({ prefix }) => prefix !== undefined);
  const text = (file: string) => readFile(file, 'utf8');
  return {
    names: descriptions.map(({ name }) => name),
    urlOf: (service) => `http://127.0.0.1:${ports[service] ?? 0}`,
    prefixOf: (service) => descriptions.find(({ name }) => name === service)?.prefix ?? '',
    async processIds() {
      const record = JSON.parse(await text(join(directory, 'run/services.json'))) as Record<
        string,
        { pid: number }
      >;
      return Object.fromEntries(Object.entries(record).map(([name, { pid }]) => [name, pid]));
    },
    internalApiKey,
    mailDirectory: mailIn(whereabouts),
    zoneDirectory: zoneIn(whereabouts),
    async defects() {
      return (await text(defectsIn(whereabouts)).catch(() => '')).split('\n').filter((line) => line !== '');
    },
  };
}

const zoneIn = ({ directory }: Pick<Whereabouts, 'directory'>) => join(directory, 'zone');
const mailIn = ({ directory }: Whereabouts) => join(directory, 'mail');
const defectsIn = ({ directory }: Whereabouts) => join(directory, 'defects.log');
const isDefect = (line: string) =>
  /"level":"(error|fatal)"|ended by itself|gave up|errors do not declare/.test(line);

/** The environment of this process without what would change the services. */
function inherited(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|NODE_(?!COMPILE_CACHE)|VITEST|TEST|NX_|PORT$|REDIS_URL$|.*DATABASE_URL$|AUTH_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
