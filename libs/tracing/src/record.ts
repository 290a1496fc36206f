import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { createExporter, reportOutages } from './exporter.ts';
import type { Tracing, TracingOptions } from './options.ts';
import { countSpans } from './span-counts.ts';
import { traceBy } from './spans.ts';

/** Spans that wait for a collector which is slow or away, some 4 MB; one more is dropped. */
const spansMax = 2_048;
const stopMsMax = 2_000;

/** Records spans and exports them in the background, until it is stopped. */
export function record({ endpoint, service, version, ratio, logger }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = reportOutages(createExporter(url), logger);
  const { counts: spans, meterProvider: selfObsMeterProvider } = countSpans();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'tenantry',
      'service.name': service,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: spansMax, selfObsMeterProvider })],
  });
  traceBy(provider.getTracer('tenantry'));

  const stop = async (): Promise<boolean> => {
    traceBy(undefined);
    const waiting = new AbortController();
    const late = sleep(stopMsMax, false, { signal: waiting.signal }).catch(() => false);
    const sent = provider.shutdown().then(
      () => true,
      () => false,
    );
    const isSent = await Promise.race([sent, late]);
    waiting.abort();
    return isSent;
  };
  let stopping: Promise<boolean> | undefined;
  return { spans, stop: () => (stopping ??= stop()) };
}
