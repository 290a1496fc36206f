import type { Kind } from './openid/kinds.ts';
import type { OpenIdClient } from './openid/openid-client.ts';

/** A connection that signs people in, as long as its key is the one of `enabledAt`. */
export interface LiveConnection extends OpenIdClient {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: Kind;
  readonly provesSecondFactor: boolean;
  readonly enabledAt: Date;
}

/**
 * What a flow belongs to: this connection, since it was last turned on. One that was turned off meanwhile finishes nothing that had
 * begun.
 */
export const flowProvider = ({
  organizationId,
  id,
  enabledAt,
}: Pick<LiveConnection, 'organizationId' | 'id' | 'enabledAt'>) =>
  [organizationId, id, enabledAt.getTime()].join('/');

/** The connection that {@link flowProvider} names. */
export function connectionOfFlow(provider: string): Pick<LiveConnection, 'organizationId' | 'id'> {
  const [organizationId = '', id = ''] = provider.split('/');
  return { organizationId, id };
}
