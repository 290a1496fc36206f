import { settings } from '@tenantry/service-kit';
import { Type } from 'typebox';

/** The settings of a service that calls auth-service; list INTERNAL_API_KEY in the `secrets` of its package.json. */
export const peerSettings = {
  AUTH_INTERNAL_URL: Type.String({
    ...settings.urlWithoutQuery,
    developmentDefault: 'http://127.0.0.1:3000',
    description: "auth-service's own address (with INTERNAL_PORT if that is set), not the gateway's",
  }),
  INTERNAL_API_KEY: settings.internalApiKey,
} as const;
