import { randomBytes } from 'node:crypto';
import { readTraceparent, traceparentOf, type Span } from '@tenantry/tracing';
import type { ReceivedTrace } from './request-headers.ts';

/** Returns the trace header fields for services, names and values in turn. */
export type Tracing = (received: ReceivedTrace, trusted: boolean) => string[];

export interface TracingOptions {
  /** Share of new traces that services record. */
  readonly ratio: number;
  readonly random?: () => number;
}

/**
 * Continues the trace of a trusted proxy, keeping its sampling decision, and starts a new one for all others: a client could
 * otherwise choose trace ids and have everything recorded.
 */
export function createTracing({ ratio, random = Math.random }: TracingOptions): Tracing {
  return ({ traceparent, tracestate }, trusted) => {
    if (trusted && traceparent !== undefined && readTraceparent(traceparent)) {
      return ['traceparent', traceparent, ...tracestate];
    }
    return ['traceparent', newTraceparent(random() < ratio)];
  };
}

/** The same for a gateway that traces: the service continues a span of it. */
export function continueTrace(
  span: Span,
  { traceparent, tracestate }: ReceivedTrace,
  trusted: boolean,
): string[] {
  const isContinued = trusted && readTraceparent(traceparent) !== undefined;
  return ['traceparent', traceparentOf(span), ...(isContinued ? tracestate : [])];
}

const idDigits = 48;
const batchBytes = 24 * 512;
let batch = '';
let used = 0;

/** The root of a new trace: W3C Trace Context, 3.2. */
export function newTraceparent(sampled: boolean): string {
  // Random bytes are generated for many traces together: one by one they would cost as much as the rest of a request.
  if (used >= batch.length) {
    batch = randomBytes(batchBytes).toString('hex');
    used = 0;
  }
  const traceId = batch.slice(used, used + 32);
  const parentId = batch.slice(used + 32, used + idDigits);
  used += idDigits;
  return `00-${traceId}-${parentId}-${sampled ? '01' : '00'}`;
}
