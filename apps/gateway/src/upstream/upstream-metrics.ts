import type { Measurement } from '@tenantry/service-kit';
import type { FailureKind } from './failure.ts';
import type { Upstream } from './upstream.ts';

/** How an exchange with a service came out; `full` when no instance could take it. */
export type Outcome = 'answered' | FailureKind | 'full';

/** Counts of exchanges since the process began. */
export type Outcomes = Record<Outcome, number>;

/** No exchange yet. */
export const noOutcomes = (): Outcomes => ({ answered: 0, unreachable: 0, silent: 0, broken: 0, full: 0 });

/** A prefix of the route table, and the service behind it. */
interface MeasuredRoute {
  readonly prefix: string;
  readonly upstream: Pick<Upstream, 'outcomes' | 'instances'>;
}

/** How the services behind the gateway answer, and which of their instances rest. */
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
