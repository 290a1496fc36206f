import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingLogger } from './options.ts';

/** `ExportResultCode.SUCCESS` of @opentelemetry/core. */
const success = 0;

/**
 * Has an exporter say when its collector goes away and when it is back: one line each, however many exports fail in
 * between.
 */
export function reportOutages(exporter: SpanExporter, logger: TracingLogger): SpanExporter {
  let isAway = false;
  const report = (error: Error | undefined, hasFailed: boolean): void => {
    if (hasFailed === isAway) return;
    isAway = hasFailed;
    if (isAway)
      logger.warn({ err: error }, 'spans cannot be exported; those that do not fit the queue are dropped');
    else logger.info({}, 'spans are exported again');
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        report(result.error, code !== success);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
