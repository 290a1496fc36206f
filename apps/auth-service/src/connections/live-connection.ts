import type { OpenIdKind } from './openid/kinds.ts';
import type { OpenIdClient } from './openid/openid-client.ts';
import type { SamlProvider } from './saml/saml-provider.ts';

/** A connection that signs people in, as long as its key is the one of `enabledAt`. */
interface Live {
  readonly organizationId: string;
  readonly id: string;
  readonly provesSecondFactor: boolean;
  readonly enabledAt: Date;
}

/** To an IdP that speaks OpenID Connect. */
export interface OpenIdConnection extends Live, OpenIdClient {
  readonly kind: OpenIdKind;
}

/** To an IdP that speaks SAML. */
export interface SamlConnection extends Live, SamlProvider {
  readonly kind: 'saml';
}

export type LiveConnection = OpenIdConnection | SamlConnection;

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
