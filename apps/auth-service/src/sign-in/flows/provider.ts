/** The client credentials at a provider. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** The secrets of a sign-in at a provider, valid only for one flow. */
export interface FlowSecrets {
  /** RFC 9700, 2.1: each flow has all three, whatever the provider asks for. */
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

/** A sign-in about to begin at a provider. */
export interface ProviderVisit extends FlowSecrets {
  /** The maximum age of the user's authentication there. */
  readonly maxAgeSeconds: number;
}

/** A provider's response, and the secrets of its flow. */
export interface ProviderReturn extends FlowSecrets {
  readonly parameters: Readonly<Record<string, string>>;
}

/** A user's account at a provider. */
export interface ProviderProfile {
  readonly issuer: string;
  /** Never reassigned, unlike an address. OpenID Connect Core, 5.7. */
  readonly subject: string;
  /** As the provider says it; not yet known to be an address. */
  readonly email: string | null;
  /** Whether the provider vouches for the address: it has checked it, and runs or relays its mailbox. */
  readonly provesEmail: boolean;
  /** As the provider says it. */
  readonly name: string | null;
  /** When its user authenticated there, in seconds; null if the provider does not say. */
  readonly authTime: number | null;
  /** Whether the identity provider of an organization says that there were two factors. */
  readonly hasSecondFactor?: boolean;
  /** When the identity provider of an organization ends the session, in seconds; null if it does not say. */
  readonly sessionEnd?: number | null;
}

/** A provider that is configured. */
export interface Provider {
  /** As it appears in paths. */
  readonly id: string;
  readonly name: string;
  /** The URL to send the browser to. @throws ProviderFailure */
  authorizationUrl(visit: ProviderVisit): Promise<URL>;
  /** Exchanges the provider's response. @throws ProviderFailure */
  profileOf(returned: ProviderReturn): Promise<ProviderProfile>;
}

/** Why a sign-in at a provider failed, as a code for front ends; the last three of the identity provider of an organization. */
type FailureCode =
  | 'ACCESS_DENIED'
  | 'PROVIDER_REFUSED'
  | 'PROVIDER_UNAVAILABLE'
  | 'EMAIL_MISSING'
  | 'EMAIL_NOT_VERIFIED'
  | 'DOMAIN_NOT_VERIFIED';

/** A failed sign-in at a provider. The provider's response may contain secrets, so it is not kept. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly code: FailureCode;
  /** The cause, in a word for the log. */
  readonly problem: string;
  /** Of the user, as the provider says it; undefined if it has not got so far. For the owners of an IdP, and never for a log. */
  readonly address: string | undefined;

  constructor(code: FailureCode, problem: string, address?: string) {
    super(`${code}: ${problem}`);
    this.code = code;
    this.problem = problem;
    this.address = address;
  }
}
