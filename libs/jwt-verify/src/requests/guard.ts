import {
  authenticateNow,
  authorizeBy,
  readsGoOn,
  requireRecentFactor,
  requireUser,
  type AuthenticateOptions,
  type BearerRequest,
  type RecentFactor,
} from './access.ts';
import { isPending, type Identity } from '../tokens/identity.ts';
import type { Admit } from './recheck.ts';
import { assertPermission, type Named, type Permissions } from '../tokens/permissions.ts';
import type { Verifier } from '../verifier/verifier.ts';

/** The options of `jwtAccess` in every adapter. */
export interface AccessOptions<Name extends string = never> extends AuthenticateOptions {
  /** Your permissions: a table of roles, or a rule. Default: none. */
  readonly permissions?: (Permissions<Name> & Named<Name>) | undefined;
}

/** Lets an identity pass, or throws an {@link AccessError}. */
export type Check = (identity: Identity) => void;

/** The basis of every adapter: it identifies the caller, and checks a route's requirements. */
export interface Guard<Name extends string> {
  /** Gives the caller, or throws or rejects with an {@link AccessError}. */
  readonly identify: Admit<BearerRequest>;
  /** As `identify`, and checks the caller. */
  readonly admitting: (check: Check) => Admit<BearerRequest>;
  /** Throws at once when there is no such permission. */
  readonly permission: (name: Name) => Check;
  readonly user: Check;
  readonly recentFactor: (required: RecentFactor) => Check;
}

/** Creates the guard of one verifier. */
export function createGuard<Name extends string>(
  verifier: Verifier,
  options: AccessOptions<Name>,
): Guard<Name> {
  const { onStale = readsGoOn } = options;
  const by: Permissions<string> = (options.permissions as Permissions<string> | undefined) ?? {};
  const identify: Admit<BearerRequest> = (request) => authenticateNow(verifier, request, onStale);
  return {
    identify,
    admitting: (check) => {
      const pass = (identity: Identity): Identity => {
        check(identity);
        return identity;
      };
      return (request) => {
        const identity = identify(request);
        return isPending(identity) ? identity.then(pass) : pass(identity);
      };
    },
    permission(name) {
      assertPermission(name, by);
      return (identity) => authorizeBy(identity, name, by);
    },
    user: requireUser,
    recentFactor: (required) => (identity) =>
      requireRecentFactor(identity, { clock: verifier.clock.now, ...required }),
  };
}
