import { isBrowser, sessionCookies, type Origins } from '@tenantry/service-kit/browser';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readClient, type Client } from '../../ground/index.ts';
import type { DeviceCookies } from './device-cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The device and address that asks. */
    readonly client: Client;
    /** Whether it keeps its tokens in cookies. */
    readonly isBrowser: boolean;
    /** The cookie by which to know this browser again. */
    readonly deviceCookie: string | undefined;
  }
}

/** Options of {@link Client}. */
export interface ClientOptions {
  readonly deviceCookies: DeviceCookies;
  readonly origins: Origins;
}

type Recognized = Pick<FastifyRequest, 'client' | 'isBrowser' | 'deviceCookie'>;

/** Tells of every request which client it comes from. A browser that is new gets a name here, and a cookie with it. */
export function recognizeClients(app: FastifyInstance, { deviceCookies, origins }: ClientOptions): void {
  const requests = new WeakMap<FastifyRequest, Recognized>();

  function recognize({ ip, headers, cookies }: FastifyRequest): Recognized {
    const browser = isBrowser(headers, origins);
    const shown = deviceCookies.renew(sessionCookies(cookies).device);
    const deviceCookie = shown ?? (browser ? deviceCookies.issue() : undefined);
    return { client: readClient({ ip, headers, deviceCookie }), isBrowser: browser, deviceCookie };
  }

  /** Once a request: a browser's new name must not change in the middle of it. */
  function recognized(request: FastifyRequest): Recognized {
    const known = requests.get(request) ?? recognize(request);
    requests.set(request, known);
    return known;
  }

  for (const name of ['client', 'isBrowser', 'deviceCookie'] as const) {
    app.decorateRequest(name, {
      getter(this: FastifyRequest) {
        return recognized(this)[name];
      },
    });
  }
}
