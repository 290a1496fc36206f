import { X509Certificate, type KeyObject } from 'node:crypto';

/** Most certificates of a connection: one that ends, one that follows it, and one in reserve. */
export const certificatesMax = 3;

/** What owners see of a certificate. */
export interface CertificateDescription {
  /** SHA-256 of the certificate, as IdPs show it. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly endsAt: Date;
}

const curves = new Set(['prime256v1', 'secp384r1']);

/**
 * A certificate as it is stored, from PEM or base64.
 *
 * @returns base64 of its DER form; undefined for what is none, or has another key than RSA of 2048 to 8192 bits, P-256 or P-384
 */
export function readCertificate(given: string): string | undefined {
  const base64 = given.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----|\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const certificate = parsed(base64);
  return certificate && isUsable(certificate.publicKey) ? certificate.raw.toString('base64') : undefined;
}

/** What owners see of a certificate that is stored. */
export function describeCertificate(stored: string): CertificateDescription {
  const { fingerprint256: fingerprint, subject, validTo } = certificateOf(stored);
  return { fingerprint, subject: subject.replaceAll('\n', ', '), endsAt: new Date(validTo) };
}

/** The key of a certificate that is stored. */
export const keyOf = (stored: string): KeyObject => certificateOf(stored).publicKey;

/** Those that have not ended. */
export const notEnded = (stored: readonly string[], at: Date): string[] =>
  stored.filter((one) => describeCertificate(one).endsAt > at);

/** When the last one ends, after which nobody signs in. */
export const lastEnd = (stored: readonly string[]): Date =>
  new Date(Math.max(...stored.map((one) => describeCertificate(one).endsAt.getTime())));

const certificateOf = (stored: string): X509Certificate => new X509Certificate(Buffer.from(stored, 'base64'));

function parsed(base64: string): X509Certificate | undefined {
  try {
    return certificateOf(base64);
  } catch {
    return undefined;
  }
}

function isUsable({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = details ?? {};
  return type === 'rsa'
    ? modulusLength >= 2048 && modulusLength <= 8192
    : type === 'ec' && curves.has(namedCurve);
}
