import { attributeOf, childNamed, childrenNamed, onlyChild, textIn, Unusable } from './xml.ts';
import { namespaces } from './names.ts';

/** What a response says outside of what is signed: it can only lead to a refusal. */
export interface Envelope {
  readonly issuer: string | null;
  readonly destination: string | null;
  readonly inResponseTo: string | null;
}

/** How somebody is named. */
export interface NameId {
  readonly value: string;
  readonly format: string | null;
  readonly nameQualifier: string | null;
  readonly spNameQualifier: string | null;
}

/** By what the bearer of an assertion is to be known; times as they are written. */
export interface Confirmation {
  readonly recipient: string | null;
  readonly inResponseTo: string | null;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
}

/** What an IdP has signed; times as they are written. */
export interface Assertion {
  readonly id: string;
  readonly issuer: string | null;
  readonly nameId: NameId;
  readonly confirmations: readonly Confirmation[];
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  /** Of each restriction, the audiences of which one must be meant. */
  readonly audiences: readonly (readonly string[])[];
  readonly authnInstant: string | null;
  readonly sessionNotOnOrAfter: string | null;
  readonly contextClass: string | null;
  /** Values by name; those that are no text are left out. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

const { assertion: saml, protocol: samlp } = namespaces;
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const authnFailed = 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed';
/** Those that are known: one that is not says that the assertion is not to be relied on. SAML core, 2.5.1.1. */
const conditionNames = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
const idForm = /^[A-Za-z_][\w.-]{0,255}$/;

/** What a response says of itself. */
export const envelopeOf = (response: Element): Envelope => ({
  issuer: textOfChild(response, 'Issuer'),
  destination: attributeOf(response, 'Destination'),
  inResponseTo: attributeOf(response, 'InResponseTo'),
});

/** How an IdP says that it signs nobody in; undefined where it does not. */
export function refusalIn(response: Element): 'denied' | 'refused' | undefined {
  const status = onlyChild(response, samlp, 'Status');
  const code = onlyChild(status, samlp, 'StatusCode');
  if (attributeOf(code, 'Value') === success) return undefined;
  const detail = childNamed(code, samlp, 'StatusCode');
  return detail && attributeOf(detail, 'Value') === authnFailed ? 'denied' : 'refused';
}

/** Reads an assertion, of the text that was signed. @throws Unusable */
export function assertionIn(element: Element): Assertion {
  const id = attributeOf(element, 'ID');
  if (id === null || !idForm.test(id)) throw new Unusable('no-id');
  if (attributeOf(element, 'Version') !== '2.0') throw new Unusable('version');
  const subject = onlyChild(element, saml, 'Subject');
  const conditions = onlyChild(element, saml, 'Conditions');
  const statement = onlyChild(element, saml, 'AuthnStatement');
  const context = childNamed(statement, saml, 'AuthnContext');
  return {
    id,
    issuer: textOfChild(element, 'Issuer'),
    nameId: nameIdIn(subject),
    confirmations: confirmationsIn(subject),
    notBefore: attributeOf(conditions, 'NotBefore'),
    notOnOrAfter: attributeOf(conditions, 'NotOnOrAfter'),
    audiences: audiencesIn(conditions),
    authnInstant: attributeOf(statement, 'AuthnInstant'),
    sessionNotOnOrAfter: attributeOf(statement, 'SessionNotOnOrAfter'),
    contextClass: context ? textOfChild(context, 'AuthnContextClassRef') : null,
    attributes: attributesIn(element),
  };
}

function nameIdIn(subject: Element): NameId {
  const element = onlyChild(subject, saml, 'NameID');
  const value = textIn(element);
  if (value === null) throw new Unusable('name-with-elements');
  return {
    value,
    format: attributeOf(element, 'Format'),
    nameQualifier: attributeOf(element, 'NameQualifier'),
    spNameQualifier: attributeOf(element, 'SPNameQualifier'),
  };
}

function confirmationsIn(subject: Element): Confirmation[] {
  const ofBearers = childrenNamed(subject, saml, 'SubjectConfirmation').filter(
    (confirmation) => attributeOf(confirmation, 'Method') === bearer,
  );
  return ofBearers.flatMap((confirmation) => {
    const data = childNamed(confirmation, saml, 'SubjectConfirmationData');
    if (!data) return [];
    return {
      recipient: attributeOf(data, 'Recipient'),
      inResponseTo: attributeOf(data, 'InResponseTo'),
      notBefore: attributeOf(data, 'NotBefore'),
      notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
    };
  });
}

function audiencesIn(conditions: Element): string[][] {
  const all = Array.from(conditions.childNodes).filter((node) => node.nodeType === 1) as Element[];
  for (const { localName, namespaceURI } of all) {
    if (namespaceURI !== saml || !conditionNames.has(localName)) throw new Unusable('unknown-condition');
  }
  return childrenNamed(conditions, saml, 'AudienceRestriction').map((restriction) =>
    childrenNamed(restriction, saml, 'Audience').flatMap((audience) => textIn(audience) ?? []),
  );
}

function attributesIn(assertion: Element): Record<string, string[]> {
  const all = childrenNamed(assertion, saml, 'AttributeStatement').flatMap((statement) =>
    childrenNamed(statement, saml, 'Attribute'),
  );
  const values = new Map<string, string[]>();
  for (const attribute of all) {
    const name = attributeOf(attribute, 'Name');
    if (name === null) continue;
    const texts = childrenNamed(attribute, saml, 'AttributeValue').flatMap((value) => textIn(value) ?? []);
    values.set(name, [...(values.get(name) ?? []), ...texts]);
  }
  return Object.fromEntries(values);
}

function textOfChild(element: Element, name: string): string | null {
  const child = childNamed(element, saml, name);
  return child ? textIn(child) : null;
}
