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
 * Shares the connections of a pool in turn, so that neither an organization can hold all of them, nor a client address with any
 * number of organizations.
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
 * Connections that are held outside of any scope, for example for a lock. They are counted separately from statements and
 * addresses, so that the holder of the lock never waits for a connection that it holds itself.
 */
const unscopedConnections: Asking = { work: 'unscoped connections' };

/**
 * The sharer of a connection: the organization, or the user if the scope names no organization. All statements outside of any
 * scope, most of which serve background work, are one sharer.
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

/** The error of a caller that got no connection: its own share, or the whole pool, was in use for too long. */
export function noConnection(error: unknown): unknown {
  if (!(error instanceof NoShareError)) return error;
  return new TenancyError('CONNECTIONS_BUSY', 'No database connection came free in time.', { cause: error });
}
