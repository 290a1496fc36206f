import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import {
  assertMember,
  authenticateNow,
  authorize,
  readsGoOn,
  requireRecentFactor,
  type AccessOptions,
  type RecentFactor,
} from './access.ts';
import type { Identity, Member } from './identity.ts';
import { assertPermission, type Permission } from './permissions.ts';
import type { Verifier } from './verifier.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null on a public route. On any other, {@link identityOf} gives it without the null. */
    identity: Identity | null;
  }
}

/**
 * Who is calling, on a route behind `signedIn`, `requires` or `requiresRecentFactor`. Throws on a public route, where
 * nobody has been asked.
 *
 * @example app.get('/me', { onRequest: signedIn }, async (request) => identityOf(request).userId);
 */
export function identityOf(request: FastifyRequest): Identity {
  // Null, or undefined where nothing decorates the requests.
  if (request.identity) return request.identity;
  throw new Error(
    'This route is public, so nobody is known to call it: guard it with signedIn or requires(…).',
  );
}

/**
 * As {@link identityOf}, with the active organization: on a route behind `requires` there always is one. Throws a
 * 403 {@link AccessError} where none is active.
 *
 * @example app.get('/leads', { onRequest: requires('leads:read') }, async (request) => leadsOf(memberOf(request).organizationId));
 */
export function memberOf(request: FastifyRequest): Member {
  const identity = identityOf(request);
  assertMember(identity);
  return identity;
}

/** Plain `onRequest` hooks that let a request in or refuse it with an {@link AccessError}. */
export interface Access {
  /** Lets in whoever shows a valid token. */
  readonly signedIn: onRequestHookHandler;
  /** Lets in who has this permission in the active organization; throws when there is no such permission. */
  readonly requires: (permission: Permission) => onRequestHookHandler;
  /** Lets in who authenticated recently; give it after `requires` where both are wanted. */
  readonly requiresRecentFactor: (required: RecentFactor) => onRequestHookHandler;
}

/**
 * Makes the hooks for one verifier. Each sets `request.identity`.
 *
 * @example
 * const access = jwtAccess(verifier);
 * app.get('/leads', { onRequest: access.requires('leads:read') }, listLeads);
 */
export function jwtAccess(verifier: Verifier, options: AccessOptions = {}): Access {
  return accessBy(identifyWith(verifier, options));
}

/** What the plugin {@link jwtVerify} is registered with. */
export interface JwtVerifyOptions extends AccessOptions {
  readonly verifier: Verifier;
}

/**
 * The plugin: gives this instance and all below it `request.identity` and a verifier for the hooks
 * {@link signedIn}, {@link requires} and {@link requiresRecentFactor}. It guards no route by itself.
 *
 * @example
 * await app.register(jwtVerify, { verifier });
 * app.get('/leads', { onRequest: requires('leads:read') }, async (request) => listLeads(memberOf(request)));
 */
export async function jwtVerify(
  app: FastifyInstance,
  { verifier, ...options }: JwtVerifyOptions,
): Promise<void> {
  // Decorating gives all requests one object shape; the value is set by the hook of each route.
  app.decorateRequest('identity', null);
  app.decorate(identifyKey, identifyWith(verifier, options));
}

// What the package fastify-plugin sets: the decorators belong to the instance that registers.
Object.assign(jwtVerify, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@tenantry/jwt-verify',
  [Symbol.for('plugin-meta')]: { name: '@tenantry/jwt-verify', fastify: '5.x' },
});

type Identify = (request: FastifyRequest) => Identity | Promise<Identity>;

const identifyKey = Symbol('jwt-verify: identify');

const registered = accessBy((request) => {
  const { [identifyKey]: identify } = request.server as { [identifyKey]?: Identify };
  if (identify === undefined) throw new Error('Register the plugin jwtVerify before this route.');
  return identify(request);
});

/** A hook that lets in whoever shows a valid token. Needs the plugin {@link jwtVerify}. */
export const signedIn: onRequestHookHandler = registered.signedIn;

/** A hook that lets in who has this permission in the active organization. Needs {@link jwtVerify}. */
export const requires: Access['requires'] = registered.requires;

/** A hook that lets in who authenticated recently (RFC 9470). Needs the plugin {@link jwtVerify}. */
export const requiresRecentFactor: Access['requiresRecentFactor'] = registered.requiresRecentFactor;

function identifyWith(verifier: Verifier, { onStale = readsGoOn }: AccessOptions): Identify {
  return (request) => authenticateNow(verifier, request, onStale);
}

function accessBy(identify: Identify): Access {
  return {
    signedIn: hook(identify, () => undefined),
    requires: (permission) => {
      assertPermission(permission);
      return hook(identify, (identity) => authorize(identity, permission));
    },
    requiresRecentFactor: (required) => hook(identify, (identity) => requireRecentFactor(identity, required)),
  };
}

/** A callback hook: a promise is made only when a key must be fetched. */
function hook(identify: Identify, check: (identity: Identity) => void): onRequestHookHandler {
  return (request, _reply, done) => {
    const letIn = (identity: Identity): void => {
      request.identity = identity;
      check(identity);
    };
    try {
      // Two hooks of one route identify once.
      const identity = request.identity ?? identify(request);
      if (identity instanceof Promise) {
        void identity.then(letIn).then(() => done(), done);
        return;
      }
      letIn(identity);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}
