/**
 * The error vocabulary of the business APIs: code to HTTP status.
 *
 * The codes are part of the published interface; a service adds its own (`LEAD_NOT_FOUND` is
 * answered as `NOT_FOUND`) by choosing one of these, never by inventing a status.
 */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_USER_AUTHENTICATION: 401,
  FORBIDDEN: 403,
  NO_ACTIVE_ORGANIZATION: 403,
  USER_REQUIRED: 403,
  SIGN_IN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INVALID_TRANSITION: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UPSTREAM_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

/** A code of the shared vocabulary, for example `VALIDATION_ERROR`. */
export type ErrorCode = keyof typeof errorStatus;

/** One invalid field of the request. */
export interface ErrorDetail {
  /** The field, such as `items[3].unitPrice`. */
  readonly field: string;
  /** The rule that it breaks: a JSON Schema keyword such as `maxLength`, or a rule of the service. */
  readonly rule: string;
  /** Parameters of the rule, for clients that show their own messages: `{ limit: 100 }`. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** The message in English, to follow the field's name: `must be at most 100 characters`. */
  readonly message: string;
}

/** Options of an {@link ApiError}. */
export interface ApiErrorOptions {
  /** Distinguishes the causes of a code, such as `TOKEN_EXPIRED` of `UNAUTHENTICATED`. */
  readonly reason?: string;
  /** The invalid fields, in the order of the request. */
  readonly details?: readonly ErrorDetail[];
  /** HTTP status, if the code has several (`UPSTREAM_UNAVAILABLE` is 502, 503 or 504). */
  readonly statusCode?: number;
  /** Response headers of the error, such as `retry-after` or `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The internal reason: logged, never sent. */
  readonly cause?: unknown;
}

/**
 * A refusal meant for the client: everything in it but `cause` is public.
 *
 * A code of the vocabulary brings its own status; a code of a service's own names one.
 *
 * @example throw new ApiError('NOT_FOUND', 'No lead has this id.');
 * @example throw new ApiError('SLUG_TAKEN', 'Choose another slug.', { statusCode: 409 });
 */
export class ApiError extends Error {
  readonly code: string;
  readonly statusCode: number;
  readonly reason: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  /** The error may be shown to the client. */
  readonly expose = true;

  constructor(code: ErrorCode, message: string, options?: ApiErrorOptions);
  constructor(code: string, message: string, options: ApiErrorOptions & { readonly statusCode: number });
  constructor(code: string, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.statusCode = options.statusCode ?? errorStatus[code as ErrorCode];
    this.reason = options.reason;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

/** Creates the error for one invalid field of a well-formed request.
 *
 * @example throw invalidField({ field: 'slug', rule: 'unique', message: 'is taken' });
 */
export function invalidField(detail: ErrorDetail): ApiError {
  return new ApiError('VALIDATION_ERROR', `The request is not valid: ${detail.field} ${detail.message}.`, {
    details: [detail],
  });
}
