export { readDomain } from './domains.ts';
export { hasForeignLocalPart, lowerAscii, readEmail } from './email-addresses.ts';
export { foldText, loosen } from './folding.ts';
export { shownEmail } from './shown-emails.ts';
