import type { LocatedToken } from '@tenantry/service-kit/tokens';

/** The single purpose of a mailed token. */
export type MailedTokenPurpose = 'password-reset' | 'email-verification' | 'email-change';

/** A presented token, and its purpose. */
export interface MailedTokenKey extends Pick<LocatedToken, 'id' | 'digest'> {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
}

/** A presented live token, and the address that it was sent to. */
export interface RecognizedToken extends MailedTokenKey {
  readonly email: string;
}
