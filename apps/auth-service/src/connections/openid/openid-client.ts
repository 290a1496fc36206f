import type { GuardedCalls } from '@tenantry/service/guarded';
import * as oidc from 'openid-client';
import {
  authorizationUrlOf,
  exchangeCode,
  failureOf,
  fetchBy,
  type ProviderReturn,
  type ProviderVisit,
  type Said,
} from '../../sign-in/index.ts';
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
interface Visit extends ProviderVisit {
  /** Whom the IdP should ask first, if it is known. */
  readonly loginHint?: string | undefined;
}

const scope = 'openid email profile';

/** Where to send the browser. */
export function authorizationUrl(calls: GuardedCalls, client: OpenIdClient, visit: Visit): Promise<URL> {
  const { loginHint } = visit;
  const parameters = loginHint === undefined ? undefined : { login_hint: loginHint };
  const { redirectUri } = client;
  return authorizationUrlOf(configurationOf(calls, client), { redirectUri, scope, parameters }, visit);
}

/** Exchanges a response that a browser brought. @throws ProviderFailure */
export async function exchange(
  calls: GuardedCalls,
  client: OpenIdClient,
  returned: ProviderReturn,
): Promise<Said> {
  const { redirectUri } = client;
  try {
    const said = await exchangeCode(
      configurationOf(calls, client),
      { redirectUri, asksUserInfo: true },
      returned,
    );
    return said.document['email'] === undefined ? { ...said, document: said.claims } : said;
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
  configuration[oidc.customFetch] = fetchBy((name, url, request) => calls.call(name, url, request));
  return configuration;
}
