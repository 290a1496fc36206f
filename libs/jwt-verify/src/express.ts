import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecentFactor } from './requests/access.ts';
import { AccessError } from './tokens/errors.ts';
import { createGuard, type AccessOptions, type Check } from './requests/guard.ts';
import { admitBy, recheckNow } from './requests/recheck.ts';
import type { IdentifiedRequest } from './requests/identified.ts';
import type { Verifier } from './verifier/verifier.ts';

/** The `next` of a middleware: called with an error, or without one to continue. */
export type Next = (error?: unknown) => void;

/** A middleware of Express 4 or 5. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** The result of {@link jwtAccess}: middleware for an application, a router or a route. */
export interface Access<Name extends string = never> {
  /** Lets in anyone with a valid token: everything that is declared after it is protected. */
  readonly protect: Middleware;
  /** Lets in users with this permission in their active organization; throws if there is no such permission. */
  readonly requires: (permission: Name) => Middleware;
  /** Lets in users, and no keys of service accounts; a permission is required of both alike. */
  readonly requiresUser: Middleware;
  /** Lets in users who authenticated recently (RFC 9470); put it after `requires` if you use both. */
  readonly requiresRecentFactor: (required: RecentFactor) => Middleware;
  /**
   * Asks again what the middleware before it asked: put it after `express.json()` and whatever else reads a body, if they
   * come after `protect`.
   */
  readonly recheck: Middleware;
}

/**
 * Protects the routes of Express with a verifier. A request that is refused goes to the error middleware with an
 * {@link AccessError}, never as a rejected promise, which Express 4 would not catch; `request.identity` is set on
 * one that is let in.
 *
 * @example
 * const access = jwtAccess(verifier, { permissions: { owner: ['invoices:read'], member: ['invoices:read'] } });
 * app.get('/health', (request, response) => response.json('healthy'));
 * app.use(access.protect, express.json(), access.recheck);
 * app.get('/invoices', access.requires('invoices:read'), (request, response) => {
 *   response.json(invoicesOf(memberOf(request).organizationId));
 * });
 * app.use(answerRefusals);
 */
export function jwtAccess<Name extends string = never>(
  verifier: Verifier,
  options: AccessOptions<Name> = {},
): Access<Name> {
  const guard = createGuard(verifier, options);
  const middleware = (check: Check): Middleware => {
    // Asked by every middleware, which the cache makes cheap: another verifier may have set request.identity.
    const admit = guard.admitting(check);
    return (request: IncomingMessage & IdentifiedRequest, _response, next) => {
      const letIn = async (): Promise<void> => {
        request.identity = await admitBy(request, admit);
      };
      // Two functions, so that what a later handler throws does not come back here.
      letIn().then(() => next(), next);
    };
  };
  return {
    protect: middleware(() => undefined),
    requires: (permission) => middleware(guard.permission(permission)),
    requiresUser: middleware(guard.user),
    requiresRecentFactor: (required) => middleware(guard.recentFactor(required)),
    recheck(request, _response, next) {
      const ask = async () => recheckNow(request);
      ask().then(() => next(), next);
    },
  };
}

/** An error middleware: answers an {@link AccessError} as `{ code, message, reason? }` and passes on everything else. */
export function answerRefusals(
  error: unknown,
  _request: IncomingMessage,
  response: ServerResponse,
  next: Next,
): void {
  if (!(error instanceof AccessError) || response.headersSent) {
    next(error);
    return;
  }
  response.writeHead(error.statusCode, { ...error.headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(error));
}

export type { AccessOptions } from './requests/guard.ts';
export { identityOf, memberOf } from './requests/identified.ts';
export { recheck } from './requests/recheck.ts';
