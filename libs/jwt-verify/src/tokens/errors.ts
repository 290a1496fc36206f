/** Why a token was refused or could not be checked: code to HTTP status and public message. */
const refusals = {
  TOKEN_MALFORMED: [401, 'The access token is not a well-formed JSON Web Token.'],
  TOKEN_TOO_LARGE: [401, 'The access token is larger than 8 KiB.'],
  TOKEN_ALGORITHM_REFUSED: [401, 'The access token is not signed with ES256.'],
  TOKEN_EXTENSION_REFUSED: [401, 'The access token requires an extension that is not supported.'],
  TOKEN_TYPE_REFUSED: [401, 'The token is not an access token.'],
  TOKEN_KEY_UNKNOWN: [401, 'The access token is signed with an unknown key.'],
  TOKEN_SIGNATURE_INVALID: [401, 'The signature of the access token is not valid.'],
  TOKEN_CLAIM_INVALID: [401, 'A claim of the access token is missing or not accepted'],
  TOKEN_NOT_YET_VALID: [401, 'The access token is not valid yet.'],
  TOKEN_EXPIRED: [401, 'The access token has expired. Refresh the session.'],
  TOKEN_REVOKED: [401, 'The access token has been revoked. Refresh the session, or sign in again.'],
  KEYS_UNAVAILABLE: [503, 'Access tokens cannot be verified right now. Try again shortly.'],
  CLOCK_AHEAD: [503, 'Access tokens cannot be verified right now: the clock of this service is wrong.'],
  REVOCATIONS_UNAVAILABLE: [503, 'Session revocations cannot be checked right now. Try again shortly.'],
} as const satisfies Record<string, readonly [401 | 503, string]>;

/** The code of a {@link TokenError}: stable, part of the published interface. */
export type TokenErrorCode = keyof typeof refusals;

/** HTTP response headers that belong to a refusal, names in lower case. */
export type RefusalHeaders = Readonly<Record<string, string>>;

/** Seconds after which a client may try again when tokens cannot be checked. */
const retryAfterSeconds = 5;

function challenge(error: string, description: string, more = ''): RefusalHeaders {
  return { 'www-authenticate': `Bearer error="${error}", error_description="${description}"${more}` };
}

/** By these marks `instanceof` also knows an error that another copy of this library made, or one of another realm. */
const tokenError = Symbol.for('@tenantry/jwt-verify/TokenError');
const accessError = Symbol.for('@tenantry/jwt-verify/AccessError');

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === 'object' && value !== null && mark in value;
}

/** Options of a {@link TokenError}. */
export interface TokenErrorDetails {
  /** The claim that was refused. */
  readonly claim?: string;
  /** For the log alone. */
  readonly cause?: unknown;
}

/**
 * A token that {@link Verifier.verify} does not accept (401), or cannot judge (503).
 *
 * The message is safe to show: it names a claim, never its value. `cause` is for the log alone.
 *
 * @example if (error instanceof TokenError && error.code === 'TOKEN_EXPIRED') await refresh();
 */
export class TokenError extends Error {
  override readonly name: string = 'TokenError';
  readonly code: TokenErrorCode;
  readonly statusCode: 401 | 503;
  /** `WWW-Authenticate` (RFC 6750 section 3) with 401, `Retry-After` with 503. */
  readonly headers: RefusalHeaders;
  /** Code, status, message and headers may be shown to the client. */
  readonly expose = true;
  /** The claim that was refused, with `TOKEN_CLAIM_INVALID`. */
  readonly claim: string | undefined;

  static {
    Object.defineProperty(this.prototype, tokenError, { value: true });
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === TokenError ? isMarked(value, tokenError) : super[Symbol.hasInstance](value);
  }

  constructor(code: TokenErrorCode, { claim, ...options }: TokenErrorDetails = {}) {
    const [statusCode, message] = refusals[code];
    super(claim === undefined ? message : `${message}: ${claim}.`, options);
    this.code = code;
    this.statusCode = statusCode;
    this.claim = claim;
    this.headers =
      statusCode === 401
        ? challenge('invalid_token', this.message)
        : { 'retry-after': String(retryAfterSeconds) };
  }
}

/** The code of an {@link AccessError}: what a business API answers in `error.code`. */
export type AccessErrorCode =
  | 'UNAUTHENTICATED'
  | 'INSUFFICIENT_USER_AUTHENTICATION'
  | 'FORBIDDEN'
  | 'NO_ACTIVE_ORGANIZATION'
  | 'USER_REQUIRED'
  | 'UPSTREAM_UNAVAILABLE';

