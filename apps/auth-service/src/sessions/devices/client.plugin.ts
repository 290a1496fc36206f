import { isBrowser, sessionCookies, type Origins } from '@tenantry/service/browser';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readClient, type Client } from '../../ground/index.ts';
import type { DeviceCookies } from './device-cookies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The device and address of the request. */
    readonly client: Client;
    /** Whether it keeps its tokens in cookies. */
    readonly isBrowser: boolean;
    /** The cookie that identifies this browser. */
    readonly deviceCookie: string | undefined;
  }
}

interface ClientOptions {
  readonly deviceCookies: DeviceCookies;
  readonly origins: Origins;
}

type Recognized = Pick<FastifyRequest, 'client' | 'isBrowser' | 'deviceCookie'>;

/** Identifies the client of every request. A new browser gets a name and a cookie here. */
export function recognizeClients(app: FastifyInstance, { deviceCookies, origins }: ClientOptions): void {
  const requests = new WeakMap<FastifyRequest, Recognized>();

  function recognize({ ip, headers, cookies }: FastifyRequest): Recognized {
    const browser = isBrowser(headers, origins);
    const shown = deviceCookies.renew(sessionCookies(cookies).device);
    const deviceCookie = shown ?? (browser ? deviceCookies.issue() : undefined);
    return { client: readClient({ ip, headers, deviceCookie }), isBrowser: browser, deviceCookie };
  }

  /** Once per request: a browser's new name must not change during it. */
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
