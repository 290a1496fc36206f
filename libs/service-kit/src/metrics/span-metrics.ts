import type { Tracing } from '@tenantry/tracing';
import type { Measurement } from './measurement.ts';

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
