import { TraceFlags, type Span, type SpanContext } from '@opentelemetry/api';
import { running } from './running.ts';

/** Version ff and ids of zeros alone are invalid. */
const shape = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;

/** Reads a `traceparent` (W3C Trace Context, 3.2); undefined for what is none. */
export function readTraceparent(value: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = (typeof value === 'string' && shape.exec(value)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** Whether a trace is recorded. */
export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** The `traceparent` by which another process continues a span. */
export function traceparentOf(span: Span): string {
  const context = span.spanContext();
  return `00-${context.traceId}-${context.spanId}-0${Number(isSampled(context))}`;
}

/**
 * The header fields that have another service continue the trace of what runs now; none where there is no trace.
 *
 * @example await fetch(url, { headers: { ...headers, ...traceHeaders() } });
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = running.getStore();
  return span ? { traceparent: traceparentOf(span) } : {};
}
