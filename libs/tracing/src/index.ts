export {
  beginRequest,
  beginSpan,
  endSpan,
  inSpan,
  inTrace,
  isTracing,
  recordedSpan,
  runIn,
  runsIn,
  type RequestOrigin,
  type Span,
  type SpanDescription,
} from './spans.ts';
export type { SpanCounts } from './span-counts.ts';
export type { Tracing, TracingLogger, TracingOptions } from './options.ts';
export { startTracing } from './start.ts';
export { readTraceparent, traceHeaders, traceparentOf } from './traceparent.ts';
