import { Type } from 'typebox';

/** A JWK set, RFC 7517. Only what is listed here is ever sent: a private part could not slip through. */
export const JwksSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.Literal('EC'),
          crv: Type.Literal('P-256'),
          x: Type.String(),
          y: Type.String(),
          kid: Type.String(),
          use: Type.Literal('sig'),
          alg: Type.Literal('ES256'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
