import { authorize } from '@tenantry/jwt-verify';
import type { AccessChecks } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import { actingIn, organizationOfPath } from '../organizations/path-organization.ts';
import type { Tokens } from '../tokens/access-tokens/access-tokens.ts';
import type { Principal } from './session.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set on every route that is not public. */
    principal: Principal;
  }
}

/** What the checks need. */
export interface SessionAccessDependencies {
  readonly tokens: Pick<Tokens, 'authenticate'>;
  readonly sessions: Pick<Sessions, 'resolve' | 'requireHere'>;
}

/** The checks; `signedIn` also for a public route that serves whoever is signed in as well. */
export interface SessionAccess extends AccessChecks {
  readonly signedIn: (request: FastifyRequest) => Promise<void>;
}

/**
 * The checks behind `config.access`: the token is verified as everywhere, and its session looked up besides. Here,
 * where sessions live, one that has ended is refused at once, and the role is the one held now.
 *
 * A route with `:organizationId` in its path is about that organization, with the role held there. One that the
 * caller is no member of is 404, like one that does not exist.
 */
export function sessionAccess({ tokens, sessions }: SessionAccessDependencies): SessionAccess {
  async function admit(request: FastifyRequest) {
    const identity = await tokens.authenticate(request);
    const organizationId = organizationOfPath(request) ?? identity.organizationId;
    request.principal = await sessions.resolve({ ...identity, organizationId });
    // Whoever stole a cookie uses it from elsewhere.
    if (request.byCookie) await sessions.requireHere(request.principal, request.client);
    return identity;
  }

  return {
    async signedIn(request: FastifyRequest) {
      await admit(request);
    },
    requires: (permission) => async (request: FastifyRequest) => {
      const identity = await admit(request);
      if (organizationOfPath(request) !== undefined) actingIn(request.principal);
      const { organization } = request.principal;
      const held = { organizationId: organization?.id ?? null, role: organization?.role ?? null };
      authorize({ ...identity, ...held }, permission);
    },
  };
}
