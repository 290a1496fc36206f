import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate that vouches for itself, as those that identity providers sign with. */
export interface SelfSigned {
  /** In PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
  /** The key in PEM. */
  readonly privateKey: string;
}

/** What a certificate should be. */
export interface SelfSignedOptions {
  readonly name?: string;
  readonly from?: Date;
  readonly to?: Date;
  /** Default: RSA of 2048 bits. */
  readonly key?: 'rsa' | 'small-rsa' | 'P-256' | 'P-384' | 'P-521';
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Makes one: from yesterday, for a year. RFC 5280, 4.1. */
export function selfSigned(options: SelfSignedOptions = {}): SelfSigned {
  const { name = 'idp.example', key: kind = 'rsa' } = options;
  const { from = new Date(Date.now() - dayMs), to = new Date(Date.now() + 365 * dayMs) } = options;
  const { privateKey, publicKey } = keyPair(kind);
  const algorithm = sequence(identifier(kind.endsWith('rsa') ? rsaSha256 : ecdsaSha256));
  const subject = sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time(from), time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  const der = sequence(content, algorithm, tagged(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** 1.2.840.113549.1.1.11 and 1.2.840.10045.4.3.2. */
const rsaSha256 = '2a864886f70d01010b';
const ecdsaSha256 = '2a8648ce3d040302';

function keyPair(kind: NonNullable<SelfSignedOptions['key']>) {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (kind === 'small-rsa') return generateKeyPairSync('rsa', { modulusLength: 1024 });
  return generateKeyPairSync('ec', { namedCurve: kind });
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date): Buffer => tagged(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')));
