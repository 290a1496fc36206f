import { bindings, namespaces } from './names.ts';
import { attributeOf, childrenNamed, elementsIn, isNamed, textIn, Unusable } from './xml.ts';

/** What an IdP says of itself, as it writes it. */
export interface MetadataDocument {
  readonly entityId: string;
  /** Where requests are sent by a redirect. */
  readonly ssoUrl: string;
  /** Those that it signs with, in base64. */
  readonly certificates: readonly string[];
}

const { metadata: md, protocol, signature: ds } = namespaces;

/**
 * What the metadata of an IdP says: SAML 2.0 metadata, 2.4.3. Its own signature is not looked at: what vouches for it is the https
 * address that it was read from, or the owner who gave it.
 *
 * @throws Unusable also for the metadata of several
 */
export function metadataIn(root: Element): MetadataDocument {
  if (!isNamed(root, md, 'EntityDescriptor')) throw new Unusable('no-entity');
  const roles = childrenNamed(root, md, 'IDPSSODescriptor').filter((role) =>
    (attributeOf(role, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol),
  );
  const [role, ...others] = roles;
  if (!role || others.length > 0) throw new Unusable('no-identity-provider');
  const services = childrenNamed(role, md, 'SingleSignOnService');
  const service = services.find((one) => attributeOf(one, 'Binding') === bindings.redirect);
  const ssoUrl = service && attributeOf(service, 'Location');
  const entityId = attributeOf(root, 'entityID');
  if (!ssoUrl || !entityId) throw new Unusable('no-address');
  const keys = childrenNamed(role, md, 'KeyDescriptor').filter(
    (key) => (attributeOf(key, 'use') ?? 'signing') === 'signing',
  );
  const certificates = keys.flatMap(elementsIn).filter((element) => isNamed(element, ds, 'X509Certificate'));
  return { entityId, ssoUrl, certificates: certificates.flatMap((one) => textIn(one) ?? []) };
}
