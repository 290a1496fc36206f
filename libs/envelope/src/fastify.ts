import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from './envelopes.ts';
import { ApiError, errorStatus, type ErrorDetail } from './errors.ts';
import {
  internal,
  isRefusal,
  malformed,
  nothingHere,
  payloadTooLarge,
  unsupportedMediaType,
  type Refusal,
} from './refusals.ts';

/**
 * An error handler of Fastify 4 and 5: answers refusals in the envelope, those of your own, of `@tenantry/jwt-verify`
 * and of Fastify. Anything else is logged, and answered as INTERNAL.
 *
 * @example app.setErrorHandler(answerFailures);
 */
export function answerFailures(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.statusCode >= 500) request.log.error({ err: error, code: refusal.code }, 'request failed');
  void reply
    .code(refusal.statusCode)
    .headers(refusal.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failure(refusal, request.id));
}

/**
 * A handler of Fastify for unknown paths.
 *
 * @example app.setNotFoundHandler(answerUnknownPath);
 */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): void {
  answerFailures(nothingHere, request, reply);
}

/** What the client may know of an error that a handler, a plugin or Fastify itself threw. */
export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  const { code = '', validation, validationContext = 'request' } = (error ?? {}) as Partial<FastifyError>;
  if (validation !== undefined) return invalidRequest(validation, validationContext);
  return refusalsOfFastify[code] ?? refusalByStatus(error) ?? internal;
}

/** What the client may know of Fastify's own errors, by their code. */
export const refusalsOfFastify: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: payloadTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  // QUERY is the one method that must name the type of a body even when it brings none: RFC 10008, 2.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed('body', 'is not as long as Content-Length says'),
  FST_ERR_CTP_INVALID_JSON_BODY: malformed('body', 'is not valid JSON'),
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed('body', 'is empty'),
  FST_ERR_BAD_URL: malformed('path', 'is not validly percent-encoded'),
};

/** By the convention of Fastify, an error with such a status is meant for the client: that of a rate limit, for example. */
function refusalByStatus(error: unknown): Refusal | undefined {
  const { statusCode, message } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined;
  const [code = 'VALIDATION_ERROR'] =
    Object.entries(errorStatus).find(([, status]) => status === statusCode) ?? [];
  return new ApiError(code, message ?? '', { statusCode });
}

type Finding = NonNullable<FastifyError['validation']>[number];

/** Everything that Ajv found. */
function invalidRequest(findings: readonly Finding[], part: string): Refusal {
  const details = findings.map((finding) => detailOf(finding, part));
  const summary = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ApiError('VALIDATION_ERROR', `The request is not valid: ${summary.slice(0, 500)}.`, { details });
}

function detailOf({ instancePath, keyword, params, message }: Finding, part: string): ErrorDetail {
  const named = params['missingProperty'] ?? params['additionalProperty'];
  const keys = [...instancePath.split('/').slice(1), ...(typeof named === 'string' ? [named] : [])];
  const field = keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
      '',
    );
  return { field: field || part, rule: keyword, message: wordings[keyword] ?? message ?? 'is not valid' };
}

/** Where Ajv names the field itself. */
const wordings: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not a known field',
};
