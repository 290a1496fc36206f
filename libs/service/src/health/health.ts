import type { FastifyInstance, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { withinMs } from '../calls/within-ms.ts';
import { ClosedObject } from '../resources/fields.ts';

/** Resolves when a part answers, `'not-configured'` when the service has no such part; rejects otherwise. */
export type HealthCheck = () => Promise<unknown>;

/** The parts that health responses list. */
export interface HealthChecks {
  readonly database?: HealthCheck;
  readonly redis?: HealthCheck;
}

type PartState = 'healthy' | 'unhealthy' | 'not-configured';
/** The state of every part. */
export type HealthReport = Readonly<Record<keyof HealthChecks, PartState>>;

const PartSchema = Type.Enum(['healthy', 'unhealthy']);
const TimestampSchema = Type.String({ format: 'date-time' });
const VersionSchema = Type.String({ examples: ['0.1.0'] });
const NotConfiguredSchema = Type.Optional(Type.Array(Type.String({ examples: ['redis'] })));
const HealthySchema = ClosedObject({
  status: Type.Literal('healthy'),
  timestamp: TimestampSchema,
  version: VersionSchema,
  notConfigured: NotConfiguredSchema,
});
const UnhealthySchema = ClosedObject({
  status: Type.Literal('unhealthy'),
  timestamp: TimestampSchema,
  version: VersionSchema,
  checks: ClosedObject({ database: PartSchema, redis: PartSchema }),
  notConfigured: NotConfiguredSchema,
});
const ReadySchema = ClosedObject({ status: Type.Literal('ready'), timestamp: TimestampSchema });
const NotReadySchema = ClosedObject({
  status: Type.Literal('not_ready'),
  timestamp: TimestampSchema,
  reason: Type.String({ examples: ['the database is not reachable'] }),
});
const AliveSchema = ClosedObject({ status: Type.Literal('alive'), timestamp: TimestampSchema });

/** Tells why a service is not ready, or undefined when it is. */
export type UnreadyReason = () => Promise<string | undefined>;

/** Options of {@link healthRoutes}. */
export interface HealthOptions {
  readonly version: string;
  readonly checks: HealthChecks;
  /** Whether the service is unready while its database is down. */
  readonly needsDatabase: boolean;
  /** Why the service is not ready although its parts are healthy; undefined when it is. */
  readonly unreadyBecause?: UnreadyReason | undefined;
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean;
}

/** GET /api/health for people and monitors, /ready for load balancers, /live for supervisors. */
export function healthRoutes(app: FastifyInstance, options: HealthOptions): void {
  const { version, checks, needsDatabase, unreadyBecause, isDraining } = options;
  const report = sharedFor(reportLifetimeMs, () => runChecks(checks));
  const timestamp = () => new Date().toISOString();

  app.get('/api/health', healthRoute(operations.health), async (_request, reply) => {
    const parts = await report();
    const absent = partNames.filter((name) => parts[name] === 'not-configured');
    const common = {
      timestamp: timestamp(),
      version,
      ...(absent.length > 0 ? { notConfigured: absent } : {}),
    };
    if (partNames.every((name) => parts[name] !== 'unhealthy')) return { status: 'healthy', ...common };
    return reply.code(503).send({
      status: 'unhealthy',
      ...common,
      checks: { database: publicState(parts.database), redis: publicState(parts.redis) },
    });
  });

  app.get('/api/health/ready', healthRoute(operations.readiness), async (_request, reply) => {
    const reason = isDraining()
      ? 'shutting down'
      : ((await unreadyBecause?.()) ?? (needsDatabase ? unreadyReason(await report()) : undefined));
    if (reason === undefined) return { status: 'ready', timestamp: timestamp() };
    return reply.code(503).send({ status: 'not_ready', timestamp: timestamp(), reason });
  });

  app.get('/api/health/live', healthRoute(operations.liveness), async () => ({
    status: 'alive',
    timestamp: timestamp(),
  }));
}

const operations = {
  health: {
    operationId: 'getHealth',
    summary: 'Check the service and what it depends on',
    response: { 200: HealthySchema, 503: UnhealthySchema },
  },
  readiness: {
    operationId: 'getReadiness',
    summary: 'Check whether the service takes requests',
    response: { 200: ReadySchema, 503: NotReadySchema },
  },
  liveness: {
    operationId: 'getLiveness',
    summary: 'Check that the process runs',
    response: { 200: AliveSchema },
  },
};

const healthRoute = (operation: FastifySchema) => ({
  config: { access: 'public' as const },
  logLevel: 'warn' as const,
  schema: { ...operation, tags: ['health'] },
});

const partNames = ['database', 'redis'] as const;
/** A part that is not configured counts as healthy. */
const publicState = (state: PartState) => (state === 'unhealthy' ? 'unhealthy' : 'healthy');

/** Redis is optional: without it the limits fall back to the process, and the service stays ready. */
function unreadyReason({ database }: HealthReport): string | undefined {
  return database === 'unhealthy' ? 'the database is not reachable' : undefined;
}

const checkTimeoutMs = 2_000;
const reportLifetimeMs = 500;

/**
 * Shares one run of `load` among all who ask while it runs, and its result for some time after: probes come from many sides at
 * once. A failure is not kept.
 *
 * @param lifetimeMs for how long, or how long for a result
 */
export function sharedFor<Value>(
  lifetimeMs: number | ((value: Value) => number),
  load: () => Promise<Value>,
): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let expiresAt = 0;
  const keep = (ms: number) => (expiresAt = performance.now() + ms);
  return () => {
    if (!current || performance.now() >= expiresAt) {
      expiresAt = Number.POSITIVE_INFINITY;
      current = load();
      current.then(
        (value) => keep(typeof lifetimeMs === 'number' ? lifetimeMs : lifetimeMs(value)),
        () => keep(0),
      );
    }
    return current;
  };
}

async function runChecks({ database, redis }: HealthChecks): Promise<HealthReport> {
  const [databaseState, redisState] = await Promise.all([stateOf(database), stateOf(redis)]);
  return { database: databaseState, redis: redisState };
}

async function stateOf(check: HealthCheck | undefined): Promise<PartState> {
  if (!check) return 'not-configured';
  try {
    const state = await withinMs(checkTimeoutMs, check(), () => {
      throw new Error('health check timed out');
    });
    return state === 'not-configured' ? 'not-configured' : 'healthy';
  } catch {
    return 'unhealthy';
  }
}
