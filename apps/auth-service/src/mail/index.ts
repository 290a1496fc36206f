/** Letters, queued with the change that they report, and the tokens in them. */
export { createMail, forgetAccountMail, forgetMail } from './wing.ts';
export type { Mail } from './wing.ts';
export type { Addressee } from './addressees.repository.ts';
export type { Cause, SignUpDetails } from './letter.ts';
export type { RecognizedToken } from './mailed-tokens/mailed-token.ts';
export { emailNotVerified } from './mail.errors.ts';
export { invalidToken } from './mailed-tokens/mailed-tokens.errors.ts';
