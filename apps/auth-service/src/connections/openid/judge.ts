import { lowerAscii, readDomain } from '@tenantry/text';
import { textIn, type Claims } from '../../sign-in/index.ts';
import { addressIn, refused, type Person, type Refusal } from '../people/person.ts';
import type { OpenIdKind } from './kinds.ts';

/** What an IdP said, and who listens. */
export interface Statement {
  readonly kind: OpenIdKind;
  /** Of the ID token, whose signature, issuer, audience and nonce are checked. */
  readonly claims: Claims;
  /** The document with the address: the ID token, or UserInfo. */
  readonly document: Claims;
  /** The domains that the organization has verified, as they are stored. */
  readonly domains: readonly string[];
}

/** OpenID Connect Core, 2: at most 255 ASCII characters. An identifier that cannot be seen cannot be told from another. */
const subjectForm = /^[!-~]{1,255}$/;
const guidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const nameLengthMax = 1_000;

/** RFC 8176, 2; EAP ACR Values 1.0; Okta; REFEDS. `…:ifpossible` is no evidence. */
const methodsOfTwoFactors = new Set(['mfa']);
const classesOfTwoFactors = new Set([
  'phr',
  'phrh',
  'urn:okta:loa:2fa:any',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'https://refeds.org/profile/mfa',
]);

/**
 * Judges what the IdP of an organization says. It speaks for the organization's verified domains and for nothing else, whatever it
 * says of an address being verified; only an address that it calls unverified itself, as one that its users type in, is none.
 */
export function judge({ kind, claims, document, domains }: Statement): Person | Refusal {
  const subject = textIn(claims, kind === 'entra' ? 'oid' : 'sub');
  if (subject === null || !subjectForm.test(subject)) return refused('unusable-identifier');
  if (kind === 'entra' && !guidForm.test(subject)) return refused('unusable-identifier');
  // A guest's address is what another tenant says.
  if (kind === 'entra' && isGuest(claims)) return refused('guest');
  const written = writtenAddress(kind, document);
  if (isCalledUnverified(document)) {
    return { code: 'EMAIL_NOT_VERIFIED', problem: 'unverified-address', address: written ?? undefined };
  }
  const address = addressIn(written, domains);
  if ('code' in address) return address;
  if (kind === 'google' && !domains.includes(readDomain(lowerAscii(textIn(claims, 'hd') ?? '')) ?? '')) {
    return { code: 'DOMAIN_NOT_VERIFIED', problem: 'foreign-hd', address: address.email };
  }
  const authTime = claims['auth_time'];
  return {
    subject,
    ...address,
    name: nameIn(document) ?? nameIn(claims),
    authTime: typeof authTime === 'number' ? authTime : null,
    hasSecondFactor: hasSecondFactor(claims),
    sessionEnd: null,
  };
}

/** Microsoft Entra ID: `idp` names who has authenticated a guest, and `acct` is 1. */
function isGuest(claims: Claims): boolean {
  const by = claims['idp'];
  return claims['acct'] === 1 || claims['acct'] === '1' || (by !== undefined && by !== claims['iss']);
}

/** Entra leaves `email` out of what has no mailbox; `preferred_username` is the name that people sign in with. */
const writtenAddress = (kind: OpenIdKind, document: Claims): string | null =>
  textIn(document, 'email') ?? (kind === 'entra' ? textIn(document, 'preferred_username') : null);

/** `xms_edov` is Entra's: whether the owner of the domain has verified the address. */
function isCalledUnverified(document: Claims): boolean {
  const { email_verified: verified, xms_edov: byOwner } = document;
  return [verified, byOwner].some((said) => said === false || said === 'false' || said === 0 || said === '0');
}

function hasSecondFactor(claims: Claims): boolean {
  const methods = claims['amr'];
  const isMethod = (one: unknown) => typeof one === 'string' && methodsOfTwoFactors.has(one);
  const acr = claims['acr'];
  return (
    (Array.isArray(methods) && methods.some(isMethod)) ||
    (typeof acr === 'string' && classesOfTwoFactors.has(acr))
  );
}

function nameIn(document: Claims): string | null {
  const parts = [textIn(document, 'given_name'), textIn(document, 'family_name')].filter(
    (part) => part !== null,
  );
  const name = textIn(document, 'name') ?? (parts.length > 0 ? parts.join(' ') : null);
  return name?.slice(0, nameLengthMax) ?? null;
}
