import { openIdKinds } from './openid/kinds.ts';

/** The kinds of identity providers (IdPs) that organizations connect. */
export const kinds = [...openIdKinds, 'saml'] as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** How an IdP says who somebody is. */
export type Protocol = 'oidc' | 'saml';

export const protocolOf = (kind: Kind): Protocol => (kind === 'saml' ? 'saml' : 'oidc');

/** How letters name an IdP of each kind: by no word of a customer. */
export const nameOfKind: Readonly<Record<Kind, string>> = {
  okta: 'Okta',
  entra: 'Microsoft Entra ID',
  google: 'Google Workspace',
  oidc: 'OpenID Connect',
  saml: 'SAML',
};
