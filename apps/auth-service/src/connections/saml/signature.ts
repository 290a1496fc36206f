import { hash, verify, type KeyObject } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { namespaces } from './names.ts';
import { attributeOf, childrenNamed, childrenOf, elementsIn, isNamed, parseXml, Unusable } from './xml.ts';

const { assertion: saml, protocol: samlp, signature: ds } = namespaces;

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = `${ds}enveloped-signature`;
const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const encryption = 'http://www.w3.org/2001/04/xmlenc#';

/** SHA-256 or better, by the names of digests. */
const digests: Readonly<Record<string, string>> = {
  [`${encryption}sha256`]: 'sha256',
  [`${more}sha384`]: 'sha384',
  [`${encryption}sha512`]: 'sha512',
};

/** Signatures of keys that the IdP alone has, by name: the type of the key, and the digest. */
const signatures: Readonly<Record<string, readonly ['rsa' | 'ec', string]>> = Object.fromEntries(
  (['rsa', 'ec'] as const).flatMap((type) =>
    ['sha256', 'sha384', 'sha512'].map((digest) => [
      `${more}${type === 'ec' ? 'ecdsa' : 'rsa'}-${digest}`,
      [type, digest] as const,
    ]),
  ),
);

/** Prefixes that an IdP has canonicalized with their namespace: a few. */
const prefixListLengthMax = 256;

/** A response whose form is right: what is signed in it is still to be verified. */
export interface SignedResponse {
  readonly response: Element;
  readonly signature: Element;
}

/**
 * Requires the one form in which a response is taken, before anything is computed: one assertion in it, one signature, directly in the
 * response or in the assertion, one reference, to that element, and two transforms. Whatever else a document may have, such as a second
 * assertion to be found in place of the signed one, is none that an IdP needs.
 *
 * @throws Unusable
 */
export function requireForm(response: Element): SignedResponse {
  const all = elementsIn(response);
  const only = (name: string): Element => {
    const [one, ...others] = all.filter(({ localName }) => localName === name);
    if (!one) throw new Unusable(`no-${name}`);
    if (others.length > 0) throw new Unusable(`several-${name}`);
    return one;
  };
  if (all.some(({ localName }) => localName.startsWith('Encrypted'))) throw new Unusable('encrypted');
  const assertion = only('Assertion');
  const signature = only('Signature');
  requireNamed(response, samlp, only('Response') === response);
  requireNamed(assertion, saml, assertion.parentNode === response);
  const signed = signature.parentNode as Element;
  requireNamed(signature, ds, signed === response || signed === assertion);
  const reference = only('Reference');
  const info = only('SignedInfo');
  const parts = childrenOf(signature).map(({ localName }) => localName);
  if (!['SignedInfo,SignatureValue', 'SignedInfo,SignatureValue,KeyInfo'].includes(parts.join(','))) {
    throw new Unusable('signature-parts');
  }
  requireSignedInfo(info);
  requireReference(reference, all, signed);
  return { response, signature };
}

/**
 * Verifies the signature of a response with the keys of the connection; a key that the document brings is not looked at.
 *
 * @param xml the text of which `signed` was parsed
 * @returns the root of the text that is signed, parsed anew: a response or an assertion
 * @throws Unusable `signature` where none of the keys has signed it
 */
export function verified(xml: string, { signature }: SignedResponse, keys: readonly KeyObject[]): Element {
  const [first] = keys;
  if (!first) throw new Unusable('signature');
  // The library asks for a key, and passes it to our algorithm, which tries all.
  const library = new SignedXml({ publicCert: first });
  library.CanonicalizationAlgorithms = pick(library.CanonicalizationAlgorithms, [exclusive, enveloped]);
  library.HashAlgorithms = Object.fromEntries(Object.entries(digests).map(hashBy));
  library.SignatureAlgorithms = Object.fromEntries(
    Object.keys(signatures).map((name) => [name, verifierBy(name, keys)]),
  );
  const [text, ...others] = signedBy(library, signature, xml);
  if (text === undefined || others.length > 0) throw new Unusable('signature');
  const root = parseXml(text);
  const names = elementsIn(root).map(({ localName }) => localName);
  if (names.includes('Signature')) throw new Unusable('several-Signature');
  return root;
}

