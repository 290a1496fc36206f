import { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import { databaseMeasurements, type MeasuredPool } from './database-metrics.ts';
import { createMeasure } from './measurement.ts';
import { measureRequests } from './request-metrics.ts';

/** What {@link measureService} needs to know of a service. */
export interface MeasuredService {
  readonly name: string;
  readonly version: string;
  readonly pool?: MeasuredPool | undefined;
}

/** Measures a service's requests and the connections of its pool, and names its version. */
export function measureService(app: FastifyInstance, { name, version, pool }: MeasuredService): void {
  const registry = new Registry();
  const measure = createMeasure(registry);
  app.decorate('metrics', registry);
  app.decorate('measure', measure);
  measure([
    {
      name: 'tenantry_build_info',
      help: 'Always 1; the labels say which service in which version',
      type: 'gauge',
      read: () => [{ labels: { service: name, version }, value: 1 }],
    },
  ]);
  app.decorate('requestsUnderWay', measureRequests(app, measure));
  if (pool) measure(databaseMeasurements(pool));
}
