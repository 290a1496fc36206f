import { ApiError } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnsafe } from '../routes/methods.ts';

/**
 * Headers that request a guarantee: that a request is executed once, or only on the given version. If a route does not support
 * it, ignoring the header would silently break the guarantee.
 */
const promises: Readonly<Record<string, { readonly name: string; readonly isKeptBy: KeepsPromise }>> = {
  // Safe requests may be repeated anyway (RFC 9110, 9.2.2), and a conditional read can always be answered in full.
  'idempotency-key': { name: 'Idempotency-Key', isKeptBy: isSafe },
  'if-none-match': { name: 'If-None-Match', isKeptBy: isSafe },
  'if-unmodified-since': { name: 'If-Unmodified-Since', isKeptBy: isSafe },
  'if-match': { name: 'If-Match', isKeptBy: () => false },
};
type KeepsPromise = (request: FastifyRequest) => boolean;

function isSafe({ method }: FastifyRequest): boolean {
  return !isUnsafe(method);
}

const promised = Object.entries(promises);

/** Refuses a request with one of these headers to an operation that does not declare it. */
export function refuseIgnoredHeaders(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    for (const [header, { name, isKeptBy }] of promised) {
      if (request.headers[header] === undefined || isDeclared(request, header) || isKeptBy(request)) continue;
      done(ignoredHeader(header, name));
      return;
    }
    done();
  });
}

/** Routes without an operationId are no operations: the gateway's, and pages for people. */
function isDeclared({ routeOptions }: FastifyRequest, header: string): boolean {
  const { operationId, headers } = routeOptions.schema ?? {};
  if (operationId === undefined) return true;
  const { properties = {} } = (headers ?? {}) as { readonly properties?: object };
  return header in properties;
}

const ignoredHeader = (field: string, name: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `This operation does not support ${name}. Send the request without it.`, {
    details: [{ field, rule: 'supported', message: 'is not supported by this operation' }],
  });
