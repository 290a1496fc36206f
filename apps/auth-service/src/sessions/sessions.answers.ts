import type { Membership } from './session.ts';
import type { IssuedSession } from './sessions.ts';

/** A started or renewed session, as every feature that starts one answers it. */
export function issuedSessionAnswer({ id, token, expiresAt, tokenExpiresAt }: IssuedSession) {
  return { id, token, expiresAt: expiresAt.toISOString(), tokenExpiresAt: tokenExpiresAt.toISOString() };
}

/** An organization as one of its members sees it. */
export function membershipAnswer({ createdAt, ...membership }: Membership) {
  return { ...membership, createdAt: createdAt.toISOString() };
}
