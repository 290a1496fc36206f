import { invalidField } from '@tenantry/envelope';
import { authorize } from '@tenantry/jwt-verify';
import type { AccessChecks } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Tokens } from '../tokens/tokens.ts';
import type { Membership, Principal } from './session.ts';
import { organizationNotFound } from './sessions.errors.ts';
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
  readonly sessions: Pick<Sessions, 'resolve'>;
}

/**
 * The checks behind `config.access`: the token is verified as everywhere, and its session looked up besides. Here,
 * where sessions live, one that has ended is refused at once, and the role is the one held now.
 *
 * A route with `:organizationId` in its path is about that organization: the caller acts in it, with the role held
 * there. One that the caller is no member of is 404, like one that does not exist.
 */
export function sessionAccess({ tokens, sessions }: SessionAccessDependencies): AccessChecks {
  async function admit(request: FastifyRequest) {
    const identity = await tokens.authenticate(request);
    const organizationId = organizationOfPath(request);
    request.principal = await sessions.resolve(
      organizationId === undefined ? identity : { ...identity, organizationId },
    );
    if (organizationId !== undefined && request.principal.organization === null) throw organizationNotFound();
    return identity;
  }

  return {
    async signedIn(request: FastifyRequest) {
      await admit(request);
    },
    requires: (permission) => async (request: FastifyRequest) => {
      const identity = await admit(request);
      const { organization } = request.principal;
      const held = { organizationId: organization?.id ?? null, role: organization?.role ?? null };
      authorize({ ...identity, ...held }, permission);
    },
  };
}

/** The organization that the caller acts in, where the route needs one. */
export function actingIn({ organization }: Principal): Membership {
  if (organization === null) throw organizationNotFound();
  return organization;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function organizationOfPath({ params }: FastifyRequest): string | undefined {
  const { organizationId } = params as { organizationId?: string };
  // The schema is asked later than this.
  if (organizationId !== undefined && !uuid.test(organizationId)) {
    throw invalidField('organizationId', 'must be a UUID');
  }
  return organizationId;
}
