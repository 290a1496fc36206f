import { ApiError } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnsafe } from '../safe-methods.ts';

/**
 * Headers by which a client asks for a promise: that a request is done once, or only to the version that it names. Where a
 * route makes no such promise, ignoring the header would break it in silence.
 */
const promises: Readonly<Record<string, { readonly name: string; readonly isKeptBy: KeepsPromise }>> = {
  // What is safe may be repeated anyway (RFC 9110, 9.2.2), and a reader who has no copy is sent one.
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
