import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { RelyingParty } from '../src/sign-in/methods/passkeys/relying-party.ts';

interface Vector {
  readonly name: string;
  readonly challenge: string;
  readonly credentialId: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly assertion: {
    readonly challenge: string;
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
  };
}

const file = new URL('vectors/webauthn-3.json', import.meta.url);
const { vectors } = JSON.parse(await readFile(file, 'utf8')) as { readonly vectors: readonly Vector[] };
const origin = 'https://example.org';
const party = new RelyingParty('example.org', new Set([origin]));

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const encoded = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
const credentialOf = ({ credentialId }: Vector) => {
  const id = encoded(credentialId);
  return { id, rawId: id, type: 'public-key' as const };
};

function registrationOf(vector: Vector) {
  const { clientDataJSON, attestationObject } = vector;
  const response = {
    clientDataJSON: encoded(clientDataJSON),
    attestationObject: encoded(attestationObject),
  };
  return { ...credentialOf(vector), response };
}

function assertionOf(vector: Vector) {
  const { clientDataJSON, authenticatorData, signature } = vector.assertion;
  const response = {
    clientDataJSON: encoded(clientDataJSON),
    authenticatorData: encoded(authenticatorData),
    signature: encoded(signature),
  };
  return { ...credentialOf(vector), response };
}

/** The key that a registration brought, whatever we think of the registration. */
function passkeyOf({ attestationObject, credentialId }: Vector) {
  const made = parseAuthenticatorData(decodeAttestationObject(bytes(attestationObject)).get('authData'));
  return {
    id: '',
    name: '',
    credentialId: Buffer.from(credentialId, 'hex'),
    publicKey: Buffer.from(made.credentialPublicKey ?? []),
    counter: 0,
    transports: [],
    backupEligible: made.flags.be,
    backedUp: made.flags.bs,
    createdAt: new Date(0).toISOString(),
    lastUsedAt: null,
  };
}

/** Keys of others are refused when they are registered. */
const hasOurAlgorithm = (name: string) => /es256|rs256|eddsa/.test(name);
const accepted = (names: readonly (string | undefined)[]) => names.filter((name) => name !== undefined);

test('of the registrations of WebAuthn Level 3, those of a verified user, in no frame, without certificates, are taken [S-42]', async () => {
  const taken = await Promise.all(
    vectors.map(async (vector) => {
      const isExpected = (challenge: string) => challenge === encoded(vector.challenge);
      const key = await party.readAttestation(registrationOf(vector), isExpected);
      if (key) expect(key.credentialId.toString('hex')).toBe(vector.credentialId);
      return key && vector.name;
    }),
  );
  expect(vectors).toHaveLength(15);
  expect(accepted(taken)).toEqual(['packed-self-es256']);
});

test('of the uses of WebAuthn Level 3, those of a verified user, in no frame, are taken [S-42]', async () => {
  const read = (vector: Vector, given = vector) =>
    party.readAssertion(
      assertionOf(given),
      passkeyOf(vector),
      (challenge) => challenge === encoded(vector.assertion.challenge),
    );
  const ours = vectors.filter(({ name }) => hasOurAlgorithm(name));
  const taken = await Promise.all(ours.map(async (vector) => (await read(vector)) && vector.name));
  expect(accepted(taken)).toEqual(['none-es256-long-credential-id', 'packed-es256', 'tpm-es256']);

  const [one] = vectors.filter(({ name }) => name === 'packed-es256');
  if (!one) throw new Error('unreachable: the vector is named above');
  const { clientDataJSON, signature } = one.assertion;
  const wrong = [
    { signature: signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) },
    { clientDataJSON: clientDataJSON.replace(/7d$/, '207d') },
  ];
  for (const change of wrong) {
    expect(await read(one, { ...one, assertion: { ...one.assertion, ...change } })).toBeUndefined();
  }
});

test.each(
  vectors.filter(({ name }) => hasOurAlgorithm(name)).map((vector) => [vector.name, vector] as const),
)('the signature of %s verifies, so that nothing else refuses it', async (_name, vector) => {
  const { verified } = await verifyAuthenticationResponse({
    response: { ...assertionOf(vector), clientExtensionResults: {} },
    expectedChallenge: encoded(vector.assertion.challenge),
    expectedOrigin: origin,
    expectedTopOrigin: 'https://example.com',
    expectedRPID: 'example.org',
    requireUserVerification: false,
    credential: {
      id: encoded(vector.credentialId),
      publicKey: new Uint8Array(passkeyOf(vector).publicKey),
      counter: 0,
    },
  });
  expect(verified).toBe(true);
});
