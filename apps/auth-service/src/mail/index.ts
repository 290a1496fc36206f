/** Letters, queued with the change that they tell of, and the tokens in them that come back. */
export { createMail, forgetMail } from './wing.ts';
export type { Mail } from './wing.ts';
export type { Addressee } from './addressees.repository.ts';
export type { RecognizedToken } from './mailed-tokens/mailed-token.ts';
export { invalidToken } from './mailed-tokens/mailed-tokens.errors.ts';
