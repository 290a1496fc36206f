import { ApiError, failure, internal, isRefusal, nothingHere, type Refusal } from '@tenantry/envelope';
import { refusalsOfFastify } from '@tenantry/envelope/fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../logging/logging.ts';
import { InvalidRequest } from '../validation/findings.ts';
import { wholeRefusal } from '../validation/request-parts.ts';
import { clientGone, isBrokenOff } from './client-gone.ts';
import { databaseFault } from './database-faults.ts';
import { declares } from './operation-refusals.ts';
import { databaseRefusals, expectationFailed } from './refusals.ts';
import { scimFailure, scimMediaType } from './scim.ts';
import { unknownWordIn } from './vocabulary.ts';

/** The format of errors: in the envelope, plain as with the auth endpoints, or as SCIM has them. */
export type FailureFormat = 'envelope' | 'plain' | 'scim';

/** The format of an error, by the requested path if it could be read. */
export type FailureFormatOf = (path: string) => FailureFormat;

/** The body of a refusal. */
export function failureBody(format: FailureFormat, refusal: Refusal, requestId: string): object {
  if (format === 'envelope') return failure(refusal, requestId);
  if (format === 'scim') return scimFailure(refusal);
  const { code, message, reason, details } = refusal;
  const more = { ...(reason === undefined ? {} : { reason }), ...(details?.length ? { details } : {}) };
  return { code, message, ...more, requestId };
}

/** The media type of such a body. */
export const failureMediaType = (format: FailureFormat): string =>
  format === 'scim' ? scimMediaType : 'application/json; charset=utf-8';

/** Handles all errors of a service in one place: known errors are sent as they are, anything else as INTERNAL. */
export function answerFailures(app: FastifyInstance, formatOf: FailureFormatOf): void {
  app.setErrorHandler((error: unknown, request, reply) => sendFailure(error, request, reply, formatOf));
  // Fastify would close the connection of a body that was not read to its end, and the reset could overtake the response. The
  // rest of the body is read and dropped, within limits.
  app.addHook('onError', (_request, reply, _error, done) => {
    reply.removeHeader('connection');
    done();
  });
}

/** Sends an error; logs it if it is the service's fault. */
export function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  formatOf: FailureFormatOf,
) {
  const format = formatOf(request.originalUrl.split('?', 1)[0] ?? '');
  const refusal = refusalIn(error, request);
  if (refusal.statusCode >= 500) logFailure(error, refusal, request);
  logUndeclared(refusal, request);
  return reply
    .code(refusal.statusCode)
    .headers(refusal.headers ?? {})
    .type(failureMediaType(format))
    .serializer(JSON.stringify)
    .send(failureBody(format, refusal, request.id));
}

/** The part of an error that the client sees. */
export function refusalIn(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof InvalidRequest) return wholeRefusal(error, request);
  // The error of an aborted request looks like one of a database connection.
  return isBrokenOff(request) && !isRefusal(error) ? clientGone : refusalOf(error);
}

/** A deliberate refusal, for example by a full queue, needs no stack, which under a flood would cost more than the response. */
function logFailure(error: unknown, refusal: Refusal, { log }: FastifyRequest): void {
  const { code, message } = refusal;
  if (!(error instanceof ApiError)) log.error({ err: error, code }, 'request failed');
  else log.warn({ code, reason: message, ...causeOf(error) }, 'request refused');
}

/** Errors that belong to no operation. */
const ofHttp: ReadonlySet<Refusal> = new Set([nothingHere, expectationFailed, clientGone]);

/** An error missing from the document is a defect of the document. */
function logUndeclared(refusal: Refusal, { log, routeOptions }: FastifyRequest): void {
  const { code, statusCode } = refusal;
  if (routeOptions.config.isDescribed !== true || ofHttp.has(refusal)) return;
  const unknown = unknownWordIn(refusal);
  if (unknown === undefined && declares(routeOptions, refusal)) return;
  log.warn({ code, status: statusCode, unknown }, "a refusal that the operation's errors do not declare");
}

function causeOf({ cause }: ApiError): object {
  if (cause === undefined) return {};
  const { type, code, message } = describeError(cause);
  return { cause: { type, code, message } };
}

/** What the client may know of an error. */
export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  const fault = databaseFault(error);
  if (fault) return databaseRefusals[fault];
  return refusalsOfFastify[(error as FastifyError | undefined)?.code ?? ''] ?? internal;
}
