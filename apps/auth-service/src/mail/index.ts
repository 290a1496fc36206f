/** Letters, queued with the change that they report, and the tokens in them. */
export { createMail, forgetMail } from './wing.ts';
export type { Mail } from './wing.ts';
export type { Addressee } from './addressees.repository.ts';
export type { Cause, Locale, PlannedLetter, SignUpDetails, TemplateData } from './letter.ts';
export { mailOwners } from './mail-owners.ts';
export type { RecognizedToken } from './mailed-tokens/mailed-tokens.ts';
export { emailNotVerified, invalidToken } from './mail.errors.ts';
