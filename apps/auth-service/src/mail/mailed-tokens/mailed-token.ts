import type { LocatedToken } from '@tenantry/service-kit/tokens';

/** What a mailed token is good for, and nothing else. */
export type MailedTokenPurpose = 'password-reset' | 'email-verification' | 'email-change';

/** Which token somebody presents, and for what. */
export interface MailedTokenKey extends Pick<LocatedToken, 'id' | 'digest'> {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
}

/** A live token that somebody presents, and the address that it was sent to. */
export interface RecognizedToken extends MailedTokenKey {
  readonly email: string;
}
