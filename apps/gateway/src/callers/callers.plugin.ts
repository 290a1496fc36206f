import { addressKey } from '@tenantry/service-kit/addresses';
import { sessionCookies } from '@tenantry/service-kit/browser';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from './caller.ts';
import type { KnownUsers } from './known-users.ts';

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
      request.caller = {
        address: addressKey(request.ip),
        userId: token === undefined ? undefined : users?.userOf(token),
      };
      done();
    });
  },
  { name: 'callers', dependencies: ['ambiguity', '@fastify/cookie'] },
);

/** Verifies the tokens of admitted requests, for their next use. */
export const learnCallers = fp(
  async (app: FastifyInstance, { users }: { readonly users: KnownUsers }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const token = request.caller.userId === undefined ? tokenOf(request) : undefined;
      if (token !== undefined) users.learn(token);
      done();
    });
  },
  { name: 'learned-callers', dependencies: ['callers', 'request-limits'] },
);

const scheme = 'Bearer ';

function tokenOf({ headers, cookies }: FastifyRequest): string | undefined {
  const { authorization, cookie } = headers;
  if (authorization === undefined) return cookie === undefined ? undefined : sessionCookies(cookies).access;
  const given = authorization.slice(0, scheme.length).toLowerCase();
  return given === scheme.toLowerCase() ? authorization.slice(scheme.length) : undefined;
}
