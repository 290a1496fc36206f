import { Registry } from '@prometheus-io/client';
import type { Tracing } from '@tenantry/tracing';
import type { FastifyInstance } from 'fastify';
import { databaseMeasurements, type MeasuredPool } from './database-metrics.ts';
import { createMeasure, type Measurement } from './measurement.ts';
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

/** What is measured of a process's spans; zeros where it does not trace. */
export function spanMeasurements(tracing: Tracing | undefined): readonly Measurement[] {
  const counts = () => tracing?.spans ?? { exported: 0, queueFull: 0, exportFailed: 0 };
  return [
    {
      name: 'tenantry_spans_total',
      help: 'Recorded spans: exported, or lost because the queue was full or their export failed',
      type: 'counter',
      read: () => {
        const { exported, queueFull, exportFailed } = counts();
        return [
          { labels: { outcome: 'exported' }, value: exported },
          { labels: { outcome: 'queue_full' }, value: queueFull },
          { labels: { outcome: 'export_failed' }, value: exportFailed },
        ];
      },
    },
  ];
}
