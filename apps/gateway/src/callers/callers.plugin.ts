import { addressKey } from '@tenantry/service/addresses';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from './caller.ts';
import type { KnownUsers } from './known-users.ts';
import type { PresentedKey, ServiceTokens } from './service-tokens.ts';
import { tokenOf } from './token.http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as far as known; see {@link identifyCallers}. */
    caller: Caller;
    /** The key of a service account that it brings as a bearer token. */
    key: PresentedKey | undefined;
  }
}

interface CallersOptions {
  readonly users: KnownUsers | undefined;
  /** Undefined if no route leads to auth-service, which exchanges keys. */
  readonly keys: ServiceTokens | undefined;
}

/**
 * Sets the caller of each request: its address and, once its access token has been verified, its user. Of a request with a key
 * that has been exchanged it is the service account.
 */
export const identifyCallers = fp(
  async (app: FastifyInstance, { users, keys }: CallersOptions) => {
    app.decorateRequest('caller');
    app.decorateRequest('key', undefined);
    app.addHook('onRequest', (request, _reply, done) => {
      const address = addressKey(request.ip);
      const token = tokenOf(request);
      const isBearer = request.headers.authorization !== undefined;
      request.key = token !== undefined && isBearer ? keys?.read(token) : undefined;
      if (request.key) {
        request.caller = { address, user: keys?.accountOf(request.key) };
        done();
        return;
      }
      const known = token === undefined ? undefined : users?.find(token);
      request.caller = known?.isRefused
        ? { address, refusedSessionId: known.user.sessionId }
        : { address, user: known?.user };
      done();
    });
  },
  { name: 'callers', dependencies: ['ambiguity', '@fastify/cookie'] },
);

/** Verifies the tokens of admitted requests, for their next use. */
export const learnCallers = fp(
  async (app: FastifyInstance, { users }: { readonly users: KnownUsers }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const { user, refusedSessionId } = request.caller;
      const isSettled = user !== undefined || refusedSessionId !== undefined || request.key !== undefined;
      const token = isSettled ? undefined : tokenOf(request);
      if (token !== undefined) users.learn(token);
      done();
    });
  },
  { name: 'learned-callers', dependencies: ['callers', 'request-limits'] },
);
