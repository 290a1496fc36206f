import type { ServerResponse } from 'node:http';
import { ApiError, invalidField } from '@tenantry/envelope';
import {
  failureBody,
  refusalOf,
  standardHeaders,
  type FailureFormat,
  type Logger,
} from '@tenantry/service-kit';
import type { UpstreamFailure } from '../upstream/failure.ts';
import { AmbiguousRequest } from './request-headers.ts';

/** No address of the service takes the request: it has not been sent, and may be sent again. */
export const unreachable = (cause?: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'This service cannot be reached just now. Try again shortly.', {
    statusCode: 503,
    headers: { 'retry-after': '1' },
    cause,
  });

const silent = (cause: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'This service did not answer in time.', { statusCode: 504, cause });

const broken = (cause: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'This service broke off before it answered.', {
    statusCode: 502,
    cause,
  });

/** The client is the one that is slow: RFC 9110, 15.5.9. */
export const requestTimeout = (): ApiError =>
  new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.', {
    statusCode: 408,
    headers: { connection: 'close' },
  });

/** What the client hears of a service's failure. */
export function refusalFor({ kind, cause }: UpstreamFailure): ApiError {
  if (kind === 'unreachable') return unreachable(cause);
  return kind === 'silent' ? silent(cause) : broken(cause);
}

/** TRACE shows a client what others, proxies of ours among them, have added: RFC 9110, 9.3.8. */
export const traceRefused = (): ApiError => new ApiError('METHOD_NOT_ALLOWED', 'TRACE is not answered here.');

/** The refusal of a path that could be read in two ways. */
export const invalidPath = (problem: string): ApiError =>
  invalidField({ field: 'path', rule: 'wellFormed', message: problem });

/** Where and how a refusal is written. */
export interface RefusalTarget {
  readonly response: ServerResponse;
  readonly format: FailureFormat;
  readonly requestId: string;
  /** Which origin may read the answer. */
  readonly corsHeaders: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly production: boolean;
  readonly isDraining: () => boolean;
}

/** Answers in the service's stead. */
export function refuse(error: unknown, target: RefusalTarget): void {
  const { response, format, requestId, corsHeaders, logger, production, isDraining } = target;
  if (response.headersSent || response.destroyed) return;
  const ambiguous = error instanceof AmbiguousRequest;
  const refusal = refusalOf(
    ambiguous ? invalidField({ field: error.field, rule: 'wellFormed', message: error.message }) : error,
  );
  if (refusal.statusCode >= 500) {
    logger.error({ err: error, code: refusal.code, status: refusal.statusCode, requestId }, 'request failed');
  }
  const body = JSON.stringify(failureBody(format, refusal, requestId));
  response.writeHead(refusal.statusCode, {
    ...standardHeaders(production),
    ...corsHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(ambiguous || isDraining() ? { connection: 'close' } : {}),
    ...refusal.headers,
  });
  response.end(body);
}
