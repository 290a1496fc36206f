import * as oidc from 'openid-client';
import { returnAddress } from './provider-calls.ts';
import { ProviderFailure, type ProviderReturn, type ProviderVisit } from './provider.ts';

/** The claims of an ID token, or of a UserInfo response. */
export type Claims = Readonly<Record<string, unknown>>;

/** What an authorization request asks for. */
interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly scope: string;
  /** Further parameters. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** What a provider said of somebody: the ID token, and the document that has the address. */
export interface Said {
  readonly claims: Claims;
  /** Whether an address is verified is stated only in the document that contains it. */
  readonly document: Claims;
}

/** Where to send the browser: authorization code, PKCE, `state` and `nonce`. RFC 9700, 2.1. */
export async function authorizationUrlOf(
  configuration: oidc.Configuration,
  { redirectUri, scope, parameters = {} }: AuthorizationRequest,
  { state, nonce, codeVerifier, maxAgeSeconds }: ProviderVisit,
): Promise<URL> {
  return oidc.buildAuthorizationUrl(configuration, {
    ...parameters,
    scope,
    state,
    nonce,
    redirect_uri: redirectUri,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    max_age: String(maxAgeSeconds),
  });
}

/**
 * Exchanges a response. The ID token is checked for signature, issuer, audience and nonce, and the response for its issuer where
 * the provider names itself (RFC 9207).
 *
 * @param asksUserInfo whether to request UserInfo if the ID token has no address
 * @throws what {@link failureOf} maps to a ProviderFailure
 */
export async function exchangeCode(
  configuration: oidc.Configuration,
  { redirectUri, asksUserInfo }: { readonly redirectUri: string; readonly asksUserInfo: boolean },
  returned: ProviderReturn,
): Promise<Said> {
  const tokens = await oidc.authorizationCodeGrant(configuration, returnAddress(redirectUri, returned), {
    expectedState: returned.state,
    expectedNonce: returned.nonce,
    pkceCodeVerifier: returned.codeVerifier,
    idTokenExpected: true,
  });
  const claims: Claims = { ...tokens.claims() };
  const { azp, sub, email } = claims;
  // The library accepts a token that was issued to another client: OpenID Connect Core, 3.1.3.7, 5.
  if (azp !== undefined && azp !== configuration.clientMetadata().client_id) {
    throw new ProviderFailure('PROVIDER_REFUSED', 'foreign-azp');
  }
  const isWhole = email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
  if (!asksUserInfo || isWhole) return { claims, document: claims };
  const document = { ...(await oidc.fetchUserInfo(configuration, tokens.access_token, String(sub))) };
  return { claims, document };
}

/** The text of a claim; null for anything else. */
export function textIn(claims: Claims, name: string): string | null {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
