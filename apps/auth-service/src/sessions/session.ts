import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { BoundClient, Caller, EntryRefusal } from '../ground/index.ts';
import type { AccessToken } from '../tokens/index.ts';

/**
 * What a session is confined to that a connection of an organization has started: it reaches that organization alone, and nothing
 * of the account.
 */
export interface Confinement {
  readonly organizationId: string;
  readonly connectionId: string;
}

/** One sign-in on one device. */
export interface Session {
  readonly id: string;
  /** The client that it was started from, and its binding. */
  readonly client: BoundClient;
  /** How the user authenticated, as in the claim `amr`: RFC 8176. */
  readonly amr: readonly string[];
  /** The level, as in the claim `acr`: NIST SP 800-63B-4. */
  readonly acr: AuthenticationLevel;
  /** The time of the strongest factor. */
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null for a session of the user's own, which reaches everything of theirs. */
  readonly confinement: Confinement | null;
}

/** One session, in one organization, at one moment. */
export interface SessionLookup {
  readonly sessionId: string;
  readonly organizationId: string | null;
  readonly at: Date;
}

/** An organization whose requirements its member does not meet, and why. */
export interface RefusedOrganization {
  readonly organizationId: string;
  readonly reason: EntryRefusal;
}

/** User, session and organization: the subject of an access token. */
export interface SessionContext extends Caller {
  readonly session: Session;
  /** The organization that would be active if the user met its requirements; null if none was refused. */
  readonly organizationRefused: RefusedOrganization | null;
  /** Whether an owner is in without the single sign-on that the organization requires, and its owners have not heard of it. */
  readonly isUnannounced: boolean;
  /** When reading this began: a token states what was true then. */
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
  /** Absent if the previous one can be exchanged for it. */
  readonly refreshToken?: string;
}

/** A session with a new access token, as in every response that starts or renews one. */
export interface IssuedSession extends SessionContext, AccessToken {
  /** Absent if the client's current one stays valid. */
  readonly refreshToken?: string;
}

/** The caller of a request, whose session is alive. */
export interface Principal extends SessionContext {
  /** When the access token of the request expires. */
  readonly tokenExpiresAt: Date;
  /** The organization of this token; the path may name another one. */
  readonly tokenOrganizationId: string | null;
}
