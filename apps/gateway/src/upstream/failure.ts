import { errors } from 'undici';

/** What went wrong with a service: it cannot be reached, says nothing, or breaks off or talks nonsense. */
export type FailureKind = 'unreachable' | 'silent' | 'broken';

/** An exchange with a service that did not come to its end. */
export interface UpstreamFailure {
  readonly kind: FailureKind;
  readonly cause: Error;
}

/** An answer that undici accepts and the gateway does not. */
export class InvalidResponse extends Error {
  readonly code = 'INVALID_RESPONSE';
}

/** Tells what an error of undici means; `sent`: whether the request had been handed to a connection. */
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

/** A kept connection may turn out to be dead just as a request is about to be put on it. */
const isOfIdleConnection = (cause: NodeJS.ErrnoException): boolean => cause.syscall === 'read';
