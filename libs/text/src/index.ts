export { readDomain } from './domains.ts';
export { hasForeignLocalPart, lowerAscii, readEmail } from './email-addresses.ts';
export { foldText, loosen } from './folding.ts';
export { shownDomain, shownEmail } from './shown-emails.ts';
