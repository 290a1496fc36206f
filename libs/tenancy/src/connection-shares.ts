import { addressAsking, AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import { TenancyError } from './errors.ts';
import type { Binding } from './scope.ts';

/** What {@link shareConnections} needs to know of a pool. */
export interface ConnectionSharesOptions {
  /** Named in metrics. */
  readonly name: string;
  readonly poolSize: number;
  /** Connections that one organization may hold; default: half of the pool, and one at least. */
  readonly perSharerMax?: number | undefined;
  /** How long a query waits for its turn at its address, and then for a connection. */
  readonly waitMsMax: number;
}

/** Maximum waiting queries per connection: each is a request in memory, and the wait is bounded. */
const waitingPerConnection = 1_000;

/**
 * Shares the connections of a pool in turn, so that no organization can hold all of them, and no client address with any number
 * of organizations.
 */
export function shareConnections({
  name,
  poolSize,
  perSharerMax = Math.ceil(poolSize / 2),
  waitMsMax,
}: ConnectionSharesOptions): AddressedShares {
  return new AddressedShares({
    name,
    runningMax: poolSize,
    runningPerSharerMax: perSharerMax,
    runningPerAddressMax: poolSize - Math.floor(poolSize / 4),
    waitingMax: poolSize * waitingPerConnection,
    waitMsMax,
  });
}

/** Health checks, which do not wait behind other statements. */
export const healthChecks: Asking = { work: 'health checks' };

/**
 * Connections that are held outside of any scope, such as for a lock. They count apart from statements and from any address, so
 * that whoever holds the lock never waits for a connection that it holds.
 */
const unscopedConnections: Asking = { work: 'unscoped connections' };

/**
 * Who shares a connection with the others: the organization, or the user where the scope names no organization. Statements outside
 * of any scope, most of which serve background work, are one sharer together.
 */
export function askingIn([organizationId, userId]: Binding, use: 'statement' | 'connection'): Asking {
  if (organizationId !== '' || userId !== '') {
    return {
      organizationId: organizationId || undefined,
      userId: userId || undefined,
      address: addressAsking(),
    };
  }
  return use === 'connection' ? unscopedConnections : { work: 'unscoped', address: addressAsking() };
}

/** The error of a caller that got no connection: too many of its own, or of all, were in use for too long. */
export function noConnection(error: unknown): unknown {
  if (!(error instanceof NoShareError)) return error;
  return new TenancyError('CONNECTIONS_BUSY', 'No database connection came free in time.', { cause: error });
}
