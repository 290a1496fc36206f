import * as oidc from 'openid-client';
import type { CallOutside } from '@tenantry/service/calls';
import { displayName, joinedName } from './display-names.ts';
import { failureOf, providerFetch, returnAddress } from './provider-calls.ts';
import {
  ProviderFailure,
  type Provider,
  type ProviderProfile,
  type ProviderReturn,
  type ProviderVisit,
} from './provider.ts';

/** The claims of an ID token, or of a UserInfo response. */
export type Claims = Readonly<Record<string, unknown>>;

/** Differences between providers of OpenID Connect. */
export interface OidcTraits {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuthentication: (metadata: oidc.ServerMetadata) => oidc.ClientAuth;
  readonly scope: string;
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether to request UserInfo if the ID token has no address. */
  readonly asksUserInfo?: boolean;
  /** The identifier of an account; default: `iss` and `sub`. @throws ProviderFailure */
  readonly keyOf?: (claims: Claims) => Pick<ProviderProfile, 'issuer' | 'subject'>;
  /** Whether these claims say that the provider vouches for the address in them. */
  readonly provesEmail: (document: Claims) => boolean;
  /** The name, if it is not in the claims. */
  readonly nameIn?: (parameters: ProviderReturn['parameters']) => string | undefined;
}

interface OidcProviderDependencies {
  readonly callOutside: CallOutside;
  /** Its own redirect URI, so that a response cannot be mistaken for another provider's. */
  readonly redirectUri: string;
}

/** Metadata and keys are fetched again after this. */
const metadataLifetimeMs = 60 * 60 * 1_000;

/** Sign-in by OpenID Connect: authorization code, PKCE, `state`, `nonce`, and a signed ID token. RFC 9700, 2.1. */
export class OidcProvider implements Provider {
  readonly #traits: OidcTraits;
  readonly #dependencies: OidcProviderDependencies;
  #known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | undefined;

  constructor(traits: OidcTraits, dependencies: OidcProviderDependencies) {
    this.#traits = traits;
    this.#dependencies = dependencies;
  }

  get id(): string {
    return this.#traits.id;
  }

  get name(): string {
    return this.#traits.name;
  }

  async authorizationUrl({ state, nonce, codeVerifier, maxAgeSeconds }: ProviderVisit): Promise<URL> {
    const { scope, parameters = {} } = this.#traits;
    const configuration = await this.#configuration();
    return oidc.buildAuthorizationUrl(configuration, {
      ...parameters,
      scope,
      state,
      nonce,
      redirect_uri: this.#dependencies.redirectUri,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      max_age: String(maxAgeSeconds),
    });
  }

  async profileOf(returned: ProviderReturn): Promise<ProviderProfile> {
    const { keyOf = keyByIssuer, nameIn, provesEmail } = this.#traits;
    const configuration = await this.#configuration();
    try {
      const address = returnAddress(this.#dependencies.redirectUri, returned);
      const tokens = await oidc.authorizationCodeGrant(configuration, address, {
        expectedState: returned.state,
        expectedNonce: returned.nonce,
        pkceCodeVerifier: returned.codeVerifier,
        idTokenExpected: true,
      });
      const claims: Claims = { ...tokens.claims() };
      this.#requireOurs(claims);
      // Whether an address is verified is stated only in the document that contains it.
      const document = await this.#documentWithEmail(configuration, tokens.access_token, claims);
      const authTime = claims['auth_time'];
      return {
        ...keyOf(claims),
        email: textIn(document, 'email'),
        provesEmail: provesEmail(document),
        name: nameOf(document) ?? nameOf(claims) ?? nameIn?.(returned.parameters) ?? null,
        authTime: typeof authTime === 'number' ? authTime : null,
      };
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** The library accepts a token that was issued to another client: OpenID Connect Core, 3.1.3.7, 5. */
  #requireOurs({ azp }: Claims): void {
    if (azp !== undefined && azp !== this.#traits.clientId) {
      throw new ProviderFailure('PROVIDER_REFUSED', 'foreign-azp');
    }
  }

  async #documentWithEmail(
    configuration: oidc.Configuration,
    accessToken: string,
    claims: Claims,
  ): Promise<Claims> {
    const { asksUserInfo = false } = this.#traits;
    if (!asksUserInfo || claims['email'] !== undefined) return claims;
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await oidc.fetchUserInfo(configuration, accessToken, String(claims['sub']))) };
  }

  /** Fetched once for all sign-ins. If the provider is down at the end of the hour, the former one stays in use. */
  async #configuration(): Promise<oidc.Configuration> {
    const former = this.#known;
    if (former && former.until > performance.now()) return former.configuration;
    const configuration = this.#discover().catch(async (error: unknown) => {
      this.#known = undefined;
      if (former) return former.configuration;
      throw failureOf(error);
    });
    this.#known = { configuration, until: performance.now() + metadataLifetimeMs };
    return configuration;
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientAuthentication } = this.#traits;
    const isPlain = new URL(issuer).protocol === 'http:';
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the issuer is on this machine
    const execute = [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])];
    const fetched = providerFetch(this.#dependencies.callOutside);
    const options = { execute, [oidc.customFetch]: fetched };
    const authenticate: oidc.ClientAuth = (metadata, ...rest) =>
      clientAuthentication(metadata)(metadata, ...rest);
    return oidc.discovery(new URL(issuer), clientId, undefined, authenticate, options);
  }
}

/** The whole name, or the parts of it. OpenID Connect Core, 5.1. */
const nameOf = (claims: Claims): string | undefined =>
  displayName(claims['name']) ?? joinedName(claims['given_name'], claims['family_name']);

/** The text of a claim; null for anything else. */
export function textIn(claims: Claims, name: string): string | null {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const keyByIssuer = (claims: Claims) => ({ issuer: String(claims['iss']), subject: String(claims['sub']) });
