import * as oidc from 'openid-client';
import type { CallOutside } from '@tenantry/service/calls';
import { displayName, joinedName } from './display-names.ts';
import { authorizationUrlOf, exchangeCode, textIn, type Claims } from './code-exchange.ts';
import { failureOf, providerFetch } from './provider-calls.ts';
import type { Provider, ProviderProfile, ProviderReturn, ProviderVisit } from './provider.ts';

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

  async authorizationUrl(visit: ProviderVisit): Promise<URL> {
    const { scope, parameters } = this.#traits;
    const { redirectUri } = this.#dependencies;
    return authorizationUrlOf(await this.#configuration(), { redirectUri, scope, parameters }, visit);
  }

  async profileOf(returned: ProviderReturn): Promise<ProviderProfile> {
    const { asksUserInfo = false, keyOf = keyByIssuer, nameIn, provesEmail } = this.#traits;
    const { redirectUri } = this.#dependencies;
    const configuration = await this.#configuration();
    try {
      const { claims, document } = await exchangeCode(configuration, { redirectUri, asksUserInfo }, returned);
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

const keyByIssuer = (claims: Claims) => ({ issuer: String(claims['iss']), subject: String(claims['sub']) });
