import type { Role } from '@tenantry/jwt-verify';

/** A user as sessions and tokens know one. */
export interface SessionUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** An organization as one of its members sees it. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly createdAt: Date;
  readonly role: Role;
}

/** One sign-in on one device. */
export interface Session {
  readonly id: string;
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session as its owner sees it in the list. */
export interface ListedSession extends Session {
  readonly deviceId: string | null;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly lastActiveAt: Date;
  readonly organizationId: string | null;
}

/** Who acts, by which session and in which organization: what a token is minted of. */
export interface SessionContext {
  readonly user: SessionUser;
  readonly session: Session;
  /** Null when the user is no member of the organization in question. */
  readonly organization: Membership | null;
  /** When this began to be read: a token says what was true then, and no later. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** The caller of a request, whose session is alive. */
export interface Principal extends SessionContext {
  /** When the token that came with the request ends. */
  readonly tokenExpiresAt: Date;
}
