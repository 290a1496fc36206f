import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingLogger } from './options.ts';
import { otlpJsonOf } from './otlp-json.ts';

/** Exports that a collector may leave unanswered; at the end the whole queue is four more. */
const exportsMax = 8;

/**
 * The exporter of OpenTelemetry for OTLP over HTTP, with its environment variables, repetitions and timeouts, but with
 * our own text of a span: its serializer makes a tree of objects first, and takes three times as long.
 */
export function createExporter(url: string): SpanExporter {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else reads the variables; their exporters call it, too
  const options = convertLegacyHttpOptions({ url, concurrencyLimit: exportsMax }, 'TRACES', 'v1/traces', {
    'Content-Type': 'application/json',
  });
  const serializer = {
    serializeRequest: (spans: ReadableSpan[]) => Buffer.from(otlpJsonOf(spans)),
    deserializeResponse: () => undefined,
  };
  const counted = { name: 'span' as const, countItems: (spans: ReadableSpan[]) => spans.length };
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, serializer, 'otlp_http_span_exporter', counted, undefined),
  );
}

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
