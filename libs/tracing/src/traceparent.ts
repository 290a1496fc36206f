import { trace, type Span } from '@opentelemetry/api';

/** What a `traceparent` says: W3C Trace Context, 3.2. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the one who sent it records the trace. */
  readonly isSampled: boolean;
}

/** Version ff and ids of zeros alone are invalid. */
const shape = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;
const sampledFlag = 0x01;

/** Reads a `traceparent`; undefined for what is none. */
export function readTraceparent(value: unknown): TraceParent | undefined {
  const [, traceId, spanId, flags = ''] = (typeof value === 'string' && shape.exec(value)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

/** The `traceparent` by which another process continues a span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & sampledFlag}`;
}

/**
 * The header fields that have another service continue the trace of what runs now; none where there is no trace.
 *
 * @example await fetch(url, { headers: { ...headers, ...traceHeaders() } });
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = trace.getActiveSpan();
  return span ? { traceparent: traceparentOf(span) } : {};
}
