/**
 * How far a session is renewed for a caller who has an access token of it. An access token that somebody copied must not
 * keep itself alive: what is minted for it ends when it does, and comes without a refresh token. A caller who shows the
 * refresh token as well, in the body or as the session's cookie, could have it renewed anyway: RFC 9700, 4.14.2.
 */
export interface Renewal {
  /** No token lives past this moment; null where the end of the session is the only one. */
  readonly tokensUntil: Date | null;
}

/** For a caller who has shown the refresh token, or has just given the password. */
export const wholeRenewal: Renewal = { tokensUntil: null };

/** Whether it is as much as a refresh token gives. */
export const isWhole = ({ tokensUntil }: Renewal): boolean => tokensUntil === null;
