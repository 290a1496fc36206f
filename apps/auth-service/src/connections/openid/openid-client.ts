import type { GuardedCalls } from '@tenantry/service/guarded';
import * as oidc from 'openid-client';
import { failureOf, ProviderFailure, returnAddress, type FlowSecrets } from '../../sign-in/index.ts';
import type { IdpMetadata } from './metadata.ts';

/** This service as a client of an IdP. */
export interface OpenIdClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly metadata: IdpMetadata;
  /** Of this connection alone, so that no response is taken for that of another: RFC 9700, 4.4. */
  readonly redirectUri: string;
}

/** A visit about to begin. */
interface Visit extends FlowSecrets {
  /** The maximum age of the authentication there. */
  readonly maxAgeSeconds: number;
  /** Whom the IdP should ask first, if it is known. */
  readonly loginHint?: string | undefined;
}

/** The response that a browser brought, and the secrets of its flow. */
interface Response extends FlowSecrets {
  readonly parameters: Readonly<Record<string, string>>;
}

/** What an IdP said of somebody: the ID token, and the document that has the address. */
export interface Said {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly document: Readonly<Record<string, unknown>>;
}

const scope = 'openid email profile';

/** Where to send the browser. */
export async function authorizationUrl(client: OpenIdClient, visit: Visit): Promise<URL> {
  const { state, nonce, codeVerifier, maxAgeSeconds, loginHint } = visit;
  const url = new URL(client.metadata.authorization_endpoint);
  const parameters = {
    client_id: client.clientId,
    response_type: 'code',
    redirect_uri: client.redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    max_age: String(maxAgeSeconds),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * Exchanges a response. The ID token is checked for signature, issuer, audience and nonce, and the response for its issuer where
 * the IdP names itself (RFC 9207).
 *
 * @throws ProviderFailure
 */
export async function exchange(calls: GuardedCalls, client: OpenIdClient, response: Response): Promise<Said> {
  const configuration = configurationOf(calls, client);
  try {
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      returnAddress(client.redirectUri, response),
      {
        expectedState: response.state,
        expectedNonce: response.nonce,
        pkceCodeVerifier: response.codeVerifier,
        idTokenExpected: true,
      },
    );
    const claims = { ...tokens.claims() };
    // The library accepts a token that was issued to another client: OpenID Connect Core, 3.1.3.7, 5.
    if (claims['azp'] !== undefined && claims['azp'] !== client.clientId) {
      throw new ProviderFailure('PROVIDER_REFUSED', 'foreign-azp');
    }
    if (claims['email'] !== undefined || client.metadata.userinfo_endpoint === undefined) {
      return { claims, document: claims };
    }
    // The document that has the address is the one that says whether it is verified.
    const document = {
      ...(await oidc.fetchUserInfo(configuration, tokens.access_token, String(claims.sub))),
    };
    return { claims, document: document['email'] === undefined ? claims : document };
  } catch (error) {
    throw failureOf(error);
  }
}

function configurationOf(
  calls: GuardedCalls,
  { clientId, clientSecret, metadata }: OpenIdClient,
): oidc.Configuration {
  const server = { ...metadata } as unknown as oidc.ServerMetadata;
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  const posts = methods !== undefined && !methods.includes('client_secret_basic');
  const authentication = posts ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
  const configuration = new oidc.Configuration(server, clientId, undefined, authentication);
  oidc.enableNonRepudiationChecks(configuration);
  // What may be called, and that it is https, is decided by the guard.
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the guard lets http reach this machine alone
  oidc.allowInsecureRequests(configuration);
  configuration[oidc.customFetch] = (url, { method, headers, body, signal }) =>
    calls.call('ask provider', url, {
      method,
      headers,
      ...(body === undefined || body === null ? {} : { body: body as string | URLSearchParams }),
      ...(signal ? { signal } : {}),
    });
  return configuration;
}
