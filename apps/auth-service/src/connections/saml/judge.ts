import { lowerAscii, readEmail } from '@tenantry/text';
import { addressIn, refused, type Person, type Refusal } from '../people/person.ts';
import { nameFormats } from './names.ts';
import type { Assertion, Confirmation, Envelope, NameId } from './response.ts';

/** What an IdP has signed, and who listens. */
export interface Statement {
  readonly envelope: Envelope;
  readonly assertion: Assertion;
  readonly expected: Expected;
  /** The domains that the organization has verified, as they are stored. */
  readonly domains: readonly string[];
  readonly at: Date;
}

/** What a response to our request names. */
export interface Expected {
  /** The entity id of the IdP. */
  readonly issuer: string;
  /** The entity id of this service for the connection. */
  readonly audience: string;
  /** The address that responses are posted to. */
  readonly acsUrl: string;
  /** Of our request. */
  readonly requestId: string;
}

/** How far the clock of an IdP may be off. */
const skewMs = 2 * 60 * 1_000;
/** UTC, as SAML core, 1.3.3, has it. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
/** An identifier that cannot be seen cannot be told from another. */
const subjectForm = /^[!-~]{1,240}$/;
const nameLengthMax = 1_000;

/** AuthnContextClassRef, and the method that Microsoft Entra ID names in an attribute. */
const classesOfTwoFactors = new Set([
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI',
  'urn:okta:loa:2fa:any',
  'phr',
  'phrh',
]);
const entraMethods = 'http://schemas.microsoft.com/claims/authnmethodsreferences';

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';
/** Where IdPs write an address, the surest first. */
const addressNames = [
  `${claims}emailaddress`,
  'urn:oid:0.9.2342.19200300.100.1.3',
  ...['email', 'mail', 'emailAddress', 'Email', 'EmailAddress', 'user.email'],
];
const displayNames = [
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  ...['displayName', 'name', 'cn'],
];
const nameParts = [
  [`${claims}givenname`, `${claims}surname`],
  ['urn:oid:2.5.4.42', 'urn:oid:2.5.4.4'],
  ['givenName', 'sn'],
  ['firstName', 'lastName'],
];

/**
 * Judges what the IdP of an organization has signed: whether it is for this service, for this request and for now, and for whom it
 * speaks. Everything is compared whole.
 */
export function judge({ envelope, assertion, expected, domains, at }: Statement): Person | Refusal {
  const problem = problemOf({ envelope, assertion, expected, at });
  if (problem !== undefined) return refused(problem);
  const subject = subjectOf(assertion.nameId, expected);
  if (subject === undefined) return refused('unusable-identifier');
  const address = addressIn(writtenAddress(assertion), domains);
  if ('code' in address) return address;
  return {
    subject,
    ...address,
    name: nameOf(assertion),
    authTime: secondsOf(assertion.authnInstant),
    hasSecondFactor: hasSecondFactor(assertion),
    sessionEnd: secondsOf(assertion.sessionNotOnOrAfter),
  };
}

/** When an assertion ends: it was shown once until then. */
export function endOf({ notOnOrAfter, confirmations }: Assertion): Date {
  const ends = [notOnOrAfter, ...confirmations.map((one) => one.notOnOrAfter)].map(timeOf);
  return new Date(Math.max(...ends.flatMap((end) => end ?? [])) + skewMs);
}

function problemOf({ envelope, assertion, expected, at }: Omit<Statement, 'domains'>): string | undefined {
  const { issuer, audience, acsUrl, requestId } = expected;
  if (envelope.issuer !== issuer || assertion.issuer !== issuer) return 'foreign-issuer';
  if (envelope.destination !== acsUrl) return 'foreign-destination';
  if (envelope.inResponseTo !== requestId) return 'foreign-request';
  const { audiences, confirmations } = assertion;
  if (audiences.length === 0 || !audiences.every((one) => one.includes(audience))) return 'foreign-audience';
  const session = { notBefore: null, notOnOrAfter: assertion.sessionNotOnOrAfter };
  const period = periodProblem(assertion, at) ?? periodProblem(session, at);
  if (period !== undefined) return period;
  const problems = confirmations.map((one) => confirmationProblem(one, expected, at));
  return problems.includes(undefined) ? undefined : (problems[0] ?? 'no-confirmation');
}

function confirmationProblem(
  confirmation: Confirmation,
  { acsUrl, requestId }: Expected,
  at: Date,
): string | undefined {
  if (confirmation.recipient !== acsUrl) return 'foreign-recipient';
  if (confirmation.inResponseTo !== requestId) return 'foreign-request';
  // SAML profiles, 4.1.4.2: a bearer's has an end.
  return confirmation.notOnOrAfter === null ? 'no-end' : periodProblem(confirmation, at);
}

/** A time that cannot be read is none that has come, or that is still to come. */
function periodProblem(
  { notBefore, notOnOrAfter }: Pick<Assertion, 'notBefore' | 'notOnOrAfter'>,
  at: Date,
): string | undefined {
  const now = at.getTime();
  const [begin, end] = [timeOf(notBefore), timeOf(notOnOrAfter)];
  if (notBefore !== null && (begin === undefined || begin > now + skewMs)) return 'not-yet';
  if (notOnOrAfter !== null && (end === undefined || end <= now - skewMs)) return 'expired';
  return undefined;
}

/** With its form, so that an address is not taken for an identifier that looks like it. */
function subjectOf(nameId: NameId, { issuer, audience }: Expected): string | undefined {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  const forms = Object.entries(nameFormats).find(([, name]) => name === (format ?? nameFormats.unspecified));
  if (!forms || !subjectForm.test(value)) return undefined;
  // In the name of somebody else: SAML core, 8.3.7.
  if (nameQualifier !== null && nameQualifier !== issuer) return undefined;
  if (spNameQualifier !== null && spNameQualifier !== audience) return undefined;
  return `${forms[0]}:${value}`;
}

/** An identifier that is an address is one where no attribute is. */
function writtenAddress({ attributes, nameId }: Assertion): string | null {
  const [written] = addressNames.flatMap((name) => onlyOf(attributes, name) ?? []);
  if (written !== undefined) return written;
  const isName = nameId.format === nameFormats.persistent;
  return !isName && readEmail(lowerAscii(nameId.value)) !== undefined ? nameId.value : null;
}

function nameOf({ attributes }: Assertion): string | null {
  const [whole] = displayNames.flatMap((name) => onlyOf(attributes, name) ?? []);
  const [parts] = nameParts
    .map((names) => names.flatMap((name) => onlyOf(attributes, name) ?? []))
    .filter((found) => found.length > 0);
  return (whole ?? parts?.join(' '))?.slice(0, nameLengthMax) ?? null;
}

/** The value of an attribute that has one. */
function onlyOf(attributes: Assertion['attributes'], name: string): string | undefined {
  const values = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return values?.length === 1 && values[0] !== '' ? values[0] : undefined;
}

function hasSecondFactor({ contextClass, attributes }: Assertion): boolean {
  const methods = Object.hasOwn(attributes, entraMethods) ? (attributes[entraMethods] ?? []) : [];
  return [contextClass ?? '', ...methods].some((said) => classesOfTwoFactors.has(said));
}

function timeOf(written: string | null): number | undefined {
  return written !== null && timeForm.test(written) && !Number.isNaN(Date.parse(written))
    ? Date.parse(written)
    : undefined;
}

function secondsOf(written: string | null): number | null {
  const time = timeOf(written);
  return time === undefined ? null : Math.floor(time / 1_000);
}
