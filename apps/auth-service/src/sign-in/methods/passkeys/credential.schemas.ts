import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';

const Encoded = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    messages: { pattern: 'must be base64url' },
    description,
    examples: ['bXkgcGFzc2tleQ'],
  });

const credential = {
  id: Encoded(1_400, 'of the credential'),
  rawId: Encoded(1_400, 'the same'),
  type: Type.Literal('public-key'),
};
const ClientData = Encoded(8_192, 'what the browser signed for, as JSON');

/** The result of `navigator.credentials.create`, as `toJSON()` writes it; other fields are allowed. */
export const AttestationSchema = ClosedObject(
  {
    ...credential,
    response: ClosedObject({
      clientDataJSON: ClientData,
      attestationObject: Encoded(16_384, 'of the authenticator'),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), { maxItems: 8 }),
      ),
    }),
  },
  { title: 'PasskeyAttestation' },
);

/** The result of `navigator.credentials.get`, likewise. */
export const AssertionSchema = ClosedObject(
  {
    ...credential,
    response: ClosedObject({
      clientDataJSON: ClientData,
      authenticatorData: Encoded(4_096, 'of the authenticator'),
      signature: Encoded(2_048, 'of the authenticator'),
      userHandle: Type.Optional(Encoded(128, 'names the user')),
    }),
  },
  { title: 'PasskeyAssertion' },
);
