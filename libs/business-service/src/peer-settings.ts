import { Type } from 'typebox';

/** The settings of a service that asks auth-service by itself; name INTERNAL_API_KEY among its `secrets` in package.json. */
export const peerSettings = {
  AUTH_INTERNAL_URL: Type.String({
    pattern: '^https?://[^?#]*[^/?#]$',
    messages: {
      pattern: 'must be an http:// or https:// URL without a query and without a slash at its end',
    },
    developmentDefault: 'http://127.0.0.1:3000',
    description: "the auth service's own address (INTERNAL_PORT where it is set), which is not the gateway's",
  }),
  INTERNAL_API_KEY: Type.Array(Type.String({ minLength: 32 }), {
    minItems: 1,
    secret: true,
    description:
      'key with which services call each other, at least 32 characters; during a rotation the previous one after a comma',
  }),
} as const;
