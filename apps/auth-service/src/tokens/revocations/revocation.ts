/** What is revoked of a user: one session, the tokens for the organization of the scope, or all tokens. */
export type Revocation = { readonly userId: string; readonly at: Date } & (
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'member' | 'user' }
);

/** What kind of tokens is revoked, and when: also those of all members of an organization. */
export interface RevokedAt {
  readonly kind: Revocation['kind'] | 'organization';
  readonly at: Date;
}

/** A revocation as verifiers read it. */
export interface RevocationNews {
  /** When the last token concerned has expired and the news may be forgotten. */
  readonly until: Date;
  /** Tokens issued before this are no longer valid; null for a session, whose tokens all end. */
  readonly issuedBefore: Date | null;
}

/** Tokens live for 15 minutes, are issued up to 2 s ahead, and are accepted up to 5 s late. */
const newsLifetimeMs = 16 * 60 * 1_000;
const secondMs = 1_000;

/**
 * Describes the news for a revocation made at a moment.
 *
 * Tokens carry whole seconds, so one issued in the second of the change may be from before or after it. Both are
 * settled by looking ahead: everything issued up to the end of the next second is refused, and tokens of after the
 * change are issued from then on (`tokens_from` of the user or the member). The second beyond is for the commit: a
 * token may still be minted of what was true until then.
 *
 * The moment is one of the database's clock, as tokens are issued by it too.
 */
export function newsOf({ kind, at }: RevokedAt): RevocationNews {
  const until = new Date(at.getTime() + newsLifetimeMs);
  if (kind === 'session') return { until, issuedBefore: null };
  return { until, issuedBefore: new Date((Math.floor(at.getTime() / secondMs) + 2) * secondMs) };
}
