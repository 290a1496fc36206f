import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfSigned } from '@tenantry/test-kit';
import { SignedXml } from 'xml-crypto';

/** What a response of an IdP says. */
export interface ResponseParts {
  readonly issuer: string;
  readonly acsUrl: string;
  readonly audience: string;
  readonly requestId: string;
  readonly nameId: string;
  readonly email: string;
}

/** Parts that a test has otherwise; an undefined one is left out. */
export interface Departures {
  readonly id?: string;
  readonly nameIdFormat?: string | undefined;
  readonly nameIdAttributes?: string;
  readonly responseIssuer?: string | undefined;
  readonly assertionIssuer?: string;
  readonly destination?: string | undefined;
  readonly recipient?: string | undefined;
  readonly audiences?: readonly string[];
  readonly inResponseTo?: string | undefined;
  readonly confirmedRequest?: string | undefined;
  readonly notBefore?: string | undefined;
  readonly notOnOrAfter?: string | undefined;
  readonly confirmedUntil?: string | undefined;
  readonly sessionEnd?: string | undefined;
  readonly method?: string;
  readonly contextClass?: string;
  readonly conditions?: string;
  /** More attributes, as XML. */
  readonly attributes?: string;
  readonly status?: string;
}

const namespaces =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const minuteMs = 60_000;

/** A time as SAML writes it, so many minutes from now. */
export const minutesFromNow = (minutes: number): string =>
  `${new Date(Date.now() + minutes * minuteMs).toISOString().slice(0, 19)}Z`;

/** An attribute in XML, where it has a value. */
const written = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${value}"`;

