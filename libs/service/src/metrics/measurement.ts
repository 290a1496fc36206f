import type { Metric, Registry } from '@prometheus-io/client';

declare module 'fastify' {
  interface FastifyInstance {
    /** What Prometheus reads at METRICS_PORT. */
    metrics: Registry;
    /** Registers further measurements. */
    measure: (measurements: readonly Measurement[]) => void;
    /** How many requests are being answered. */
    requestsUnderWay: () => number;
  }
}

/** Tells a number from others of its name. Values come from closed sets: no id, and nothing that a client sends. */
export type Labels = Readonly<Record<string, string>>;

/** One number. */
export interface Reading {
  readonly labels?: Labels;
  readonly value: number;
}

/** How often something was done, and the total seconds. */
export interface Total {
  readonly labels?: Labels;
  readonly count: number;
  readonly sum: number;
}

/** How long something took. */
export interface Distribution {
  readonly labels?: Labels;
  /** Seconds, ascending. */
  readonly bounds: readonly number[];
  /** How often it took up to a bound and longer than the one before; the last is for longer than all of them. */
  readonly counts: readonly number[];
  /** Seconds in all. */
  readonly sum: number;
}

interface Described {
  readonly name: `tenantry_${string}`;
  readonly help: string;
}

/**
 * A metric of a part of a service: numbers that it keeps anyway, read when Prometheus scrapes, so that a request costs only an
 * addition.
 *
 * @example
 * const waiting: Measurement = {
 *   name: 'tenantry_letters_waiting',
 *   help: 'Letters that wait to be sent',
 *   type: 'gauge',
 *   read: () => [{ value: letters.size }],
 * };
 * app.measure([waiting]);
 */
export type Measurement = Described &
  (
    | { readonly type: 'gauge' | 'counter'; readonly read: () => readonly Reading[] }
    | { readonly type: 'summary'; readonly read: () => readonly Total[] }
    | { readonly type: 'histogram'; readonly read: () => readonly Distribution[] }
  );

/** A sample that Prometheus reads; without a name of its own it has that of the metric. */
interface Line {
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Registers measurements. Several parts may use the same metric, each with its own labels. */
export function createMeasure(registry: Registry): (measurements: readonly Measurement[]) => void {
  const byName = new Map<string, Measurement[]>();
  return (measurements) => {
    for (const measurement of measurements) {
      const known = byName.get(measurement.name);
      if (known?.some(({ type }) => type !== measurement.type))
        throw new Error(`${measurement.name} is measured as a ${measurement.type} and as something else`);
      if (known) {
        known.push(measurement);
        continue;
      }
      const parts = [measurement];
      byName.set(measurement.name, parts);
      registry.registerMetric(metricOf(parts, measurement));
    }
  };
}

/** The part of a metric that a registry uses. */
function metricOf(parts: readonly Measurement[], { name, help, type }: Measurement): Metric {
  const get = async () => ({ name, help, type, values: parts.flatMap(linesOf) });
  return { name, type, get } as unknown as Metric;
}

function linesOf(measurement: Measurement): Line[] {
  const { name } = measurement;
  switch (measurement.type) {
    case 'gauge':
    case 'counter':
      return measurement.read().map(({ labels = {}, value }) => ({ labels, value }));
    case 'summary':
      return measurement.read().flatMap((total) => totalLines(name, total));
    case 'histogram':
      return measurement.read().flatMap((distribution) => bucketLines(name, distribution));
  }
}

function totalLines(name: string, { labels = {}, count, sum }: Total): Line[] {
  return [
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** Prometheus expects cumulative buckets. */
function bucketLines(name: string, { labels = {}, bounds, counts, sum }: Distribution): Line[] {
  let count = 0;
  const buckets = counts.map((within, index) => {
    count += within;
    const le = String(bounds[index] ?? '+Inf');
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [...buckets, ...totalLines(name, { labels, count, sum })];
}
