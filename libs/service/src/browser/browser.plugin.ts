import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnsafe } from '../routes/methods.ts';
import { cookieToken } from './cookie-session.ts';
import { sessionCookies, takeCookies, warnOfLostCookies } from './cookies.ts';
import { allowOrigins } from './cors.plugin.ts';
import { originNotAllowed, originStanding, type Origins } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the session came in a cookie; access checks treat its token like any other. */
    byCookie: boolean;
  }
}

/** What {@link serveBrowsers} needs to know. */
export interface BrowserOptions {
  readonly origins: Origins;
}

/**
 * Adds support for browsers: answers preflights, sends CORS headers for the listed origins, takes the session from its cookie
 * if Origin and CSRF token are valid, and refuses calls of other sites' pages to public routes, except for `foreignForms`,
 * which get no cookie.
 *
 * To be called before the routes are defined.
 */
export async function serveBrowsers(app: FastifyInstance, { origins }: BrowserOptions): Promise<void> {
  await takeCookies(app);
  await allowOrigins(app, origins);
  warnOfLostCookies(app);
  app.decorateRequest('byCookie', false);
  app.addHook('onRequest', async (request) => {
    const { method, headers } = request;
    const { access, foreignForms } = request.routeOptions.config;
    if (foreignForms === true) {
      request.cookies = {};
    } else if (access === 'public') {
      // A sign-in that another page sends would put the browser into the attacker's session.
      if (isUnsafe(method) && originStanding(headers, origins) === 'foreign') throw originNotAllowed();
    } else if (access !== undefined) {
      takeCookieSession(request, origins);
    }
  });
}

/**
 * Takes the session of a request from its cookie, so that access checks treat it like any other. For public routes that also
 * serve signed-in users; other routes do this already.
 *
 * @throws ApiError ORIGIN_NOT_ALLOWED or CSRF_FAILED
 */
export function takeCookieSession(request: FastifyRequest, origins: Origins): void {
  const { method, headers, ip } = request;
  const cookies = sessionCookies(request.cookies);
  const token = cookieToken({ method, headers, cookies, address: ip }, origins);
  if (token === undefined) return;
  headers.authorization = `Bearer ${token}`;
  request.byCookie = true;
}
