import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** What a test makes an authenticator or its browser do otherwise. */
export interface Misdeeds {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** Without asking its user. */
  readonly unverified?: boolean;
  readonly backupEligible?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  readonly attestation?: Buffer;
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 };

/** An authenticator in software: one passkey, ES256, as WebAuthn Level 3 writes it. */
export class SoftwareAuthenticator {
  readonly #rpId: string;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  readonly credentialId = randomBytes(32);
  userHandle = '';
  counter: number;

  constructor({ rpId, origin, counter = 0 }: { rpId: string; origin: string; counter?: number }) {
    this.#rpId = rpId;
    this.#origin = origin;
    this.counter = counter;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE_Key: EC2, ES256, P-256 (RFC 9053).
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** Makes the passkey. */
  create(options: CreationOptions, misdeeds: Misdeeds = {}) {
    this.userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#publicKey]);
    const authData = Buffer.concat([this.#head(misdeeds, flags.attested), attested]);
    const attestationObject = misdeeds.attestation ?? attestationOf(authData);
    return {
      ...this.#credential(misdeeds),
      clientExtensionResults: { credProps: { rk: true } },
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, misdeeds).toString(
          'base64url',
        ),
        attestationObject: attestationObject.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        publicKeyAlgorithm: -7,
        transports: ['internal'],
      },
    };
  }

  /** Uses it. */
  get(options: { readonly challenge: string }, misdeeds: Misdeeds = {}) {
    const authData = this.#head(misdeeds, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, misdeeds);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey);
    return {
      ...this.#credential(misdeeds),
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: misdeeds.userHandle ?? this.userHandle,
      },
    };
  }

  #credential({ id = this.credentialId.toString('base64url') }: Misdeeds) {
    return { id, rawId: id, type: 'public-key' };
  }

  #head({ rpId, unverified, backupEligible, counter }: Misdeeds, more: number): Buffer {
    const verified = unverified === true ? 0 : flags.verified;
    const eligible = backupEligible === true ? flags.backupEligible : 0;
    const head = Buffer.alloc(37);
    sha256(rpId ?? this.#rpId).copy(head);
    head.writeUInt8(flags.present | verified | eligible | more, 32);
    head.writeUInt32BE(counter ?? this.counter, 33);
    return head;
  }

  #clientData(type: string, challenge: string, misdeeds: Misdeeds): Buffer {
    const { origin = this.#origin, crossOrigin = false, topOrigin } = misdeeds;
    const data = {
      type: misdeeds.type ?? type,
      challenge: misdeeds.challenge ?? challenge,
      origin,
      crossOrigin,
    };
    return Buffer.from(JSON.stringify({ ...data, ...(topOrigin !== undefined && { topOrigin }) }));
  }
}

/** CBOR: { fmt, attStmt, authData }. */
export function attestationOf(authData: Buffer, fmt = 'none', statement = Buffer.from('a0', 'hex')): Buffer {
  const length = Buffer.from([0x59, authData.length >> 8, authData.length & 255]);
  return Buffer.concat([
    Buffer.from('a363', 'hex'),
    Buffer.from('fmt'),
    Buffer.from([0x60 + fmt.length]),
    Buffer.from(fmt),
    Buffer.from('67', 'hex'),
    Buffer.from('attStmt'),
    statement,
    Buffer.from('68', 'hex'),
    Buffer.from('authData'),
    length,
    authData,
  ]);
}
