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
    /** How it was counted; undefined if it was not, or no longer. */
    counted: Count | undefined;
    /** To be called when its access token has been refused. */
    onTokenRefused(): void;
    /** To be called when it has been let in: the token of a directory, if it brought one, is known from then on. */
    onTokenTaken(): void;
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
    app.decorateRequest('counted', undefined);
    // Methods, since V8 keeps objects with functions of their own until the next full collection: a third of what requests leave.
    app.decorateRequest('onTokenRefused', function (this: FastifyRequest) {
      if (this.counted) refused(this, this.counted);
    });
    app.decorateRequest('onTokenTaken', function (this: FastifyRequest) {
      if (this.counted && this.directory) directories.keep(this.directory);
    });
    app.addHook('onRequest', (request, _reply, done) => {
      if (probes.has(request.originalUrl)) done();
      else {
        limits.count(request.caller).then((counted) => {
          request.counted = counted;
          done();
        }, done);
      }
    });

    function refused(request: FastifyRequest, counted: Count): void {
      request.counted = undefined;
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
