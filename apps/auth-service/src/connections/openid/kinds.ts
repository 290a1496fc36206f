/** The kinds of identity providers (IdPs) that speak OpenID Connect. */
export const openIdKinds = ['okta', 'entra', 'google', 'oidc'] as const;

/** One of {@link openIdKinds}. */
export type OpenIdKind = (typeof openIdKinds)[number];

/** A tenant of its own: `common` and `organizations` sign anybody in, of any tenant. */
const entraIssuer =
  /^https:\/\/(?:login\.microsoftonline\.com|login\.microsoftonline\.us|login\.partner\.microsoftonline\.cn)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0$/;

/** Hosts whose issuers sign in people of many organizations: those are told apart by claims of their own kind alone. */
const sharedHosts = new Set([
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.windows.net',
  'sts.windows.net',
]);

/** Whether an issuer, a URL, can be that of an IdP of a kind, before anything is read there. */
export function isIssuerOf(kind: OpenIdKind, issuer: string): boolean {
  if (kind === 'google') return issuer === 'https://accounts.google.com';
  if (kind === 'entra') return entraIssuer.test(issuer);
  return !sharedHosts.has(new URL(issuer).hostname);
}
