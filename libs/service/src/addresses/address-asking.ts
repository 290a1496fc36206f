import { askedFrom } from '@tenantry/fair-shares';
import type { FastifyInstance } from 'fastify';
import { addressKey } from './address-key.ts';

/** Serves each request on behalf of its client address, by which resources are shared. */
export function answerByAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => askedFrom(addressKey(request.ip), done));
  // A body arrives in the context of its connection, which may serve many clients of a proxy.
  app.addHook('preValidation', (request, _reply, done) => askedFrom(addressKey(request.ip), done));
}
