import { createNoopMeter, type Attributes, type MeterProvider } from '@opentelemetry/api';

/** How many recorded spans a collector has taken, and how many are lost and why. */
export interface SpanCounts {
  readonly exported: number;
  /** The queue was full, because the collector is slow or away. */
  readonly queueFull: number;
  /** The collector refused them, or did not answer in time. */
  readonly exportFailed: number;
}

/** Counts by the counter that OpenTelemetry's queue of spans keeps of itself, the only one that it asks a meter for. */
export function countSpans(): { readonly counts: SpanCounts; readonly meterProvider: MeterProvider } {
  const counts = { exported: 0, queueFull: 0, exportFailed: 0 };
  const add = (spans: number, attributes?: Attributes): void => {
    const failure = attributes?.['error.type'];
    if (failure === undefined) counts.exported += spans;
    else if (failure === 'queue_full') counts.queueFull += spans;
    else counts.exportFailed += spans;
  };
  const meter = Object.create(createNoopMeter(), { createCounter: { value: () => ({ add }) } }) as ReturnType<
    typeof createNoopMeter
  >;
  return { counts, meterProvider: { getMeter: () => meter } };
}
