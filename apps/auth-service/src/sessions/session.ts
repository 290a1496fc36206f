import type { Role } from '@tenantry/jwt-verify';
import type { Client } from '../ground/callers/client.ts';

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

/** How a user authenticated, as `amr` says it: RFC 8176. */
export type Factors = readonly ['pwd'] | readonly ['pwd', 'otp' | 'backup'];

/** One sign-in on one device. */
export interface Session {
  readonly id: string;
  /** Where it was started, and to what it is bound. */
  readonly client: Client;
  readonly factors: Factors;
  /** The moment of the strongest factor. */
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session as its owner sees it in the list. */
export interface ListedSession extends Client {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastActiveAt: Date;
  readonly organizationId: string | null;
}

/** Who acts, by which session and in which organization: what a token is minted of. */
export interface SessionContext {
  readonly user: SessionUser;
  readonly session: Session;
  /** Null when the user is no member of the organization in question, or is not let in. */
  readonly organization: Membership | null;
  /** The user is a member, and has not the second factor that the organization asks for. */
  readonly twoFactorMissing: boolean;
  /** When this began to be read: a token says what was true then, and no later. */
  readonly asOf: Date;
  /** Tokens issued before are revoked; null when none are. */
  readonly tokensFrom: Date | null;
}

/** A session that has just begun, with its first refresh token. */
export interface StartedSession extends SessionContext {
  readonly refreshToken: string;
}

/** The caller of a request, whose session is alive. */
export interface Principal extends SessionContext {
  /** When the token that came with the request ends. */
  readonly tokenExpiresAt: Date;
}
