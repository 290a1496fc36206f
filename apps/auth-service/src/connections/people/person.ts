import { lowerAscii, readEmail } from '@tenantry/text';

/** Somebody at an IdP, for whom it may speak. */
export interface Person {
  /** Identifies them at the IdP; compared as a whole. */
  readonly subject: string;
  /** In the form in which addresses are stored, in a verified domain of the organization. */
  readonly email: string;
  /** As the IdP writes it. */
  readonly name: string | null;
  /** When they authenticated, in seconds; null if the IdP does not say. */
  readonly authTime: number | null;
  /** Whether the IdP says that there were two factors. */
  readonly hasSecondFactor: boolean;
  /** When the IdP ends the session, in seconds; null if it does not say. */
  readonly sessionEnd: number | null;
}

/** Why an IdP does not speak for somebody, as a code for front ends, and in a word for the log. */
export interface Refusal {
  readonly code: 'PROVIDER_REFUSED' | 'EMAIL_MISSING' | 'EMAIL_NOT_VERIFIED' | 'DOMAIN_NOT_VERIFIED';
  readonly problem: string;
  /** As the IdP says it, if it has got so far. */
  readonly address?: string | undefined;
}

const addressLengthMax = 320;

/** Whether a judgement is a refusal. */
export const isRefusal = (judgement: Person | Refusal): judgement is Refusal => 'code' in judgement;

/** A refusal of what an IdP says, whatever it is. */
export const refused = (problem: string): Refusal => ({ code: 'PROVIDER_REFUSED', problem });

/** The domain of an address that is in its stored form. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/**
 * The address that an IdP gives, in its stored form: in one of the domains of the organization, for which alone it speaks.
 *
 * @param domains those that the organization has verified, as they are stored
 */
export function addressIn(written: string | null, domains: readonly string[]): { email: string } | Refusal {
  const isShort = written !== null && written.length <= addressLengthMax;
  const email = isShort ? readEmail(lowerAscii(written)) : undefined;
  const said = { address: email ?? written ?? undefined };
  if (email === undefined) return { code: 'EMAIL_MISSING', problem: 'no-address', ...said };
  if (domains.includes(domainOf(email))) return { email };
  return { code: 'DOMAIN_NOT_VERIFIED', problem: 'foreign-domain', ...said };
}
