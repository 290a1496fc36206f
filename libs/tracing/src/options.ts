import type { SpanCounts } from './span-counts.ts';

/** What is logged, in the form that pino takes. */
export interface TracingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What a process records, and where it sends that. */
export interface TracingOptions {
  /** Base address of a collector that takes OTLP over HTTP, as `http://collector:4318`. */
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
  /** Share of the traces begun here that are recorded. One that another process began is as that has decided. */
  readonly ratio: number;
  readonly logger: TracingLogger;
}

/** The tracing of a process. */
export interface Tracing {
  /** What has become of its spans so far. */
  readonly spans: SpanCounts;
  /**
   * Sends what is left, and resolves within two seconds: with false where the collector has not taken it by then. What
   * is still under way keeps the process for some seconds more.
   */
  stop(): Promise<boolean>;
}
