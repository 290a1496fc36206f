/** What a provider knows us by. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** What a sign-in at a provider is begun with, and finished by: made for one flow, and worth nothing in another. */
export interface FlowSecrets {
  /** RFC 9700, 2.1: each flow has all three, whatever the provider asks for. */
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

/** A sign-in about to begin at a provider. */
export interface ProviderVisit extends FlowSecrets {
  /** How long ago its user may have authenticated there. */
  readonly maxAgeSeconds: number;
}

/** What a provider sent a browser back with, and the secrets of the flow that it belongs to. */
export interface ProviderReturn extends FlowSecrets {
  readonly parameters: Readonly<Record<string, string>>;
}

/** Who somebody is at a provider. */
export interface ProviderProfile {
  readonly issuer: string;
  /** Never another's: an address may become one. OpenID Connect Core, 5.7. */
  readonly subject: string;
  /** As the provider says it; not yet known to be an address. */
  readonly email: string | null;
  /** Whether the provider speaks for the address: it has checked it, and it runs or relays its mailbox. */
  readonly provesEmail: boolean;
  /** As the provider says it. */
  readonly name: string | null;
  /** When its user authenticated there, in seconds; null where the provider does not say. */
  readonly authTime: number | null;
}

/** A provider that is configured. */
export interface Provider {
  /** As it appears in paths. */
  readonly id: string;
  readonly name: string;
  /** Where a browser goes. @throws ProviderFailure */
  authorizationUrl(visit: ProviderVisit): Promise<URL>;
  /** Exchanges what a browser came back with. @throws ProviderFailure */
  profileOf(returned: ProviderReturn): Promise<ProviderProfile>;
}

/** Why a sign-in at a provider came to nothing, as a front end reads it. */
export type FailureCode = 'ACCESS_DENIED' | 'PROVIDER_REFUSED' | 'PROVIDER_UNAVAILABLE';

/** A sign-in at a provider that came to nothing. What the provider said may hold its secrets, so none of it is kept. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly code: FailureCode;
  /** What went wrong, in a word for the log. */
  readonly problem: string;

  constructor(code: FailureCode, problem: string) {
    super(`${code}: ${problem}`);
    this.code = code;
    this.problem = problem;
  }
}
