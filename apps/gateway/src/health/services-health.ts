import type { HealthCheck, HealthChecks, UnreadyReason } from '@tenantry/service-kit';
import type { Address, RouteTable } from '../routing/route-table.ts';

/** The parts of a service as its own GET /api/health tells them. */
interface ServiceReport {
  readonly database: PartState;
  readonly redis: PartState;
}
type PartState = 'healthy' | 'unhealthy' | 'not-configured';

const answerTimeoutMs = 1_500;
const reportLifetimeMs = 1_000;

/** The health of everything behind the gateway. */
export interface ServicesHealth {
  readonly checks: Required<HealthChecks>;
  readonly unreadyBecause: UnreadyReason;
}

/**
 * Asks the services behind the gateway how they are, all at once. Answers are kept for a second, so that a flood
 * of probes at the gateway is no flood behind it.
 */
export function servicesHealth(routes: RouteTable): ServicesHealth {
  const reports = shared(() => Promise.all(routes.map(({ addresses }) => reportOf(addresses))));
  const unready = shared(async () => {
    const ready = await Promise.all(routes.map(({ addresses }) => isReady(addresses)));
    return routes.filter((_route, index) => !ready[index]).map(({ prefix }) => prefix);
  });

  const check =
    (part: keyof ServiceReport): HealthCheck =>
    async () => {
      const states = (await reports()).map((report) => report[part]);
      if (states.includes('unhealthy')) throw new Error(`${part} is unhealthy behind the gateway`);
      return states.every((state) => state === 'not-configured') ? 'not-configured' : 'healthy';
    };

  return {
    checks: { database: check('database'), redis: check('redis') },
    unreadyBecause: async () => {
      const prefixes = await unready();
      return prefixes.length === 0 ? undefined : `not ready: ${prefixes.join(', ')}`;
    },
  };
}

/** Adds the Redis that the gateway itself uses, where it has one, to those of the services. */
export function withOwnRedis(health: ServicesHealth, check: HealthCheck | undefined): ServicesHealth {
  if (!check) return health;
  const redis: HealthCheck = async () => {
    await Promise.all([check(), health.checks.redis()]);
  };
  return { ...health, checks: { ...health.checks, redis } };
}

/** One instance that answers well is enough: the proxy goes to it. */
async function reportOf(addresses: readonly Address[]): Promise<ServiceReport> {
  const reports = await Promise.all(addresses.map(reportOfInstance));
  return (
    reports.find(({ database, redis }) => database !== 'unhealthy' && redis !== 'unhealthy') ??
    reports[0] ??
    away
  );
}

/** Nothing is known of the parts of a service that is away, but its data cannot be had. */
const away: ServiceReport = { database: 'unhealthy', redis: 'not-configured' };

async function reportOfInstance(address: Address): Promise<ServiceReport> {
  const answer = await ask(address, '/api/health');
  if (!answer) return away;
  const { status, checks, notConfigured } = answer.body as {
    status?: unknown;
    checks?: Partial<Record<string, unknown>>;
    notConfigured?: readonly unknown[];
  };
  if (status !== 'healthy' && status !== 'unhealthy') return away;
  const stateOf = (part: string): PartState => {
    if (notConfigured?.includes(part)) return 'not-configured';
    return status === 'healthy' || checks?.[part] === 'healthy' ? 'healthy' : 'unhealthy';
  };
  return { database: stateOf('database'), redis: stateOf('redis') };
}

async function isReady(addresses: readonly Address[]): Promise<boolean> {
  const answers = await Promise.all(addresses.map((address) => ask(address, '/api/health/ready')));
  return answers.some((answer) => answer?.ok === true);
}

interface Answer {
  readonly ok: boolean;
  readonly body: object;
}

async function ask({ origin }: Address, path: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${origin}${path}`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
      redirect: 'error',
    });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? { ok: response.ok, body } : undefined;
  } catch {
    return undefined;
  }
}

/** Shares one run of `load` among all who ask within its lifetime. */
function shared<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let expiresAt = 0;
  return () => {
    if (!current || performance.now() >= expiresAt) {
      expiresAt = Number.POSITIVE_INFINITY;
      current = load().finally(() => (expiresAt = performance.now() + reportLifetimeMs));
    }
    return current;
  };
}
