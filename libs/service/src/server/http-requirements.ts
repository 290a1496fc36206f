import type { FastifyInstance, FastifyRequest } from 'fastify';
import { expectationFailed, hostMissing } from '../failures/refusals.ts';

/**
 * Refuses requests that node:http would refuse by itself, without a body and before any hook: HTTP/1.1 without Host (RFC 9112,
 * 3.2), and unknown expectations (RFC 9110, 10.1.1). It runs after every onRequest hook, so that limits count these too.
 */
export function refuseUnmetRequirements(app: FastifyInstance): void {
  const unmet = new WeakSet<object>();
  app.server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', ({ raw }: FastifyRequest, _reply, _payload, done) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') done(hostMissing);
    else if (raw.headers.expect !== undefined && unmet.has(raw)) done(expectationFailed);
    else done();
  });
}
