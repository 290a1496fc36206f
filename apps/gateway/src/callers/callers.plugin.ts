import { addressKey } from '@tenantry/service/addresses';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from './caller.ts';
import type { KnownDirectories, PresentedDirectory } from './known-directories.ts';
import type { KnownUsers } from './known-users.ts';
import type { PresentedKey, ServiceTokens } from './service-tokens.ts';
import { tokenOf } from './token.http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as far as known; see {@link identifyCallers}. */
    caller: Caller;
    /** The key of a service account that it brings as a bearer token. */
    key: PresentedKey | undefined;
    /** The token of a directory that it brings as a bearer token. */
    directory: PresentedDirectory | undefined;
  }
}

interface CallersOptions {
  readonly users: KnownUsers | undefined;
  /** Undefined if no route leads to auth-service, which exchanges keys. */
  readonly keys: ServiceTokens | undefined;
  readonly directories: KnownDirectories;
}

/**
 * Sets the caller of each request: its address and, once its access token has been verified, its user. Of a request with a key
 * that has been exchanged it is the service account, and of one with the token of a directory its organization.
 */
export const identifyCallers = fp(
  async (app: FastifyInstance, { users, keys, directories }: CallersOptions) => {
    app.decorateRequest('caller');
    app.decorateRequest('key', undefined);
    app.decorateRequest('directory', undefined);
    app.addHook('onRequest', (request, _reply, done) => {
      const address = addressKey(request.ip);
      const token = tokenOf(request);
      const bearer = request.headers.authorization === undefined ? undefined : token;
      request.key = bearer === undefined ? undefined : keys?.read(bearer);
      request.directory = bearer === undefined ? undefined : directories.read(bearer);
      if (request.key) {
        request.caller = { address, user: keys?.accountOf(request.key) };
        done();
        return;
      }
      if (request.directory) {
        request.caller = { address, user: directories.find(request.directory) };
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
      const isKnown = user !== undefined || refusedSessionId !== undefined;
      const isSettled = isKnown || request.key !== undefined || request.directory !== undefined;
      const token = isSettled ? undefined : tokenOf(request);
      if (token !== undefined) users.learn(token);
      done();
    });
  },
  { name: 'learned-callers', dependencies: ['callers', 'request-limits'] },
);