function requireNamed(element: Element, namespace: string, isInPlace: boolean): void {
  if (element.namespaceURI !== namespace || !isInPlace) throw new Unusable(`misplaced-${element.localName}`);
}

function requireSignedInfo(info: Element): void {
  const [canonicalization, method, reference, ...others] = childrenOf(info);
  if (!canonicalization || !method || !reference || others.length > 0)
    throw new Unusable('signed-info-parts');
  const isRight =
    isNamed(canonicalization, ds, 'CanonicalizationMethod') &&
    isNamed(method, ds, 'SignatureMethod') &&
    isNamed(reference, ds, 'Reference');
  if (!isRight) throw new Unusable('signed-info-parts');
  if (attributeOf(canonicalization, 'Algorithm') !== exclusive) throw new Unusable('canonicalization');
  requireShortPrefixes(canonicalization);
  if (!Object.hasOwn(signatures, attributeOf(method, 'Algorithm') ?? '')) throw new Unusable('algorithm');
}

/** To the element that has the signature in it, by an identifier that nothing else in the document has. */
function requireReference(reference: Element, all: readonly Element[], signed: Element): void {
  const [transforms, method, value, ...others] = childrenOf(reference);
  if (!transforms || !method || !value || others.length > 0) throw new Unusable('reference-parts');
  const isRight =
    isNamed(transforms, ds, 'Transforms') &&
    isNamed(method, ds, 'DigestMethod') &&
    isNamed(value, ds, 'DigestValue');
  if (!isRight) throw new Unusable('reference-parts');
  if (!Object.hasOwn(digests, attributeOf(method, 'Algorithm') ?? '')) throw new Unusable('algorithm');
  const steps = childrenNamed(transforms, ds, 'Transform');
  const names = steps.map((step) => attributeOf(step, 'Algorithm'));
  if (childrenOf(transforms).length !== 2 || names[0] !== enveloped || names[1] !== exclusive) {
    throw new Unusable('transforms');
  }
  steps.forEach(requireShortPrefixes);
  const id = attributeOf(signed, 'ID');
  if (id === null || attributeOf(reference, 'URI') !== `#${id}`) throw new Unusable('reference');
  if (all.filter((element) => hasId(element, id)).length !== 1) throw new Unusable('several-id');
}

/** By any attribute in which somebody may look for it. */
const hasId = (element: Element, id: string): boolean =>
  Array.from(element.attributes).some(
    ({ localName, value }) => localName.toLowerCase() === 'id' && value.trim() === id,
  );

/** Each prefix is looked up for each element. */
function requireShortPrefixes(step: Element): void {
  const [prefixes, ...others] = childrenOf(step);
  if (!prefixes) return;
  const list = attributeOf(prefixes, 'PrefixList') ?? '';
  if (
    others.length > 0 ||
    !isNamed(prefixes, exclusive, 'InclusiveNamespaces') ||
    list.length > prefixListLengthMax
  ) {
    throw new Unusable('prefixes');
  }
}

function signedBy(library: SignedXml, signature: Element, xml: string): string[] {
  try {
    library.loadSignature(signature);
    return library.checkSignature(xml) ? library.getSignedReferences() : [];
  } catch {
    throw new Unusable('signature');
  }
}

/** As the library has algorithms. RFC 6931, 2.3.2 and 2.3.6: of ECDSA, both numbers in a row. */
function verifierBy(name: string, keys: readonly KeyObject[]) {
  const [type, digest] = signatures[name] ?? [];
  return class {
    getAlgorithmName = () => name;
    getSignature = (): never => {
      throw new Error('nothing is signed here');
    };
    verifySignature = (material: string | Buffer, _key: unknown, value: string): boolean => {
      const data = Buffer.from(material as string);
      const bytes = Buffer.from(value, 'base64');
      const ofType = keys.filter(({ asymmetricKeyType }) => asymmetricKeyType === type);
      return ofType.some((key) => verify(digest, data, { key, dsaEncoding: 'ieee-p1363' }, bytes));
    };
  };
}

const hashBy = ([name, digest]: [string, string]) =>
  [
    name,
    class {
      getAlgorithmName = () => name;
      getHash = (xml: string) => hash(digest, xml, 'base64');
    },
  ] as const;

const pick = <Value>(all: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
