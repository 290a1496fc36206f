import type { FairShares } from '@tenantry/fair-shares';
import type { Measurement } from './measurement.ts';

/** What is read of shares to measure them. */
export type MeasuredShares = Pick<FairShares, 'name' | 'counts'>;

/** What is measured of a bounded resource that is shared in turn. */
export function measureShares(shares: MeasuredShares): readonly Measurement[] {
  const shared = shares.name;
  return [
    {
      name: 'tenantry_shares',
      help: 'Shares of a bounded resource that are in use, and work that waits for one',
      type: 'gauge',
      read: () => {
        const { running, waiting } = shares.counts;
        return [
          { labels: { shared, state: 'running' }, value: running },
          { labels: { shared, state: 'waiting' }, value: waiting },
        ];
      },
    },
    {
      name: 'tenantry_share_refusals_total',
      help: 'Work that got no share, because the queue was full or its turn did not come in time',
      type: 'counter',
      read: () => {
        const { full, late } = shares.counts.refused;
        return [
          { labels: { shared, reason: 'full' }, value: full },
          { labels: { shared, reason: 'late' }, value: late },
        ];
      },
    },
    {
      name: 'tenantry_share_wait_seconds',
      help: 'How long work waited for its share, where it had to wait',
      type: 'summary',
      read: () => [{ labels: { shared }, ...shares.counts.waited }],
    },
  ];
}
