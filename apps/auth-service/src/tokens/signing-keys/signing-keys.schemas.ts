import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';

/** A JWK set, RFC 7517. Only what is listed here is ever sent: a private part could not slip through. */
export const JwksSchema = ClosedObject({
  keys: Type.Array(
    ClosedObject({
      kty: Type.Literal('EC'),
      crv: Type.Literal('P-256'),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      use: Type.Literal('sig'),
      alg: Type.Literal('ES256'),
    }),
  ),
});
