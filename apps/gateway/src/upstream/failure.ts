import { ApiError } from '@tenantry/envelope';
import { errors } from 'undici';

/** How a service failed: it cannot be reached, times out, closes the connection early or sends an invalid response. */
export type FailureKind = 'unreachable' | 'silent' | 'broken';

/** The outcome of an exchange with a service; `full` if no instance could take it. */
export type Outcome = 'answered' | FailureKind | 'full';

/** Counts of exchanges since the process began. */
export type Outcomes = Record<Outcome, number>;

/** No exchange yet. */
export const noOutcomes = (): Outcomes => ({ answered: 0, unreachable: 0, silent: 0, broken: 0, full: 0 });

/** An exchange with a service that failed. */
export interface UpstreamFailure {
  readonly kind: FailureKind;
  readonly cause: Error;
}

/** An answer that undici accepts and the gateway does not. */
export class InvalidResponse extends Error {
  readonly code = 'INVALID_RESPONSE';
}

/** Classifies an error of undici; `sent`: whether the request had been passed to a connection. */
export function failureOf(cause: Error, sent: boolean): UpstreamFailure {
  return { kind: kindOf(cause, sent), cause };
}

function kindOf(cause: Error, sent: boolean): FailureKind {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError)
    return 'silent';
  return sent || isOfIdleConnection(cause) || cause instanceof errors.InvalidArgumentError
    ? 'broken'
    : 'unreachable';
}

/** A kept-alive connection may turn out to be dead just as a request is written to it. */
const isOfIdleConnection = (cause: NodeJS.ErrnoException): boolean => cause.syscall === 'read';

/** Nothing has been sent, so the client may retry. */
export const notSent = (message: string, cause: unknown): ApiError => {
  const headers = { 'retry-after': '1' };
  return new ApiError('UPSTREAM_UNAVAILABLE', message, { statusCode: 503, headers, cause });
};

/** No instance accepts the request. */
export const unreachable = (cause?: unknown): ApiError =>
  notSent('This service cannot be reached right now. Try again shortly.', cause);
