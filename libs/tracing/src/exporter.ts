import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
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
