import { ApiError, type ErrorDetail } from './errors.ts';

/**
 * What any refusal tells the client: an {@link ApiError}, and an error of another library that says by `expose` that it
 * is public, such as the `AccessError` of `@tenantry/jwt-verify`.
 */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly reason?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether an error is meant for the client. */
export function isRefusal(error: unknown): error is Refusal {
  if (typeof error !== 'object' || error === null) return false;
  const { expose, code, message, statusCode } = error as Partial<Refusal> & { readonly expose?: unknown };
  return (
    expose === true &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    typeof statusCode === 'number'
  );
}

/** An unexpected error of the service. */
export const internal = new ApiError(
  'INTERNAL',
  'Something went wrong on our side. Report the request id if it persists.',
);

/** The error for a path that does not exist. */
export const nothingHere = new ApiError('NOT_FOUND', 'There is nothing at this path.');

/** The error for a body that is too large. */
export const payloadTooLarge = new ApiError(
  'PAYLOAD_TOO_LARGE',
  'The body is larger than this endpoint accepts.',
);

/** The error for a body that is not JSON. */
export const unsupportedMediaType = new ApiError(
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the body as application/json.',
);

/** The error for a part of a request that cannot be parsed: `malformed('body', 'is not valid JSON')`. */
export function malformed(part: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `The ${part} ${message}.`, {
    details: [{ field: part, rule: 'wellFormed', message }],
  });
}
