import { AddressRefused, type GuardedCalls } from '@tenantry/service/guarded';
import type { Ground } from '../../ground/index.ts';
import { ProviderFailure } from '../../sign-in/index.ts';
import { notEnded, readCertificate } from './certificates.ts';
import type { Documents, Reader } from './documents.ts';
import type { MetadataDocument } from './metadata-document.ts';
import { admitMetadata, type SamlMetadata } from './saml-provider.ts';
import { Unusable } from './xml.ts';

/** What an owner gives of an IdP: an address to read it from, the XML itself, or its parts. */
export type GivenMetadata =
  | { readonly metadataUrl: string }
  | { readonly metadata: string }
  | MetadataDocument;

/** What is stored of it. */
export interface ReadMetadata {
  readonly issuer: string;
  readonly metadata: SamlMetadata;
  readonly metadataUrl: string | null;
}

interface SamlSettingsDependencies extends Pick<Ground, 'now'> {
  readonly guardedCalls: GuardedCalls;
  readonly documents: Documents;
}

/** Reads what the IdPs of SAML say of themselves. */
export class SamlSettings {
  readonly #dependencies: SamlSettingsDependencies;

  constructor(dependencies: SamlSettingsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Reads what an owner gives.
   *
   * @throws AddressRefused for an address that is not allowed, also of the IdP's sign-in page
   * @throws ProviderFailure `PROVIDER_UNAVAILABLE` where the address does not answer, else `PROVIDER_REFUSED`
   * @throws UPSTREAM_UNAVAILABLE if its turn does not come in time
   */
  async read(reader: Reader, given: GivenMetadata): Promise<ReadMetadata> {
    const { guardedCalls, now } = this.#dependencies;
    const metadataUrl = 'metadataUrl' in given ? given.metadataUrl : null;
    const said = 'entityId' in given ? given : await this.#parse(reader, await this.#xmlOf(given));
    if ('entityId' in given) requireEach(given.certificates, now());
    return { ...admitMetadata(guardedCalls, said, now()), metadataUrl };
  }

  #xmlOf(given: Exclude<GivenMetadata, MetadataDocument>): Promise<string> | string {
    return 'metadata' in given ? given.metadata : this.#fetch(given.metadataUrl);
  }

  async #fetch(url: string): Promise<string> {
    const { guardedCalls } = this.#dependencies;
    if (!URL.canParse(url)) throw new ProviderFailure('PROVIDER_REFUSED', 'address');
    const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
    const answer = await guardedCalls.call('read metadata', url, { headers }).catch((error: unknown) => {
      throw error instanceof AddressRefused
        ? error
        : new ProviderFailure('PROVIDER_UNAVAILABLE', 'no-answer');
    });
    if (answer.status >= 500) throw new ProviderFailure('PROVIDER_UNAVAILABLE', `status-${answer.status}`);
    if (answer.status !== 200) throw new ProviderFailure('PROVIDER_REFUSED', `status-${answer.status}`);
    return answer.text();
  }

  async #parse(reader: Reader, xml: string): Promise<MetadataDocument> {
    try {
      return await this.#dependencies.documents.readMetadata(xml, reader);
    } catch (error) {
      throw error instanceof Unusable ? new ProviderFailure('PROVIDER_REFUSED', error.problem) : error;
    }
  }
}

/** Metadata may have certificates that cannot be used; what an owner gives singly is meant. @throws ProviderFailure `certificates[1]` */
function requireEach(certificates: readonly string[], at: Date): void {
  const wrong = certificates.findIndex((one) => {
    const read = readCertificate(one);
    return read === undefined || notEnded([read], at).length === 0;
  });
  if (wrong !== -1) throw new ProviderFailure('PROVIDER_REFUSED', `certificates[${wrong}]`);
}
