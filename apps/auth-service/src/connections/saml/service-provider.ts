import { deflateRawSync } from 'node:zlib';
import { bindings, nameFormats, namespaces } from './names.ts';

/** This service, as the IdP of a connection knows it: SAML 2.0 calls it a service provider. */
export interface ServiceProvider {
  /** The address of its metadata. */
  readonly entityId: string;
  /** Where responses are posted to. */
  readonly acsUrl: string;
}

/** A request to sign somebody in. */
interface AuthnRequest {
  readonly id: string;
  readonly issuedAt: Date;
  /** Where the IdP takes requests. */
  readonly ssoUrl: string;
  /** Whether the IdP asks again, although somebody is signed in there. */
  readonly asksAgain: boolean;
  /** Brought back with the response. */
  readonly relayState: string;
}

/** The identifier of the request of a flow: with a secret of the flow, so that nothing is stored for it. */
export const requestIdOf = ({ nonce }: { readonly nonce: string }): string => `_${nonce}`;

/** Where to send the browser. SAML 2.0 bindings, 3.4. */
export function requestUrl({ entityId, acsUrl }: ServiceProvider, request: AuthnRequest): URL {
  const { id, issuedAt, ssoUrl, asksAgain, relayState } = request;
  const attributes = {
    'xmlns:samlp': namespaces.protocol,
    'xmlns:saml': namespaces.assertion,
    ID: id,
    Version: '2.0',
    IssueInstant: `${issuedAt.toISOString().slice(0, 19)}Z`,
    Destination: ssoUrl,
    AssertionConsumerServiceURL: acsUrl,
    ProtocolBinding: bindings.post,
    ...(asksAgain ? { ForceAuthn: 'true' } : {}),
  };
  const xml = element('samlp:AuthnRequest', attributes, element('saml:Issuer', {}, escaped(entityId)));
  const url = new URL(ssoUrl);
  url.searchParams.set('SAMLRequest', deflateRawSync(xml).toString('base64'));
  url.searchParams.set('RelayState', relayState);
  return url;
}

/** What an IdP reads of this service. SAML 2.0 metadata, 2.4.4. */
export function metadataOf({ entityId, acsUrl }: ServiceProvider): string {
  const formats = Object.values(nameFormats).map((format) => element('md:NameIDFormat', {}, format));
  const acs = element('md:AssertionConsumerService', {
    Binding: bindings.post,
    Location: acsUrl,
    index: '0',
    isDefault: 'true',
  });
  const role = element(
    'md:SPSSODescriptor',
    {
      AuthnRequestsSigned: 'false',

      protocolSupportEnumeration: namespaces.protocol,
    },
    [...formats, acs].join(''),
  );
  const entity = { 'xmlns:md': namespaces.metadata, entityID: entityId };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('md:EntityDescriptor', entity, role)}\n`;
}

function element(name: string, attributes: Readonly<Record<string, string>>, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one);
