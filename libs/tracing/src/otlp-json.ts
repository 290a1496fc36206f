import type { Attributes, HrTime } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

/**
 * Writes spans of one process as an ExportTraceServiceRequest in JSON (OTLP 1, "JSON Protobuf Encoding"). They have one
 * resource and one scope, no links and no events: nothing here makes any.
 */
export function otlpJsonOf(spans: readonly ReadableSpan[]): string {
  const [first] = spans;
  if (!first) return '{"resourceSpans":[]}';
  const resource = `{"attributes":${attributesOf(first.resource.attributes)}}`;
  const scope = `{"name":${JSON.stringify(first.instrumentationScope.name)}}`;
  const written = spans.map(spanOf).join(',');
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":${scope},"spans":[${written}]}]}]}`;
}

/** Bits 8 and 9 of the flags: whether it is known that the parent is in another process, and whether it is. */
const parentIsKnown = 0x100;
const parentIsRemote = 0x200;

function spanOf(span: ReadableSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const { parentSpanContext: parent } = span;
  const parentId = parent ? `"parentSpanId":"${parent.spanId}",` : '';
  const flags = traceFlags | parentIsKnown | (parent?.isRemote ? parentIsRemote : 0);
  return (
    `{"traceId":"${traceId}","spanId":"${spanId}",${parentId}"name":${JSON.stringify(span.name)},` +
    // Kinds begin at 0 in the API and at 1 in the protocol.
    `"kind":${span.kind + 1},"startTimeUnixNano":"${nanosOf(span.startTime)}",` +
    `"endTimeUnixNano":"${nanosOf(span.endTime)}","attributes":${attributesOf(span.attributes)},` +
    `"status":{"code":${span.status.code}},"flags":${flags}}`
  );
}

const nanosOf = ([seconds, nanos]: HrTime): string => `${seconds}${String(nanos).padStart(9, '0')}`;

function attributesOf(attributes: Attributes): string {
  let written = '';
  for (const key in attributes) {
    const value = attributes[key];
    if (written !== '') written += ',';
    written += `{"key":${JSON.stringify(key)},"value":{${valueOf(value)}}}`;
  }
  return `[${written}]`;
}

function valueOf(value: Attributes[string]): string {
  if (typeof value !== 'number') return `"stringValue":${JSON.stringify(String(value))}`;
  return Number.isInteger(value) ? `"intValue":${value}` : `"doubleValue":${value}`;
}
