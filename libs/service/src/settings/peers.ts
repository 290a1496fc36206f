import { Type } from 'typebox';
import type { SettingOptions } from './config.ts';

/** A secret: never shown, refused when short, repeated or a known default. */
export const secret = (options: SettingOptions & { readonly minLength?: number }) =>
  Type.String({ minLength: 32, ...options, secret: true });

/** The keys that services authenticate to each other with: the first one is sent, all of them are accepted. */
export const internalApiKey = Type.Array(Type.String({ minLength: 32 }), {
  minItems: 1,
  secret: true,
  description:
    'key with which services call each other, at least 32 characters; during a rotation the previous one after a comma',
});

/** The description of a URL that others are derived from. */
export const urlWithoutQuery = {
  pattern: '^https?://[^?#]*[^/?#]$',
  messages: { pattern: 'must be an http:// or https:// URL without a query and without a slash at its end' },
} as const;

/** The public base address of the auth endpoints. */
export const authUrl = Type.String({
  ...urlWithoutQuery,
  developmentDefault: 'http://127.0.0.1:8080/api/auth',
  description:
    'public base URL of the auth endpoints, without a trailing slash; also the issuer of the tokens. The gateway counts the ' +
    'requests of signed-in users by session with it, and all of them by address without it',
});

/** The settings of a service that verifies tokens by itself. */
export const verifierSettings = {
  AUTH_URL: authUrl,
  AUTH_JWKS_URL: Type.Optional(
    Type.String({
      ...urlWithoutQuery,
      description:
        "URL of the key set, AUTH_URL/jwks by default; inside a cluster use auth-service's own address",
    }),
  ),
  AUTH_REVOCATIONS_URL: Type.String({
    ...urlWithoutQuery,
    developmentDefault: 'http://127.0.0.1:3000/internal/revocations',
    description:
      "URL of the revocation feed: /internal/revocations at auth-service's own address (with INTERNAL_PORT if that is set), which the gateway does not expose",
  }),
} as const;
