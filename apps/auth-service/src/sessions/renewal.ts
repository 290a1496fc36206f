/**
 * How far a session is renewed for a caller who has an access token of it. A copied access token must not be able to extend
 * itself: a token issued for it expires when it does, and comes without a refresh token. A caller who also presents the refresh
 * token, in the body or as a cookie, could renew the session anyway: RFC 9700, 4.14.2.
 */
export interface Renewal {
  /** Tokens expire at this time at the latest; null if only the session limits them. */
  readonly tokensUntil: Date | null;
}

/** For a caller who has presented the refresh token, or has just entered the password. */
export const wholeRenewal: Renewal = { tokensUntil: null };

/** Whether it is a full renewal. */
export const isWhole = ({ tokensUntil }: Renewal): boolean => tokensUntil === null;
