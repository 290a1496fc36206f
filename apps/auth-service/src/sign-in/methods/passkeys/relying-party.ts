import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { ConfigError } from '@tenantry/service/settings';
import { bytesOfUuid, uuidOfBytes } from '@tenantry/service/tokens';
import type { User } from '../../../ground/index.ts';
import type { NewPasskey, Passkey, PasskeyUse } from './passkey.ts';
import type { Static } from 'typebox';
import type { AssertionSchema, AttestationSchema } from './credential.schemas.ts';

/** A browser's response for a new passkey. */
export type Attestation = Static<typeof AttestationSchema>;

/** A browser's response for the use of a passkey. */
export type Assertion = Static<typeof AssertionSchema>;

/** The result of a registration. */
type RegisteredKey = Omit<NewPasskey, 'id' | 'rpId' | 'name' | 'createdAt' | 'addedOn'>;

/** ES256, EdDSA and RS256, the algorithms of authenticators, by their COSE numbers. */
const algorithms = [-7, -8, -257];
const timeoutMs = 5 * 60 * 1_000;
const rpName = 'Tenantry';

/** The relying party of WebAuthn Level 3: the library's checks, and those that it leaves to its caller. */
export class RelyingParty {
  readonly rpId: string;
  readonly #origins: string[];

  /**
   * @param origins the allowed ones; those of another domain cannot use its passkeys @throws ConfigError if none belongs to the
   * domain
   */
  constructor(rpId: string, origins: ReadonlySet<string>) {
    this.rpId = rpId;
    this.#origins = [...origins].filter((origin) => isOf(rpId, new URL(origin).hostname));
    if (this.#origins.length > 0) return;
    throw new ConfigError('auth-service', [
      `PASSKEY_RP_ID is ${rpId}, which is neither the host of FRONTEND_URL nor a domain above it.`,
    ]);
  }

  /** The options to create a passkey: a discoverable one, with user verification. */
  creationOptions(user: User, challenge: string, existing: readonly Passkey[]) {
    const userId = bytesOfUuid(user.id).toString('base64url');
    return {
      rp: { id: this.rpId, name: rpName },
      user: { id: userId, name: user.email, displayName: user.name },
      challenge,
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
      timeout: timeoutMs,
      attestation: 'none' as const,
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true,
        userVerification: 'required' as const,
      },
    };
  }

  /** The options to use a passkey: any of the domain if none is listed. */
  requestOptions(challenge: string, allowed: readonly Passkey[] = []) {
    return {
      challenge,
      rpId: this.rpId,
      timeout: timeoutMs,
      userVerification: 'required' as const,
      allowCredentials: allowed.map(descriptorOf),
    };
  }

  /** @returns undefined unless it is a new key, created for this site and challenge */
  async readAttestation(
    response: Attestation,
    isExpected: (challenge: string) => boolean,
  ): Promise<RegisteredKey | undefined> {
    try {
      if (isFramed(response.response.clientDataJSON) || !bringsNoCertificates(response)) return undefined;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: isExpected,
        expectedOrigin: this.#origins,
        expectedRPID: this.rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
      if (!verified) return undefined;
      const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
      // The id in the response is not signed, but that in the authenticator's data is.
      if (credential.id !== response.id) return undefined;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: response.response.transports ?? [],
        backupEligible: credentialDeviceType === 'multiDevice',
        backedUp: credentialBackedUp,
      };
    } catch {
      // The library throws for every error.
      return undefined;
    }
  }

  /** @returns undefined unless the signature of this passkey is valid; the caller checks its counter */
  async readAssertion(
    response: Assertion,
    passkey: Passkey,
    isExpected: (challenge: string) => boolean,
  ): Promise<PasskeyUse | undefined> {
    try {
      if (isFramed(response.response.clientDataJSON)) return undefined;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: isExpected,
        expectedOrigin: this.#origins,
        expectedRPID: this.rpId,
        requireUserVerification: true,
        // The counter is compared when it is stored.
        credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      });
      const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
      const isEligible = credentialDeviceType === 'multiDevice';
      if (!verified || isEligible !== passkey.backupEligible) return undefined;
      return { counter: newCounter, backedUp: credentialBackedUp };
    } catch {
      return undefined;
    }
  }
}

/** The challenge that a response claims to answer; undefined if it is malformed. */
export function challengeOf(response: Attestation | Assertion): string | undefined {
  try {
    return decodeClientDataJSON(response.response.clientDataJSON).challenge;
  } catch {
    return undefined;
  }
}

/** Whether the authenticator says that it has not verified its user. WebAuthn Level 3, 6.1. */
export function lacksVerification({ response }: Attestation | Assertion): boolean {
  try {
    const data =
      'attestationObject' in response
        ? attestationOf(response).get('authData')
        : bytesOf(response.authenticatorData);
    const flags = data[flagsAt];
    return flags !== undefined && (flags & userVerified) === 0;
  } catch {
    return false;
  }
}

const flagsAt = 32;
const userVerified = 0b100;

const userHandleBytes = 16;

/** The user whom an authenticator names: the bytes of the id. */
export function userOf(userHandle: string | undefined): string | undefined {
  const bytes = Buffer.from(userHandle ?? '', 'base64url');
  return bytes.length === userHandleBytes ? uuidOfBytes(bytes) : undefined;
}

/** Whether a host is a domain or one of its subdomains. */
const isOf = (rpId: string, host: string): boolean => host === rpId || host.endsWith(`.${rpId}`);

/** In a frame of another site, users do not see who requests it. The library accepts it without `topOrigin`. */
function isFramed(clientDataJSON: string): boolean {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  return crossOrigin === true || topOrigin !== undefined;
}

/**
 * No attestation is requested, which leaves none or self attestation. To check certificates, the library would fetch revocation
 * lists from URLs in them.
 */
function bringsNoCertificates({ response }: Attestation): boolean {
  const attestation = attestationOf(response);
  const fmt = attestation.get('fmt');
  if (fmt === 'none') return true;
  return fmt === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
}

const bytesOf = (encoded: string) => new Uint8Array(Buffer.from(encoded, 'base64url'));

const attestationOf = ({ attestationObject }: Attestation['response']) =>
  decodeAttestationObject(bytesOf(attestationObject));

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports: [...transports],
});
