/**
 * What is revoked of a user: one session, the tokens for the organization of the scope, or all tokens. A service account of the
 * organization is revoked as a member.
 */
export type Revocation = EndedSession | (OfUser & { readonly kind: 'member' | 'user' });

/** The revocation of one session. */
export type EndedSession = OfUser & { readonly kind: 'session'; readonly sessionId: string };

/** The revocation of keys of a service account. */
export interface EndedKeys {
  readonly organizationId: string;
  readonly accountId: string;
  readonly keyIds: readonly string[];
  readonly at: Date;
}

interface OfUser {
  readonly userId: string;
  readonly at: Date;
}

/** The kind of revoked tokens, and when; includes those of all members of an organization. */
interface RevokedAt {
  readonly kind: Revocation['kind'] | 'organization';
  readonly at: Date;
}

/** A revocation as verifiers read it. */
export interface RevocationNews {
  /** When the last affected token has expired and the entry may be deleted. */
  readonly until: Date;
  /** Tokens issued before this are no longer valid; null for a session, whose tokens all end. */
  readonly issuedBefore: Date | null;
}

/** Tokens live for 15 minutes, are covered if they are issued up to 2 s later, and are accepted up to 5 s late. */
const newsLifetimeMs = 16 * 60 * 1_000;
const secondMs = 1_000;

/**
 * The revocation for a change at a given time.
 *
 * Tokens carry whole seconds, so one issued in the second of the change may be from before or after it. So everything issued up
 * to the end of the next second is refused, and whoever goes on waits for a token until then (`tokens_from` of the user or the
 * member). The additional second is for the commit: until then a token may still be issued from the former state.
 *
 * The time is that of the database's clock, by which tokens are issued too.
 */
export function newsOf({ kind, at }: RevokedAt): RevocationNews {
  const until = new Date(at.getTime() + newsLifetimeMs);
  if (kind === 'session') return { until, issuedBefore: null };
  return { until, issuedBefore: new Date((Math.floor(at.getTime() / secondMs) + 2) * secondMs) };
}
