import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import type { RecentFactor } from './requests/access.ts';
import { AccessError } from './tokens/errors.ts';
import { createGuard, type AccessOptions, type Check } from './requests/guard.ts';
import { admitBy, recheckNow } from './requests/recheck.ts';
import { isPending, type Identity } from './tokens/identity.ts';
import type { Verifier } from './verifier/verifier.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null on a public route. On any other, {@link identityOf} gives it without the null. */
    identity: Identity | null;
  }

  interface FastifyContextConfig {
    /** Anyone may call this route, also below {@link Access.protect}. */
    public?: boolean;
  }
}

/** The result of {@link jwtAccess}: a plugin that protects all routes, and hooks for single routes. */
export interface Access<Name extends string = never> {
  /**
   * A plugin: every route of the instance that registers it, and of those below, needs a valid token, unless its
   * `config` says `public: true`. Requests for unknown routes need one too. Each request is checked when its headers
   * arrive, and again, with all that its route requires, when its body is whole.
   */
  readonly protect: FastifyPluginAsync;
  /** A hook that lets in anyone with a valid token. */
  readonly signedIn: onRequestHookHandler;
  /** A hook for users with this permission in their active organization; throws if there is no such permission. */
  readonly requires: (permission: Name) => onRequestHookHandler;
  /** A hook for users, and not for keys of service accounts; a permission is required of both alike. */
  readonly requiresUser: onRequestHookHandler;
  /** A hook for users who authenticated recently (RFC 9470); put it after `requires` if you use both. */
  readonly requiresRecentFactor: (required: RecentFactor) => onRequestHookHandler;
  /**
   * A `preValidation` hook that asks again what the hooks before it asked: the body is whole by then. {@link protect}
   * contains it; without that, add it beside your `onRequest` hooks.
   */
  readonly recheck: preValidationHookHandler;
}

/**
 * Protects the routes of Fastify with a verifier. A request that is refused fails with an {@link AccessError}; one
 * that is let in has its `request.identity`.
 *
 * @example
 * const access = jwtAccess(verifier, { permissions: { owner: ['invoices:read'], member: ['invoices:read'] } });
 * await app.register(access.protect);
 * app.get('/health', { config: { public: true } }, async () => 'healthy');
 * app.get('/invoices', { onRequest: access.requires('invoices:read') }, async (request) =>
 *   invoicesOf(memberOf(request).organizationId),
 * );
 */
export function jwtAccess<Name extends string = never>(
  verifier: Verifier,
  options: AccessOptions<Name> = {},
): Access<Name> {
  const guard = createGuard(verifier, options);

  const hook = (check: Check): onRequestHookHandler => {
    // Asked by every hook, which the cache makes cheap: another verifier may have set request.identity.
    const admit = guard.admitting(check);
    return (request, _reply, done) => {
      proceed(
        () => admitBy(request, admit),
        (identity) => (request.identity = identity),
        done,
      );
    };
  };

  const signedIn = hook(() => undefined);
  return {
    protect: protectAll(signedIn),
    signedIn,
    recheck,
    requires: (permission) => hook(guard.permission(permission)),
    requiresUser: hook(guard.user),
    requiresRecentFactor: (required) => hook(guard.recentFactor(required)),
  };
}

/** Continues a hook: a promise is made only when a key must be fetched. */
function proceed(
  ask: () => Identity | Promise<Identity> | undefined,
  then: (identity: Identity) => unknown,
  done: (error?: Error) => void,
): void {
  try {
    const identity = ask();
    if (identity !== undefined && isPending(identity)) {
      void identity.then(then).then(() => done(), done);
      return;
    }
    if (identity !== undefined) then(identity);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

const recheck: preValidationHookHandler = (request, _reply, done) => {
  // Their bodies are not read.
  if (request.method === 'GET' || request.method === 'HEAD') done();
  else
    proceed(
      () => recheckNow(request),
      () => undefined,
      done,
    );
};

/** A hook of the instance covers its routes whenever they are declared, and those of the plugins below it. */
function protectAll(signedIn: onRequestHookHandler): FastifyPluginAsync {
  const protect = async (app: FastifyInstance): Promise<void> => {
    // Decorating gives all requests one object shape.
    if (!app.hasRequestDecorator('identity')) app.decorateRequest('identity', null);
    app.addHook('onRequest', function (request, reply, done) {
      if (request.routeOptions.config.public === true) done();
      else signedIn.call(this, request, reply, done);
    });
    app.addHook('preValidation', recheck);
  };
  // What the package fastify-plugin sets: the hook belongs to the instance that registers.
  return Object.assign(protect, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: '@tenantry/jwt-verify',
    [Symbol.for('plugin-meta')]: { name: '@tenantry/jwt-verify', fastify: '>=4.10' },
  });
}

/**
 * An error handler: answers an {@link AccessError} as `{ code, message, reason? }`, and leaves everything else to the
 * handler of the instance above, or to Fastify.
 *
 * @example app.setErrorHandler(answerRefusals);
 */
export function answerRefusals(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof AccessError)) throw error;
  void reply.code(error.statusCode).headers(error.headers).send(error.toJSON());
}

export type { AccessOptions } from './requests/guard.ts';
export { identityOf, memberOf } from './requests/identified.ts';
export { recheck } from './requests/recheck.ts';
