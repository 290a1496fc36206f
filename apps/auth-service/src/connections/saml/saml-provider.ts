import type { GuardedCalls } from '@tenantry/service/guarded';
import { ProviderFailure } from '../../sign-in/index.ts';
import { certificatesMax, lastEnd, notEnded, readCertificate } from './certificates.ts';
import type { MetadataDocument } from './metadata-document.ts';
import type { ServiceProvider } from './service-provider.ts';

/** What an IdP says of itself, as it is stored beside its entity id. */
export interface SamlMetadata {
  readonly ssoUrl: string;
  /** One to three, in base64. */
  readonly certificates: readonly string[];
}

/** An IdP, and who this service is for it. */
export interface SamlProvider {
  /** Its entity id. */
  readonly issuer: string;
  readonly metadata: SamlMetadata;
  readonly serviceProvider: ServiceProvider;
}

const urlLengthMax = 2_048;
const entityIdLengthMax = 500;
/** Of a URI, as SAML core, 8.3.6, has it: it is compared, and never called. */
const entityIdForm = /^[!-~]+$/;

/**
 * What an IdP or its owner says of it, as it is stored: certificates that have not ended, those that last longest.
 *
 * @throws AddressRefused for an address that is not allowed
 * @throws ProviderFailure `PROVIDER_REFUSED` for an entity id that is none, and where no certificate can be used
 */
export function admitMetadata(
  calls: Pick<GuardedCalls, 'require'>,
  { entityId, ssoUrl, certificates }: MetadataDocument,
  at: Date,
): { readonly issuer: string; readonly metadata: SamlMetadata } {
  const isUri = entityIdForm.test(entityId) && URL.canParse(entityId);
  if (!isUri || entityId.length > entityIdLengthMax) throw refused('entity-id');
  if (ssoUrl.length > urlLengthMax || !URL.canParse(ssoUrl)) throw refused('sso-url');
  calls.require(new URL(ssoUrl));
  const usable = new Set(certificates.flatMap((one) => readCertificate(one) ?? []));
  const lasting = notEnded([...usable], at).toSorted((one, other) => endOf(other) - endOf(one));
  if (lasting.length === 0) throw refused('certificates');
  return { issuer: entityId, metadata: { ssoUrl, certificates: lasting.slice(0, certificatesMax) } };
}

const endOf = (certificate: string): number => lastEnd([certificate]).getTime();

const refused = (problem: string) => new ProviderFailure('PROVIDER_REFUSED', problem);