/**
 * Why a request is not let in, where one code has several causes: what a client acts on.
 *
 * - `TOKEN_MISSING`: sign in.
 * - `TOKEN_EXPIRED`: refresh the session, and repeat the request.
 * - `TOKEN_REVOKED`: the same; when the refresh fails, sign in.
 * - any other code of a {@link TokenError}: with 401 sign in, with 503 try again.
 * - `SECOND_FACTOR_REQUIRED`: confirm a second factor, and repeat the request with the new token.
 * - `SIGN_IN_REQUIRED`: the user has none: sign in again.
 * - `ORGANIZATION_NOT_ACTIVE`: switch to the organization that the request names, and repeat it with the new token.
 */
export type AccessErrorReason =
  | TokenErrorCode
  | 'TOKEN_MISSING'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SIGN_IN_REQUIRED'
  | 'ORGANIZATION_NOT_ACTIVE';

/**
 * A request that is not let in: everything in it but `cause` may be sent to the client.
 *
 * @example response.writeHead(error.statusCode, error.headers).end(JSON.stringify(error));
 */
export class AccessError extends Error {
  override readonly name: string = 'AccessError';
  readonly code: AccessErrorCode;
  readonly statusCode: 401 | 403 | 503;
  /** Distinguishes the causes of the code; undefined if it has only one. */
  readonly reason: AccessErrorReason | undefined;
  /** `WWW-Authenticate` (RFC 6750, RFC 9470) or `Retry-After`, whichever belongs to the refusal. */
  readonly headers: RefusalHeaders;
  /** Code, status, message and headers may be shown to the client. */
  readonly expose = true;

  static {
    Object.defineProperty(this.prototype, accessError, { value: true });
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isMarked(value, accessError);
  }

  private constructor(
    code: AccessErrorCode,
    message: string,
    answer: {
      statusCode: 401 | 403 | 503;
      headers: RefusalHeaders;
      reason?: AccessErrorReason;
      cause?: unknown;
    },
  ) {
    super(message, answer.cause === undefined ? undefined : { cause: answer.cause });
    this.code = code;
    this.statusCode = answer.statusCode;
    this.reason = answer.reason;
    this.headers = answer.headers;
  }

  /** The body of the answer, in every adapter. */
  toJSON(): { code: AccessErrorCode; message: string; reason?: AccessErrorReason } {
    const { code, message, reason } = this;
    return { code, message, ...(reason && { reason }) };
  }

  /** No bearer token came with the request. RFC 6750 section 3.1: such a challenge carries no error code. */
  static signInRequired(): AccessError {
    return new AccessError('UNAUTHENTICATED', 'Sign in: send an access token as a bearer token.', {
      statusCode: 401,
      headers: { 'www-authenticate': 'Bearer' },
      reason: 'TOKEN_MISSING',
    });
  }

  /** The token was refused, or could not be judged; `cause` is the {@link TokenError}. */
  static ofToken(error: TokenError): AccessError {
    const code = error.statusCode === 401 ? 'UNAUTHENTICATED' : 'UPSTREAM_UNAVAILABLE';
    const { statusCode, headers } = error;
    return new AccessError(code, error.message, { statusCode, headers, reason: error.code, cause: error });
  }

  /** The role of the signed-in user does not have the permission, or the key of the service account. */
  static forbidden(permission: string, holder = 'your role'): AccessError {
    const message = `This needs the permission ${permission}, which ${holder} does not have.`;
    return new AccessError('FORBIDDEN', message, {
      statusCode: 403,
      headers: challenge('insufficient_scope', message),
    });
  }

  /** The token has no active organization. */
  static noActiveOrganization(): AccessError {
    const message = 'No organization is active. Switch to one of your organizations first.';
    return new AccessError('NO_ACTIVE_ORGANIZATION', message, { statusCode: 403, headers: {} });
  }

  /** The caller is a service account. Nothing that a program can repeat, so no challenge. */
  static userRequired(): AccessError {
    const message = 'This needs a signed-in user: a key of a service account cannot do it.';
    return new AccessError('USER_REQUIRED', message, { statusCode: 403, headers: {} });
  }

  /** The request names an organization, and another one is active. */
  static otherOrganization(): AccessError {
    return new AccessError('FORBIDDEN', 'Another organization is active. Switch to this one first.', {
      statusCode: 403,
      headers: {},
      reason: 'ORGANIZATION_NOT_ACTIVE',
    });
  }

  /** The user's authentication is older than the operation allows (RFC 9470). */
  static staleAuthentication(
    maxAgeSeconds: number,
    reason: 'SECOND_FACTOR_REQUIRED' | 'SIGN_IN_REQUIRED' = 'SIGN_IN_REQUIRED',
  ): AccessError {
    const message = `Confirm it is you: this needs an authentication at most ${maxAgeSeconds} seconds old.`;
    const level = reason === 'SECOND_FACTOR_REQUIRED' ? 'aal2' : 'aal1';
    const wanted = `, acr_values="${level}", max_age="${maxAgeSeconds}"`;
    return new AccessError('INSUFFICIENT_USER_AUTHENTICATION', message, {
      statusCode: 401,
      headers: challenge('insufficient_user_authentication', message, wanted),
      reason,
    });
  }
}
