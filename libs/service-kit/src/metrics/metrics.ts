import { Gauge, Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { measureRequests } from './request-metrics.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What Prometheus reads at METRICS_PORT; a feature registers its own metrics here, with labels from closed sets. */
    metrics: Registry;
  }
}

/** Connections to a database, as `pg` counts them. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
}

/** What {@link measure} needs to know of a service. */
export interface MeasureOptions {
  readonly name: string;
  readonly version: string;
  readonly pool?: PoolCounts | undefined;
}

/** Measures a service's requests and the connections of its pool, and names its version. */
export function measure(app: FastifyInstance, { name, version, pool }: MeasureOptions): void {
  const registry = new Registry();
  app.decorate('metrics', registry);
  new Gauge({
    name: 'tenantry_build_info',
    help: 'Always 1; the labels say which service in which version',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service: name, version }, 1);
  measureRequests(app, registry);
  if (pool) measurePool(pool, registry);
}

function measurePool(pool: PoolCounts, registry: Registry): void {
  new Gauge({
    name: 'tenantry_database_connections',
    help: 'Open connections to the database',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'tenantry_database_waiting',
    help: 'Requests that wait for a connection to the database',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
