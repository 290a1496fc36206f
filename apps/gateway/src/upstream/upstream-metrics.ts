import type { Measurement } from '@tenantry/service/metrics';
import type { Upstream } from './upstream.ts';

/** A prefix of the route table, and the service behind it. */
interface MeasuredRoute {
  readonly prefix: string;
  readonly upstream: Pick<Upstream, 'outcomes' | 'instances'>;
}

/** Outcomes of requests to services, and ejected instances. */
export function upstreamMeasurements(routes: readonly MeasuredRoute[]): Measurement[] {
  return [
    {
      name: 'tenantry_upstream_exchanges_total',
      help: 'Exchanges with services, by how they came out; one that is repeated counts each time',
      type: 'counter',
      read: () =>
        routes.flatMap(({ prefix: upstream, upstream: { outcomes } }) =>
          Object.entries(outcomes).map(([outcome, value]) => ({ labels: { upstream, outcome }, value })),
        ),
    },
    {
      name: 'tenantry_upstream_instances',
      help: 'Instances of services; others are asked in place of one that rests after a failure',
      type: 'gauge',
      read: () =>
        routes.flatMap(({ prefix: upstream, upstream: { instances } }) => {
          const resting = instances.filter(({ isResting }) => isResting).length;
          return [
            { labels: { upstream, state: 'resting' }, value: resting },
            { labels: { upstream, state: 'serving' }, value: instances.length - resting },
          ];
        }),
    },
  ];
}
