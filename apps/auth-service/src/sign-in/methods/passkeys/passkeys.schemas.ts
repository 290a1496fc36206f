import { Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { NameSchema, PasswordSchema } from '../../../ground/index.ts';
import { PasskeySchema } from '../../ways-in/ways-in.schemas.ts';
import { AssertionSchema, AttestationSchema } from './credential.schemas.ts';

const closed = { additionalProperties: false } as const;

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
export const PasskeyPath = Type.Object({ id: Uuid() }, closed);

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

export const FactorOptionsAnswer = Type.Object({ options: RequestOptionsSchema }, closed);

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
