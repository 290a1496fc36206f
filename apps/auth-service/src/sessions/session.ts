import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { BoundClient, Caller, Client } from '../ground/index.ts';
import type { AccessToken } from '../tokens/index.ts';

/** One sign-in on one device. */
export interface Session {
  readonly id: string;
  /** Where it was started, and what it is bound to. */
  readonly client: BoundClient;
  /** How the user authenticated, as the claim `amr` says it: RFC 8176. */
  readonly amr: readonly string[];
  /** How surely, as the claim `acr` says it: NIST SP 800-63B-4. */
  readonly acr: AuthenticationLevel;
  /** The moment of the strongest factor. */
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session as its owner sees it in the list. */
export interface ListedSession extends Client {
  readonly id: string;
  /** ISO 8601 text, as the other times are. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastActiveAt: string;
  readonly organizationId: string | null;
}

/** An organization that a user is a member of and not let into, and why. */
export interface RefusedOrganization {
  readonly organizationId: string;
  readonly reason: 'TWO_FACTOR_REQUIRED';
}

/** Who acts, by which session and in which organization: what an access token is issued for. */
export interface SessionContext extends Caller {
  readonly session: Session;
  /** The organization that would be active if the user were let in; null where nothing was refused. */
  readonly organizationRefused: RefusedOrganization | null;
  /** When reading this began: a token says what was true then, and nothing later. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** A session that has just started or been renewed, with its refresh token. */
export interface StartedSession extends SessionContext {
  readonly refreshToken: string;
}

/** A session that continues under another id. */
export interface ContinuedSession extends SessionContext {
  /** Absent where the one from before leads to it. */
  readonly refreshToken?: string;
}

/** A session with a fresh access token: what every answer that starts or renews one carries. */
export interface IssuedSession extends SessionContext, AccessToken {
  /** Absent where the client's present one stays valid. */
  readonly refreshToken?: string;
}

/** The caller of a request, whose session is alive. */
export interface Principal extends SessionContext {
  /** When the access token of the request expires. */
  readonly tokenExpiresAt: Date;
  /** The organization that this token is for; a path may be about another one. */
  readonly tokenOrganizationId: string | null;
}
