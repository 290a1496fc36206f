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
  type Span,
} from './spans.ts';
export type { Tracing, TracingLogger, TracingOptions } from './options.ts';
export { startTracing } from './start.ts';
export { readTraceparent, traceHeaders, traceparentOf } from './traceparent.ts';
