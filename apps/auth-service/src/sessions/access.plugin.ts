import { permissions, type Permission } from '@tenantry/contracts';
import { authorize } from '@tenantry/jwt-verify';
import type {} from '@tenantry/jwt-verify/fastify';
import { sessionCookies, takeCookieSession } from '@tenantry/service/browser';
import type { AccessChecks } from '@tenantry/service/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actingIn, organizationOfPath, type Ground } from '../ground/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { Principal } from './session.ts';
import { sessionConfined } from './sessions.errors.ts';
import type { Sessions } from './sessions.ts';
import type { CarriedSession } from './start.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every route that is not public. */
    principal: Principal;
  }
  interface FastifyContextConfig {
    /** Whether a session may use the route that is confined to an organization. Without it none may. */
    confined?: true;
  }
}

interface SessionAccessDependencies extends Pick<Ground, 'origins'> {
  readonly tokens: Pick<Tokens, 'accessTokens'>;
  readonly sessions: Pick<Sessions, 'refresh' | 'refreshTokens' | 'resolve' | 'requireHere'>;
}

/** The checks, and two for public routes that a signed-in user may call as well. */
export interface SessionAccess extends AccessChecks {
  readonly alsoSignedIn: (request: FastifyRequest) => Promise<void>;
  /**
   * The live session whose bearer token or cookies come with a sign-in, if any. It grants nothing: the sign-in replaces it
   * instead of adding another session of the same user and device.
   */
  readonly carriedBy: (request: FastifyRequest) => Promise<CarriedSession | undefined>;
}

/** Documents the refusal on routes that confined sessions may not use. */
export function documentConfinement(app: FastifyInstance): void {
  app.addHook('onRoute', ({ config }) => {
    const access = config?.access;
    if (!config || access === undefined || access === 'public' || access === 'internal') return;
    if (config.confined !== true) config.errors = [...(config.errors ?? []), sessionConfined()];
  });
}

/** Their bodies are not read. */
const readsOnly: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The checks behind `config.access`: the token is verified as in other services, and its session is also looked up. So in this
 * service an ended session is refused immediately, and the role is the current one.
 *
 * A route with `:organizationId` in its path is about that organization, with the role held there. To a caller who is
 * not a member it is 404, like one that does not exist. So it is to a session that is confined to another one.
 */
export function sessionAccess({ tokens, sessions, origins }: SessionAccessDependencies): SessionAccess {
  async function admit(request: FastifyRequest) {
    const identity = await tokens.accessTokens.authenticate(request);
    const organizationId = organizationOfPath(request) ?? identity.organizationId;
    request.identity = { ...identity, organizationId };
    request.principal = await sessions.resolve(request.identity, identity.organizationId);
    // Detects a stolen cookie.
    if (request.byCookie) await sessions.requireHere(request.principal, request.client);
    const { confinement } = request.principal.session;
    if (confinement !== null && request.routeOptions.config.confined !== true) throw sessionConfined();
    return identity;
  }

  /** Requests whose bodies were still arriving when they were let in, and by which check. */
  const late = new WeakMap<FastifyRequest, (request: FastifyRequest) => Promise<void>>();

  function check(letIn: (request: FastifyRequest) => Promise<void>) {
    return async (request: FastifyRequest) => {
      await letIn(request);
      if (!request.raw.complete && !readsOnly.has(request.method)) late.set(request, letIn);
    };
  }

  const hold = (permission: Permission) => async (request: FastifyRequest) => {
    const identity = await admit(request);
    if (organizationOfPath(request) !== undefined) actingIn(request.principal);
    const { organization } = request.principal;
    const held = { organizationId: organization?.id ?? null, role: organization?.role ?? null };
    authorize({ ...identity, ...held }, permission, permissions);
  };

  async function byBearer(request: FastifyRequest): Promise<CarriedSession | undefined> {
    try {
      return await tokens.accessTokens.authenticate(request);
    } catch (error) {
      if ((error as { statusCode?: unknown }).statusCode === 401) return undefined;
      throw error;
    }
  }

  /** Found by the cookie that outlives the access token. */
  async function byCookies({ cookies, client }: FastifyRequest): Promise<CarriedSession | undefined> {
    const refreshToken = sessions.refreshTokens.read(sessionCookies(cookies).refresh);
    return refreshToken && sessions.refresh.holderOf({ refreshToken, client });
  }

  return {
    carriedBy: (request) =>
      request.headers.authorization === undefined ? byCookies(request) : byBearer(request),
    signedIn: check(async (request) => {
      await admit(request);
    }),
    async alsoSignedIn(request) {
      takeCookieSession(request, origins);
      await admit(request);
    },
    requires: (permission) => check(hold(permission)),
    async recheck(request: FastifyRequest) {
      await late.get(request)?.(request);
    },
  };
}
