import * as oidc from 'openid-client';
import type { CallOutside } from '@tenantry/service/calls';
import { displayName } from '../../flows/display-names.ts';
import { failureOf, providerFetch, returnAddress } from '../../flows/provider-calls.ts';
import {
  ProviderFailure,
  type ClientCredentials,
  type Provider,
  type ProviderProfile,
  type ProviderReturn,
  type ProviderVisit,
} from '../../flows/provider.ts';

const server: oidc.ServerMetadata = {
  issuer: 'https://github.com',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
};
const api = 'https://api.github.com';

/** What GitHub needs. */
interface GitHubDependencies {
  readonly client: ClientCredentials;
  readonly callOutside: CallOutside;
  readonly redirectUri: string;
}

/** Sign-in with GitHub: OAuth 2 without an ID token, so its API identifies the user. */
export class GitHubProvider implements Provider {
  readonly id = 'github';
  readonly name = 'GitHub';
  readonly #configuration: oidc.Configuration;
  readonly #redirectUri: string;

  constructor({ client: { id, secret }, callOutside, redirectUri }: GitHubDependencies) {
    this.#configuration = new oidc.Configuration(server, id, undefined, oidc.ClientSecretPost(secret));
    this.#configuration[oidc.customFetch] = providerFetch(callOutside);
    this.#redirectUri = redirectUri;
  }

  async authorizationUrl({ state, codeVerifier }: ProviderVisit): Promise<URL> {
    return oidc.buildAuthorizationUrl(this.#configuration, {
      scope: 'read:user user:email',
      state,
      redirect_uri: this.#redirectUri,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async profileOf(returned: ProviderReturn): Promise<ProviderProfile> {
    try {
      const checks = { expectedState: returned.state, pkceCodeVerifier: returned.codeVerifier };
      // Its errors have status 200; the library still requires an access token.
      const address = returnAddress(this.#redirectUri, returned);
      const tokens = await oidc.authorizationCodeGrant(this.#configuration, address, checks);
      const user = await this.#ask<GitHubUser>(tokens.access_token, '/user');
      const emails = await this.#ask<unknown>(tokens.access_token, '/user/emails');
      return profileOf(user, emails);
    } catch (error) {
      throw failureOf(error);
    }
  }

  async #ask<Answer>(accessToken: string, path: string): Promise<Answer> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'tenantry' });
    const url = new URL(api + path);
    const answer = await oidc.fetchProtectedResource(
      this.#configuration,
      accessToken,
      url,
      'GET',
      undefined,
      headers,
    );
    if (answer.status !== 200) throw new ProviderFailure('PROVIDER_REFUSED', `status ${answer.status}`);
    return (await answer.json()) as Answer;
  }
}

interface GitHubUser {
  readonly id: unknown;
  /** Null if the user has set none. */
  readonly name?: unknown;
  readonly login?: unknown;
}

interface GitHubEmail {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

/** By the account's number, since names can be taken over. GitHub does not run the mailboxes of its users' addresses. */
function profileOf({ id, name, login }: GitHubUser, listed: unknown): ProviderProfile {
  if (!Number.isSafeInteger(id) || !Array.isArray(listed)) {
    throw new ProviderFailure('PROVIDER_REFUSED', 'no-account');
  }
  const emails = listed as readonly GitHubEmail[];
  const primary = emails.find((email) => email.primary === true && email.verified === true)?.email;
  return {
    issuer: server.issuer,
    subject: String(id),
    email: typeof primary === 'string' ? primary : null,
    provesEmail: false,
    name: displayName(name) ?? displayName(login) ?? null,
    authTime: null,
  };
}
