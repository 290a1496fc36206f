import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cookieToken, isUnsafe } from './cookie-session.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { originNotAllowed, originStanding, type Origins } from './origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the session came in a cookie; the checks of access see its token as any other. */
    byCookie: boolean;
  }
}

/** What {@link serveBrowsers} needs to know. */
export interface BrowserOptions {
  readonly origins: Origins;
}

/**
 * Serves browsers beside all other clients: answers preflights, names the listed origins in every answer, takes the
 * session from its cookie where Origin and CSRF token are right, and lets no foreign page call what is public.
 *
 * To be called before the routes are defined.
 */
export function serveBrowsers(app: FastifyInstance, { origins }: BrowserOptions): void {
  app.decorateRequest('byCookie', false);
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers } = request;
    if (isPreflight(method, headers)) return answerPreflight(request, reply, origins);
    reply.headers(corsHeaders(headers, origins));

    const { access } = request.routeOptions.config;
    if (access === 'public') {
      // A sign-in that another page sends would put the browser into the attacker's session.
      if (isUnsafe(method) && originStanding(headers, origins) === 'foreign') throw originNotAllowed();
    } else if (access !== undefined) {
      takeCookieSession(request, origins);
    }
    return undefined;
  });
}

/**
 * Takes the session of a request from its cookie, so that the checks of access see it as any other. For a public
 * route that serves whoever is signed in as well; all others have it taken already.
 *
 * @throws ApiError ORIGIN_NOT_ALLOWED or CSRF_FAILED
 */
export function takeCookieSession(request: FastifyRequest, origins: Origins): void {
  const { method, headers, ip } = request;
  const token = cookieToken({ method, headers, address: ip }, origins);
  if (token === undefined) return;
  headers.authorization = `Bearer ${token}`;
  request.byCookie = true;
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, origins: Origins) {
  const granted = preflightHeaders(headers, origins);
  if (!granted) throw originNotAllowed();
  return reply.code(204).headers(granted).send();
}
