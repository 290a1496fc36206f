import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { NameSchema, OwnPassword } from '../../../ground/index.ts';
import { PasskeySchema } from '../../ways-in/ways-in.schemas.ts';
import { AssertionSchema, AttestationSchema } from './credential.schemas.ts';

export const RegisterBody = ClosedObject({
  name: Type.Optional(NameSchema),
  password: OwnPassword,
  response: AttestationSchema,
});

export const RegisterAnswer = ClosedObject({ passkey: PasskeySchema });

const Descriptors = Type.Array(
  ClosedObject({
    id: Type.String(),
    type: Type.Literal('public-key'),
    transports: Type.Array(Type.String()),
  }),
);

export const CreationOptionsAnswer = ClosedObject({
  options: ClosedObject(
    {
      rp: ClosedObject({ id: Type.String(), name: Type.String() }),
      user: ClosedObject({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      challenge: Type.String(),
      pubKeyCredParams: Type.Array(ClosedObject({ alg: Type.Integer(), type: Type.Literal('public-key') })),
      timeout: Type.Integer(),
      attestation: Type.Literal('none'),
      excludeCredentials: Descriptors,
      authenticatorSelection: ClosedObject({
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Boolean(),
        userVerification: Type.Literal('required'),
      }),
    },
    { description: 'for PublicKeyCredential.parseCreationOptionsFromJSON' },
  ),
});

const RequestOptionsSchema = ClosedObject(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
    allowCredentials: Descriptors,
  },
  { description: 'for PublicKeyCredential.parseRequestOptionsFromJSON' },
);

export const FactorOptionsAnswer = ClosedObject({ options: RequestOptionsSchema });

export const SignInOptionsAnswer = ClosedObject({
  options: RequestOptionsSchema,
  token: Type.String({ description: 'send it back with the response of the authenticator' }),
});

export const SignInBody = ClosedObject({
  token: Type.String({ minLength: 1, maxLength: 200, examples: ['the token of the options'] }),
  response: AssertionSchema,
});
