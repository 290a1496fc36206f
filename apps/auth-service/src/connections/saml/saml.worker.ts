import { keyOf } from './certificates.ts';
import { metadataIn, type MetadataDocument } from './metadata-document.ts';
import { assertionIn, envelopeOf, refusalIn, type Assertion, type Envelope } from './response.ts';
import { requireForm, verified } from './signature.ts';
import { childrenNamed, elementsIn, isNamed, parseXml, Unusable } from './xml.ts';
import { namespaces } from './names.ts';

/** A response whose counts are known. */
export interface ResponseTask {
  readonly xml: string;
  /** Of the connection, as they are stored: those that have not ended. */
  readonly certificates: readonly string[];
}

/** What was found in a document; errors lose their class between threads. */
export type ResponseFinding =
  | { readonly kind: 'signed'; readonly envelope: Envelope; readonly assertion: Assertion }
  /** Nobody has signed it, and nobody is signed in by it. */
  | { readonly kind: 'refusal'; readonly refusal: 'denied' | 'refused' }
  /** In the form of a response, but not signed by the IdP of the connection. */
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'unusable'; readonly problem: string };

export type MetadataFinding =
  | { readonly kind: 'metadata'; readonly metadata: MetadataDocument }
  | { readonly kind: 'unusable'; readonly problem: string };

const { assertion: saml, protocol: samlp } = namespaces;

/** Waits until the thread runs. */
export function begin(): void {}

/** Reads a response of an IdP: nothing but what it has signed. */
export function readResponse({ xml, certificates }: ResponseTask): ResponseFinding {
  return found(() => {
    const response = parseXml(xml);
    if (!isNamed(response, samlp, 'Response')) throw new Unusable('no-Response');
    const hasAssertion = elementsIn(response).some(({ localName }) => /Assertion$/.test(localName));
    const refusal = refusalIn(response);
    if (refusal && !hasAssertion) return { kind: 'refusal', refusal };
    if (refusal) throw new Unusable('refusal-with-assertion');
    const form = requireForm(response);
    const signed = signedBy(xml, form, certificates);
    if (!signed) return { kind: 'unsigned' };
    return { kind: 'signed', envelope: envelopeOf(response), assertion: assertionIn(assertionOf(signed)) };
  });
}

/** Reads the metadata of an IdP. */
export function readMetadata(xml: string): MetadataFinding {
  return found(() => ({ kind: 'metadata', metadata: metadataIn(parseXml(xml)) }));
}

/** The one assertion of what is signed. */
function assertionOf(signed: Element): Element {
  const assertions = isNamed(signed, samlp, 'Response') ? childrenNamed(signed, saml, 'Assertion') : [signed];
  const [assertion, ...others] = assertions;
  if (!assertion || others.length > 0 || !isNamed(assertion, saml, 'Assertion'))
    throw new Unusable('no-Assertion');
  return assertion;
}

function signedBy(
  xml: string,
  form: ReturnType<typeof requireForm>,
  certificates: readonly string[],
): Element | undefined {
  try {
    return verified(xml, form, certificates.map(keyOf));
  } catch (error) {
    if (error instanceof Unusable && error.problem === 'signature') return undefined;
    throw error;
  }
}

function found<Finding>(
  read: () => Finding,
): Finding | { readonly kind: 'unusable'; readonly problem: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'unusable', problem: error.problem };
    throw error;
  }
}
