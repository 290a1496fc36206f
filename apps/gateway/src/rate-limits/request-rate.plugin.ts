import { addressKey } from '@tenantry/service/addresses';
import { isPreflight } from '@tenantry/service/browser';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { KnownDirectories } from '../callers/known-directories.ts';
import type { KnownUsers } from '../callers/known-users.ts';
import { tokenOf } from '../callers/token.http.ts';
import type { ServiceTokens } from '../callers/service-tokens.ts';
import type { Count, RequestLimits } from './request-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** To be called when the request's access token has been refused; undefined if it was not counted by one. */
    onTokenRefused: (() => void) | undefined;
    /** To be called when the token of a directory has been taken. */
    onTokenTaken: (() => void) | undefined;
  }
}

/** Probes of supervisors and load balancers: other requests of their address must not make an instance look dead. */
const probes = new Set(['/api/health/live', '/api/health/ready']);

interface RequestRateOptions {
  readonly limits: RequestLimits;
}

interface TokenRateOptions extends RequestRateOptions {
  readonly users: KnownUsers | undefined;
  readonly keys: ServiceTokens | undefined;
  readonly directories: KnownDirectories;
}

/**
 * Limits the requests of each caller, unknown paths included. A request whose token a service refuses, such as that of an ended
 * session, is no longer charged to the session and its user, nor are later ones with the same token, even if its user was not
 * known yet.
 */
export const limitRequests = fp(
  async (app: FastifyInstance, { limits, users, keys, directories }: TokenRateOptions) => {
    app.decorateRequest('onTokenRefused', undefined);
    app.decorateRequest('onTokenTaken', undefined);
    app.addHook('onRequest', (request, _reply, done) => {
      if (probes.has(request.originalUrl)) done();
      else {
        limits.count(request.caller).then((counted) => {
          request.onTokenRefused = () => refused(request, counted);
          const { directory } = request;
          if (directory) request.onTokenTaken = () => directories.keep(directory);
          done();
        }, done);
      }
    });

    function refused(request: FastifyRequest, counted: Count): void {
      request.onTokenRefused = undefined;
      const { caller, key, directory } = request;
      const { user, address } = caller;
      const token = tokenOf(request);
      if (key) keys?.drop(key);
      else if (directory) directories.drop(directory);
      else if (token !== undefined) users?.distrust(token);
      if (user) void limits.moveToRefused(counted, user.sessionId, address);
    }
  },
  { name: 'request-limits', dependencies: ['callers'] },
);

/** Limits preflights; the hook that answers them comes after it and ends the request. */
export const limitPreflights = fp(
  async (app: FastifyInstance, { limits }: RequestRateOptions) => {
    app.addHook('onRequest', ({ method, headers, ip }, _reply, done) => {
      if (isPreflight(method, headers)) limits.consumePreflight(addressKey(ip)).then(() => done(), done);
      else done();
    });
  },
  { name: 'preflight-limits', dependencies: ['ambiguity'] },
);
