import { ApiError, failure, type ErrorDetail } from '@tenantry/envelope';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InvalidRequest } from '../validation/findings.ts';
import { wholeRefusal } from '../validation/request-parts.ts';
import { databaseFault, type DatabaseFault } from './database-faults.ts';
import { describeError } from '../logging.ts';

/** What any refusal tells the client. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a service writes a refusal down: in the envelope, or plain as the auth endpoints do. */
export type FailureFormat = 'envelope' | 'plain';

/** The body of a refusal. */
export function failureBody(format: FailureFormat, refusal: Refusal, requestId: string): object {
  if (format === 'envelope') return failure(refusal, requestId);
  const { code, message, details } = refusal;
  return { code, message, ...(details?.length ? { details } : {}), requestId };
}

/** Answers every error of a service in one place: known refusals as they are, anything else as INTERNAL. */
export function answerFailures(app: FastifyInstance, format: FailureFormat): void {
  app.setErrorHandler((error: unknown, request, reply) => sendFailure(error, request, reply, format));
}

/** Sends one failure; logs it when it is the service's own. */
export function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  format: FailureFormat,
) {
  const refusal = error instanceof InvalidRequest ? wholeRefusal(error, request) : refusalOf(error);
  if (refusal.statusCode >= 500) logFailure(error, refusal, request);
  // Fastify would close the connection on a body that it did not read to its end, and the reset that follows could
  // overtake this answer. What is left of the body is dropped, within bounds.
  reply.removeHeader('connection');
  return reply
    .code(refusal.statusCode)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failureBody(format, refusal, request.id));
}

/** A refusal on purpose, as by a full queue, explains itself: under a flood its stack costs more than the answer. */
function logFailure(error: unknown, refusal: Refusal, { log }: FastifyRequest): void {
  const { code, message } = refusal;
  if (!(error instanceof ApiError)) log.error({ err: error, code }, 'request failed');
  else log.warn({ code, reason: message, ...causeOf(error) }, 'request refused');
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
  return frameworkRefusals[(error as FastifyError | undefined)?.code ?? ''] ?? internal;
}

const retryAfter = { headers: { 'retry-after': '1' } };
const databaseRefusals: Readonly<Record<DatabaseFault, ApiError>> = {
  unavailable: new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The service is temporarily unavailable. Try again shortly.',
    retryAfter,
  ),
  // Not the outage of a dependency: the database answers, and this request took longer than it may.
  'too-slow': new ApiError(
    'DEADLINE_EXCEEDED',
    'The request took too long and was cancelled. Try again, or ask for less.',
    retryAfter,
  ),
  contention: new ApiError(
    'CONFLICT',
    'Other changes were made at the same moment, and nothing was changed. Try again.',
    retryAfter,
  ),
  'not-unique': new ApiError('CONFLICT', 'This exists already: a value that must be unique is in use.'),
};
const internal = new ApiError(
  'INTERNAL',
  'Something went wrong on our side. Report the request id if it persists.',
);
const unsupportedMediaType = new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
const malformed = (field: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `The ${field} ${message}.`, {
    details: [{ field, rule: 'wellFormed', message }],
  });

/** Fastify's own errors, by code. */
const frameworkRefusals: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The body is larger than this endpoint accepts.',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  // QUERY is the one method that must name the type of a body even when it brings none: RFC 10008, 2.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed('body', 'is not as long as Content-Length says'),
  FST_ERR_CTP_INVALID_JSON_BODY: malformed('body', 'is not valid JSON'),
  FST_ERR_BAD_URL: malformed('path', 'is not validly percent-encoded'),
};

/** `ApiError` and the errors of other libraries that say for themselves what is public (`expose`). */
function isRefusal(error: unknown): error is Refusal {
  if (error instanceof ApiError) return true;
  if (!(error instanceof Error)) return false;
  const { expose, code, statusCode } = error as Partial<Refusal> & { expose?: unknown };
  return expose === true && typeof code === 'string' && typeof statusCode === 'number';
}
