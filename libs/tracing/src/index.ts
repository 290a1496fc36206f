export {
  beginRequest,
  beginSpan,
  endSpan,
  inSpan,
  inTrace,
  isTracing,
  recordedSpan,
  runIn,
} from './spans.ts';
export type { RequestOrigin, Span, SpanDescription } from './spans.ts';
export type { Tracing, TracingLogger, TracingOptions } from './options.ts';
export { startTracing } from './start.ts';
export { readTraceparent, traceHeaders, traceparentOf } from './traceparent.ts';
export type { TraceParent } from './traceparent.ts';
