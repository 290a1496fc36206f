export { readDomain } from './domains.ts';
export { hasForeignLocalPart, lowerAscii, readEmail } from './email-addresses.ts';
export { foldText, loosen } from './folding.ts';
export { cellText, safeCell } from './safe-cells.ts';
export { shownDomain, shownEmail } from './shown-emails.ts';
export { composed, isVisible } from './visible-texts.ts';
