import type { Socket } from 'node:net';
import { invalidField } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { targetProblem } from '../routing/request-target.ts';
import { readClientHeaders, type ClientHeaders } from './request-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sorted by {@link refuseAmbiguity}. */
    clientHeaders: ClientHeaders;
  }
}

interface AmbiguityOptions {
  /** Counts refused requests, since later limits do not see them; rejects beyond the limit. */
  readonly count: (request: FastifyRequest) => Promise<unknown>;
}

/**
 * Refuses requests whose framing, Host or path the gateway and a service could interpret differently, before anything else
 * reads them. Their end may be ambiguous, so no further request is read from the connection.
 */
export const refuseAmbiguity = fp(
  async (app: FastifyInstance, { count }: AmbiguityOptions) => {
    /** Connections to close once the refusal is written. */
    const condemned = new WeakSet<Socket>();
    app.decorateRequest('clientHeaders');

    app.addHook('onRequest', (request, reply, done) => {
      const { raw } = request;
      if (condemned.has(raw.socket)) {
        reply.hijack();
        return;
      }
      const refuse = (refusal: Error): void => {
        count(request).then(() => done(refusal), done);
      };
      try {
        request.clientHeaders = readClientHeaders(raw.rawHeaders, raw.httpVersion);
      } catch (error) {
        condemned.add(raw.socket);
        refuse(error as Error);
        return;
      }
      const problem = targetProblem(raw);
      if (problem === undefined) done();
      else refuse(invalidField({ field: 'path', rule: 'wellFormed', message: problem }));
    });
  },
  { name: 'ambiguity' },
);
