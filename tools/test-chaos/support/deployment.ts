import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tenantry/dev-database';
import { canarySecret, startTcpLink, startTestRedis, type TcpLink, type TestRedis } from '@tenantry/test-kit';
import { migratedDatabase, startInstance, type Instance } from '../../test/support/instance.ts';
import { startDatabaseServer, type DatabaseServer } from './database-server.ts';

/** The services that chaos is tried on, and the path that leads to each. */
const prefixes = {
  'auth-service': '/api/auth',
  'leads-service': '/api/leads',
  'users-service': '/api/users',
  'quotation-service': '/api/quotation',
} as const;

/** A service behind the gateway. */
export type BackendName = keyof typeof prefixes;
/** Who connects to something. */
export type Client = BackendName | 'gateway';
/** What is connected to. */
export type Target = BackendName | 'postgres' | 'redis' | 'mail';

/** What is deployed. */
export interface DeploymentOptions {
  /** How many of each. */
  readonly replicas: Readonly<Partial<Record<BackendName, number>>>;
  readonly gateways?: number;
  /** Puts a link that can be made bad into every connection. */
  readonly linked?: boolean;
  /** Port of a mail server; without one, letters are files. */
  readonly mailPort?: number;
  /** Whose services run, and whose migrations; this checkout without it. */
  readonly checkout?: string;
  /** A PostgreSQL that the test starts and ends; without it the deployment has one of its own. */
  readonly postgres?: Pick<DatabaseServer, 'adminUrl' | 'port'>;
  /** Settings of some service beyond the usual ones. */
  readonly settings?: Readonly<Partial<Record<Client | 'all', Readonly<Record<string, string>>>>>;
}

/** One instance of a service, at an address that it keeps. */
export interface Replica {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** The process that runs there now. */
  readonly process: Instance;
  /** By default what has run there before. */
  start(checkout?: string): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process has ended, with its exit code. */
  terminate(): Promise<number | null>;
}

/** Tenantry as an operator runs it: each instance a process of its own, on one PostgreSQL and one Redis. */
export interface Deployment {
  readonly gateways: readonly Replica[];
  readonly url: string;
  readonly redis: TestRedis | undefined;
  readonly mailDirectory: string;
  /** What the first instance of a service was started with. */
  environment(service: Client): Readonly<Record<string, string>>;
  of(service: Client): readonly Replica[];
  all(): readonly Replica[];
  /** The links between a client and what it connects to, one for each instance of that. */
  readonly links: (from: Client, to: Target) => readonly TcpLink[];
  stop(): Promise<void>;
}

const unlimited = '1000000';

/** Limits that one machine full of clients would hit at once, and hashing that takes no time. */
const settingsForLoad = {
  BCRYPT_COST: '4',
  RATE_LIMIT_SIGN_IN_PER_MINUTE: unlimited,
  RATE_LIMIT_SIGN_IN_PER_HOUR: unlimited,
  RATE_LIMIT_SIGN_UP_PER_HOUR: unlimited,
  RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: unlimited,
  RATE_LIMIT_USERS_PER_HOUR: unlimited,
  RATE_LIMIT_USERS_PER_ORGANIZATION_PER_HOUR: unlimited,
  RATE_LIMIT_USERS_PER_ADDRESS_PER_HOUR: unlimited,
  RATE_LIMIT_REFUSED_USERS_PER_HOUR: unlimited,
  RATE_LIMIT_REFRESH_PER_MINUTE: unlimited,
  RATE_LIMIT_PER_MINUTE: unlimited,
};

