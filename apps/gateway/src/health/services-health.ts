import { sharedFor, type HealthCheck, type HealthChecks, type HealthReport } from '@tenantry/service/http';
import type { Address, RouteTable } from '../routing/route-table.ts';
import { getJson } from '../upstream/get-json.ts';

const answerTimeoutMs = 1_500;
const reportLifetimeMs = 1_000;

/**
 * Requests the health of all services behind the gateway in parallel. Responses are cached for a second, so that a flood of
 * probes does not reach the services.
 */
export function servicesHealth(routes: RouteTable): Required<HealthChecks> {
  const reports = sharedFor(reportLifetimeMs, () =>
    Promise.all(routes.map(({ addresses }) => reportOf(addresses))),
  );

  const check =
    (part: keyof HealthReport): HealthCheck =>
    async () => {
      const states = (await reports()).map((report) => report[part]);
      if (states.includes('unhealthy')) throw new Error(`${part} is unhealthy behind the gateway`);
      return states.every((state) => state === 'not-configured') ? 'not-configured' : 'healthy';
    };

  return { database: check('database'), redis: check('redis') };
}

/** Adds the gateway's own Redis, if it has one, to those of the services. */
export function withOwnRedis(
  services: Required<HealthChecks>,
  check: HealthCheck | undefined,
): Required<HealthChecks> {
  if (!check) return services;
  return {
    ...services,
    redis: async () => {
      await Promise.all([check(), services.redis()]);
    },
  };
}

/** One healthy instance is enough: the proxy uses it. */
async function reportOf(addresses: readonly Address[]): Promise<HealthReport> {
  const reports = await Promise.all(addresses.map(reportOfInstance));
  return (
    reports.find(({ database, redis }) => database !== 'unhealthy' && redis !== 'unhealthy') ??
    reports[0] ??
    away
  );
}

/** The parts of a service that is down are unknown, but its data cannot be reached. */
const away: HealthReport = { database: 'unhealthy', redis: 'not-configured' };

async function reportOfInstance(address: Address): Promise<HealthReport> {
  const response = await getJson(address, '/api/health', answerTimeoutMs).catch(() => undefined);
  const { status, checks, notConfigured } = (response?.body ?? {}) as {
    status?: unknown;
    checks?: Partial<Record<string, unknown>>;
    notConfigured?: readonly unknown[];
  };
  if (status !== 'healthy' && status !== 'unhealthy') return away;
  const stateOf = (part: keyof HealthReport) => {
    if (notConfigured?.includes(part)) return 'not-configured';
    return status === 'healthy' || checks?.[part] === 'healthy' ? 'healthy' : 'unhealthy';
  };
  return { database: stateOf('database'), redis: stateOf('redis') };
}
