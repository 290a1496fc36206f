import type { Permission } from '@tenantry/contracts';
import type {} from '@tenantry/jwt-verify/fastify';
import type {
  FastifyInstance,
  RouteOptions,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { routeName } from './methods.ts';

/**
 * Who may call a route: anyone (`public`), any signed-in user (`signed-in`), a peer service (`internal`), or
 * a member with a permission such as `leads:write`.
 */
export type RouteAccess = 'public' | 'signed-in' | 'internal' | Permission;

/** A check lets the request in or throws. */
export type AccessCheck = onRequestHookHandler | onRequestAsyncHookHandler;

/** Asks again what a check has asked, when the body is whole. */
export type AccessRecheck = preValidationHookHandler | preValidationAsyncHookHandler;

/** The checks behind the declarations, one onRequest hook each. */
export interface AccessChecks {
  readonly signedIn: AccessCheck;
  readonly requires: (permission: Permission) => AccessCheck;
  readonly internal?: AccessCheck;
  /** A body may take a minute: what ended meanwhile acts no more. Peers are trusted for as long as they take. */
  readonly recheck: AccessRecheck;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required on every route: a route without it does not boot. */
    access?: RouteAccess;
  }
}

/** What {@link enforceAccess} needs to know. */
export interface AccessOptions {
  readonly checks?: AccessChecks | undefined;
  /** Prefixes whose routes come from a third party's plugin and are public, for example `/docs`. */
  readonly publicPrefixes?: readonly string[] | undefined;
}

/**
 * Default deny: gives every route the check that it declares, when headers arrive and again when the body is whole, and refuses
 * to boot a route that declares none.
 * ASVS 5.0, 8.3.1: authorization is enforced at a trusted service layer.
 */
export function enforceAccess(app: FastifyInstance, { checks, publicPrefixes = [] }: AccessOptions): void {
  // Gives all requests one object shape; the check of a route sets it.
  app.decorateRequest('identity', null);
  app.addHook('onRoute', (route) => {
    const thirdParty = publicPrefixes.some(
      (prefix) => route.url === prefix || route.url.startsWith(`${prefix}/`),
    );
    const access = route.config?.access ?? (thirdParty ? 'public' : undefined);
    const check = checkFor(access, checks, route);
    if (!check) return;
    route.onRequest = [check, ...[route.onRequest ?? []].flat()];
    if (checks && access !== 'internal') {
      route.preValidation = [checks.recheck, ...[route.preValidation ?? []].flat()];
    }
  });
}

function checkFor(
  access: RouteAccess | undefined,
  checks: AccessChecks | undefined,
  route: RouteOptions,
): AccessCheck | undefined {
  if (access === 'public') return undefined;
  const name = routeName(route);
  if (access === undefined) {
    throw new Error(
      `${name} declares no access: set config.access to a permission, 'signed-in' or 'public'.`,
    );
  }
  const check = checks && checkOf(access, checks);
  if (!check)
    throw new Error(`${name} asks for '${access}', and the service was built without a check for it.`);
  return check;
}

function checkOf(access: Exclude<RouteAccess, 'public'>, checks: AccessChecks): AccessCheck | undefined {
  if (access === 'signed-in') return checks.signedIn;
  if (access === 'internal') return checks.internal;
  return checks.requires(access);
}
