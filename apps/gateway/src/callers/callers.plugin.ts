import { addressKey } from '@tenantry/service/addresses';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from './caller.ts';
import type { KnownUsers } from './known-users.ts';
import { tokenOf } from './token.http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as far as known; see {@link identifyCallers}. */
    caller: Caller;
  }
}

/** Sets the caller of each request: its address and, once its access token has been verified, its user. */
export const identifyCallers = fp(
  async (app: FastifyInstance, { users }: { readonly users: KnownUsers | undefined }) => {
    app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      const token = users && tokenOf(request);
      const address = addressKey(request.ip);
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
      const token = user || refusedSessionId !== undefined ? undefined : tokenOf(request);
      if (token !== undefined) users.learn(token);
      done();
    });
  },
  { name: 'learned-callers', dependencies: ['callers', 'request-limits'] },
);
