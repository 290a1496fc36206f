import { Type } from 'typebox';
import { NameSchema, PasswordSchema } from '../../../ground/index.ts';
import { PasskeySchema } from '../../ways-in/ways-in.schemas.ts';

const closed = { additionalProperties: false } as const;
const IdSchema = Type.String({ format: 'uuid' });

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

/** What `navigator.credentials.create` gives, as `toJSON()` writes it; fields that are not read may stay. */
export const AttestationSchema = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        attestationObject: Encoded(16_384, 'of the authenticator'),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), { maxItems: 8 }),
        ),
      },
      closed,
    ),
  },
  { ...closed, title: 'PasskeyAttestation' },
);

/** What `navigator.credentials.get` gives, likewise. */
export const AssertionSchema = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        authenticatorData: Encoded(4_096, 'of the authenticator'),
        signature: Encoded(2_048, 'of the authenticator'),
        userHandle: Type.Optional(Encoded(128, 'names the user')),
      },
      closed,
    ),
  },
  { ...closed, title: 'PasskeyAssertion' },
);

const OwnPassword = Type.Optional(PasswordSchema);

/** Nothing, or the password: a user without a second factor who did not just sign in must give it. */
export const RegistrationOptionsBody = Type.Union([
  Type.Object({ password: OwnPassword }, closed),
  Type.Null(),
]);

export const RegisterBody = Type.Object(
  { name: Type.Optional(NameSchema), password: OwnPassword, response: AttestationSchema },
  closed,
);

export const RegisterAnswer = Type.Object({ passkey: PasskeySchema }, closed);

export const RemoveBody = RegistrationOptionsBody;
export const PasskeyPath = Type.Object({ id: IdSchema }, closed);

const Descriptors = Type.Array(
  Type.Object(
    { id: Type.String(), type: Type.Literal('public-key'), transports: Type.Array(Type.String()) },
    closed,
  ),
);

export const CreationOptionsAnswer = Type.Object(
  {
    options: Type.Object(
      {
        rp: Type.Object({ id: Type.String(), name: Type.String() }, closed),
        user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }, closed),
        challenge: Type.String(),
        pubKeyCredParams: Type.Array(
          Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') }, closed),
        ),
        timeout: Type.Integer(),
        attestation: Type.Literal('none'),
        excludeCredentials: Descriptors,
        authenticatorSelection: Type.Object(
          {
            residentKey: Type.Literal('required'),
            requireResidentKey: Type.Boolean(),
            userVerification: Type.Literal('required'),
          },
          closed,
        ),
      },
      { ...closed, description: 'for PublicKeyCredential.parseCreationOptionsFromJSON' },
    ),
  },
  closed,
);

export const RequestOptionsSchema = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
    allowCredentials: Descriptors,
  },
  { ...closed, description: 'for PublicKeyCredential.parseRequestOptionsFromJSON' },
);

export const SignInOptionsAnswer = Type.Object(
  {
    options: RequestOptionsSchema,
    token: Type.String({ description: 'send it back with the answer of the authenticator' }),
  },
  closed,
);

export const SignInBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, examples: ['the token of the options'] }),
    response: AssertionSchema,
  },
  closed,
);
