import type { Tracing, TracingOptions } from './options.ts';

/**
 * Starts to trace in this process. What records and exports is loaded here, so that a process that does not trace never
 * loads it.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { record } = await import('./record.ts');
  return record(options);
}
