import { Type } from 'typebox';
import { callService } from '../calls/calls.ts';
import * as settings from '../settings/settings.ts';

/** The settings of a service that calls auth-service; list INTERNAL_API_KEY in the `secrets` of its package.json. */
export const peerSettings = {
  AUTH_INTERNAL_URL: Type.String({
    ...settings.urlWithoutQuery,
    developmentDefault: 'http://127.0.0.1:3000',
    description: "auth-service's own address (with INTERNAL_PORT if that is set), not the gateway's",
  }),
  INTERNAL_API_KEY: settings.internalApiKey,
} as const;

/** The address of auth-service, and the key. */
export interface PeerConfig {
  readonly AUTH_INTERNAL_URL: string;
  /** The first is sent; the others are accepted elsewhere during a rotation. */
  readonly INTERNAL_API_KEY: readonly string[];
}

type ServiceCall = Parameters<typeof callService>[2];

/** Calls a route of another service below /internal, with the key. */
export function callPeer(
  name: string,
  url: string | URL,
  { config, ...call }: ServiceCall & { readonly config: Pick<PeerConfig, 'INTERNAL_API_KEY'> },
): Promise<Response> {
  const [key = ''] = config.INTERNAL_API_KEY;
  return callService(name, url, { ...call, headers: { ...call.headers, authorization: `Bearer ${key}` } });
}