/** Starts it, and resolves when every instance is ready. */
export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const { replicas, gateways: gatewayCount = 1, settings = {} } = options;
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-chaos-'));
  const mailDirectory = join(directory, 'mail');
  const { postgres, endPostgres } = await postgresOf(options);
  const redis = await startTestRedis({ ...process.env, TEST_INFRA: 'embedded' });
  const network = createNetwork(options.linked ?? false);
  const names = (Object.keys(replicas) as BackendName[]).filter((name) => replicas[name]);

  const databases = new Map(
    await Promise.all(
      names.map(
        async (name) => [name, new URL(await migratedDatabase(postgres, name, options.checkout))] as const,
      ),
    ),
  );
  const ports = new Map<Client, number[]>();
  for (const name of ['gateway', ...names] as const) {
    const count = name === 'gateway' ? gatewayCount : (replicas[name] ?? 0);
    ports.set(name, await Promise.all(Array.from({ length: count }, () => freePort())));
  }
  const portsOf = (name: Client) => ports.get(name) ?? [];
  const secrets = { AUTH_SECRET: canarySecret(), INTERNAL_API_KEY: canarySecret() };

  /** The environment of one instance. */
  async function environmentOf(name: Client, index: number): Promise<Record<string, string>> {
    // One verifier follows one auth-service, and the next another.
    const auths = portsOf('auth-service');
    const auth = await network.address(name, 'auth-service', auths[index % auths.length] ?? 0);
    const leads = portsOf('leads-service')[0];
    return {
      LOG_LEVEL: 'info',
      ...settingsForLoad,
      // The load names its clients, as a proxy in front does.
      TRUST_PROXY: '127.0.0.1/32',
      MAIL_DIRECTORY: mailDirectory,
      AUTH_URL: `http://127.0.0.1:${portsOf('gateway')[0]}/api/auth`,
      AUTH_JWKS_URL: `${auth}/api/auth/jwks`,
      AUTH_INTERNAL_URL: auth,
      AUTH_REVOCATIONS_URL: `${auth}/internal/revocations`,
      ...(leads !== undefined && { LEADS_URL: `http://127.0.0.1:${leads}` }),
      ...(redis && { REDIS_URL: await network.address(name, 'redis', redis.port, 'redis') }),
      ...(options.mailPort !== undefined && {
        SMTP_URL: await network.address(name, 'mail', options.mailPort, 'smtp'),
      }),
      ...(name === 'gateway'
        ? { ROUTES: await routes() }
        : { ...secrets, DATABASE_URL: await database(name) }),
      ...settings.all,
      ...settings[name],
    };
  }
  async function database(name: BackendName): Promise<string> {
    const url = new URL(databases.get(name) ?? '');
    url.port = new URL(await network.address(name, 'postgres', postgres.port)).port;
    return url.href;
  }
  async function routes(): Promise<string> {
    const entries = names.map(async (name) => {
      const addresses = portsOf(name).map((port) => network.address('gateway', name, port));
      return `${prefixes[name]}=${(await Promise.all(addresses)).join('|')}`;
    });
    return (await Promise.all(entries)).join(',');
  }
  async function start(name: Client): Promise<Replica[]> {
    return Promise.all(
      portsOf(name).map(async (port, index) => {
        const env = { ...(await environmentOf(name, index)), PORT: String(port) };
        return startReplica(name, env, options.checkout);
      }),
    );
  }

  // Everything else waits for what auth-service has to say.
  const running = new Map<Client, Replica[]>([['auth-service', await start('auth-service')]]);
  const others = (['gateway', ...names] as const).filter((name) => name !== 'auth-service');
  await Promise.all(others.map(async (name) => running.set(name, await start(name))));
  const all = () => [...running.values()].flat();
  const gateways = running.get('gateway') ?? [];
  return {
    gateways,
    url: gateways[0]?.url ?? '',
    redis,
    mailDirectory,
    environment: (name) => running.get(name)?.[0]?.env ?? {},
    of: (name) => running.get(name) ?? [],
    all,
    links: network.links,
    async stop() {
      await Promise.all(all().map((replica) => replica.kill()));
      await network.close();
      await redis?.stop();
      await endPostgres();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function postgresOf({ postgres }: Pick<DeploymentOptions, 'postgres'>) {
  if (postgres) return { postgres, endPostgres: async () => undefined };
  const own = await startDatabaseServer();
  return { postgres: own, endPostgres: () => own.stop() };
}

async function startReplica(
  name: Client,
  env: Record<string, string> & { PORT: string },
  firstCheckout?: string,
): Promise<Replica> {
  let checkout = firstCheckout;
  let process = await startInstance(name, env, checkout);
  return {
    url: process.url,
    env,
    get process() {
      return process;
    },
    async start(next = checkout) {
      checkout = next;
      process = await startInstance(name, env, checkout);
    },
    kill: () => process.kill(),
    terminate: () => process.terminate(),
  };
}

interface Network {
  /** The address at which a client reaches a port. */
  address(from: Client, to: Target, port: number, scheme?: string): Promise<string>;
  links: Deployment['links'];
  close(): Promise<void>;
}

/** Straight connections, or one link for each client and port. */
function createNetwork(linked: boolean): Network {
  const links = new Map<string, Promise<TcpLink>>();
  const opened = new Map<string, TcpLink[]>();
  const open = async (route: string, port: number): Promise<TcpLink> => {
    const link = await startTcpLink(port);
    opened.set(route, [...(opened.get(route) ?? []), link]);
    return link;
  };
  return {
    async address(from, to, port, scheme = 'http') {
      if (!linked) return `${scheme}://127.0.0.1:${port}`;
      const route = `${from}>${to}`;
      const key = `${route}:${port}`;
      const link = links.get(key) ?? open(route, port);
      links.set(key, link);
      return `${scheme}://127.0.0.1:${(await link).port}`;
    },
    links: (from, to) => opened.get(`${from}>${to}`) ?? [],
    async close() {
      await Promise.all([...opened.values()].flat().map((link) => link.close()));
    },
  };
}
