import type { Client } from '../ground/index.ts';
import type { ProviderVisit, ReturnedFlow } from '../sign-in/index.ts';
import type { Person, Refusal } from './people/person.ts';

/** A visit about to begin. */
export interface Visit extends ProviderVisit {
  /** Whom the IdP should ask first, if it is known. */
  readonly loginHint?: string | undefined;
}

/** What a browser has brought back from an IdP. */
export interface Return {
  readonly flow: ReturnedFlow;
  readonly parameters: Readonly<Record<string, string>>;
  /** The domains that the organization has verified, as they are stored. */
  readonly domains: readonly string[];
  readonly client: Pick<Client, 'ipAddress'>;
}

/**
 * How the IdP of a connection is spoken to: in OpenID Connect or in SAML. What it says is judged here, and who that is, and what
 * follows from it, in `people/`.
 */
export interface Conversation {
  /** How browsers come back. */
  readonly by: 'redirect' | 'form';
  /** Where to send the browser. */
  urlOf(visit: Visit): Promise<URL>;
  /** The flow that a return names; undefined if there is none that waits for it. */
  flowOf(parameters: Readonly<Record<string, string>>): Promise<ReturnedFlow | undefined>;
  /**
   * Whom the IdP signs in. The flow is claimed once the IdP has spoken: nothing that others send uses it up.
   *
   * @throws ProviderFailure; INVALID_STATE for a flow that is claimed meanwhile; VALIDATION_ERROR for what no IdP sends
   */
  personOf(returned: Return): Promise<Person | Refusal>;
}