/** A response that nobody has signed yet. */
export function responseOf(parts: ResponseParts, departures: Departures = {}): string {
  const { issuer, acsUrl, audience, requestId, nameId, email } = parts;
  const {
    id = `_a${crypto.randomUUID()}`,
    nameIdFormat,
    nameIdAttributes,
    responseIssuer,
    assertionIssuer,
    destination,
    recipient,
    audiences,
    inResponseTo,
    confirmedRequest,
    notBefore,
    notOnOrAfter,
    confirmedUntil,
    sessionEnd,
    method,
    contextClass,
    conditions,
    attributes,
    status,
  } = {
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    nameIdAttributes: '',
    responseIssuer: issuer,
    assertionIssuer: issuer,
    destination: acsUrl,
    recipient: acsUrl,
    audiences: [audience],
    inResponseTo: requestId,
    confirmedRequest: requestId,
    notBefore: minutesFromNow(-1),
    notOnOrAfter: minutesFromNow(5),
    confirmedUntil: minutesFromNow(5),
    sessionEnd: undefined,
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    contextClass: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
    conditions: '',
    attributes: '',
    status: 'Success',
    ...departures,
  };
  const now = minutesFromNow(0);
  const restrictions = audiences.map(
    (one) => `<saml:AudienceRestriction><saml:Audience>${one}</saml:Audience></saml:AudienceRestriction>`,
  );
  return [
    `<samlp:Response ${namespaces} ID="_r${crypto.randomUUID()}" Version="2.0" IssueInstant="${now}"`,
    `${written('Destination', destination)}${written('InResponseTo', inResponseTo)}>`,
    responseIssuer === undefined ? '' : `<saml:Issuer>${responseIssuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>`,
    `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${assertionIssuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID${written('Format', nameIdFormat)}${nameIdAttributes}>${nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData`,
    `${written('NotOnOrAfter', confirmedUntil)}${written('Recipient', recipient)}`,
    `${written('InResponseTo', confirmedRequest)}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions${written('NotBefore', notBefore)}${written('NotOnOrAfter', notOnOrAfter)}>`,
    `${restrictions.join('')}${conditions}</saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${now}"${written('SessionNotOnOrAfter', sessionEnd)}><saml:AuthnContext>`,
    `<saml:AuthnContextClassRef>${contextClass}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${email}</saml:AttributeValue>`,
    `</saml:Attribute>${attributes}</saml:AttributeStatement></saml:Assertion></samlp:Response>`,
  ].join('');
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const more = 'http://www.w3.org/2001/04/xmldsig-more#';

/** How a response is signed. */
export interface Signing {
  /** Default: the assertion. */
  readonly at?: 'Assertion' | 'Response';
  /** By name; default: RSA with SHA-256. */
  readonly algorithm?: string;
  readonly digest?: string;
  readonly transforms?: readonly string[];
  readonly canonicalization?: string;
  /** More elements that are signed, by XPath. */
  readonly others?: readonly string[];
  /** In place of the element: all of the document. */
  readonly signsAll?: boolean;
  /** What is signed, by XPath, in place of the element. */
  readonly signs?: string;
  /** Whether the certificate is in the document. */
  readonly embeds?: boolean;
}

/** Signs a response, as IdPs do. */
export function signed(xml: string, signer: SelfSigned, signing: Signing = {}): string {
  const { at = 'Assertion', algorithm = `${more}rsa-sha256`, others = [], embeds = true } = signing;
  const { digest = 'http://www.w3.org/2001/04/xmlenc#sha256', signsAll = false } = signing;
  const { transforms = [enveloped, exclusive], canonicalization = exclusive } = signing;
  const element = `//*[local-name(.)='${at}']`;
  const library = new SignedXml({
    privateKey: signer.key,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonicalization,
    ...(embeds ? { publicCert: signer.certificate } : {}),
  });
  Object.assign(library.SignatureAlgorithms, otherAlgorithms(signer));
  Object.assign(library.HashAlgorithms, {
    [`${more}sha384`]: library.HashAlgorithms['http://www.w3.org/2001/04/xmlenc#sha512'],
  });
  for (const xpath of [signing.signs ?? element, ...others]) {
    library.addReference({
      xpath,
      transforms: [...transforms] as never,
      digestAlgorithm: digest,
      ...(signsAll ? { uri: '', isEmptyUri: true } : {}),
    });
  }
  library.computeSignature(xml, {
    location: { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' },
    prefix: 'ds',
  });
  return library.getSignedXml();
}

/** ECDSA, and what nobody should take: HMAC with the certificate that everybody knows. */
function otherAlgorithms({ key, certificate }: SelfSigned) {
  const by = (name: string, make: (text: string) => Buffer) =>
    class {
      getAlgorithmName = () => name;
      getSignature = (text: string) => make(text).toString('base64');
      verifySignature = () => false;
    };
  const elliptic = (digest: string) => (text: string) =>
    sign(digest, Buffer.from(text), {
      key: key as KeyObject & { key: never },
      dsaEncoding: 'ieee-p1363',
    } as never);
  return {
    [`${more}ecdsa-sha256`]: by(`${more}ecdsa-sha256`, elliptic('sha256')),
    [`${more}ecdsa-sha384`]: by(`${more}ecdsa-sha384`, elliptic('sha384')),
    [`${more}hmac-sha256`]: by(`${more}hmac-sha256`, (text) =>
      createHmac('sha256', certificate).update(text).digest(),
    ),
  };
}

/** Whether Debian's package xmlsec1 is installed, which signs by code that has nothing in common with ours. */
export const hasXmlsec1 = spawnSync('xmlsec1', ['--version']).status === 0;

/** Signs the assertion of a response by it. */
export function signedByXmlsec1(xml: string, { privateKey }: SelfSigned): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-xmlsec1-'));
  const [key, template] = [join(directory, 'key.pem'), join(directory, 'response.xml')];
  const id = /<saml:Assertion ID="([^"]+)"/.exec(xml)?.[1] ?? '';
  const signature = [
    '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>',
    `<ds:CanonicalizationMethod Algorithm="${exclusive}"/><ds:SignatureMethod Algorithm="${more}rsa-sha256"/>`,
    `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${enveloped}"/>`,
    `<ds:Transform Algorithm="${exclusive}"/></ds:Transforms>`,
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference>',
    '</ds:SignedInfo><ds:SignatureValue/></ds:Signature>',
  ].join('');
  try {
    writeFileSync(key, privateKey);
    writeFileSync(
      template,
      xml.replace('</saml:Issuer><saml:Subject>', `</saml:Issuer>${signature}<saml:Subject>`),
    );
    const asked = ['--sign', '--privkey-pem', key, '--id-attr:ID', 'Assertion', template];
    return execFileSync('xmlsec1', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
