import type { Codes, CommonCode, OperationId, Reasons } from './generated/operations.ts';
import type { ErrorDetail } from './generated/types.ts';

/** Codes of the client itself: there was no response, or one that is not Tenantry's. */
export type ClientCode = 'OFFLINE' | 'UNREADABLE_ANSWER';

/** The codes that a call of an operation may reject with. */
export type CodeOf<Id extends OperationId> = CommonCode | Codes[Id] | ClientCode;

/** The codes that any call may reject with. */
export type ErrorCode = CodeOf<OperationId>;

/** The reasons of a code; never where it has none. */
export type ReasonOf<Code> = Code extends keyof Reasons ? Reasons[Code] : never;

/** The contents of a {@link TenantryError}. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly reason?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly requestId?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Marks errors, so that those of another copy of this library or another realm are recognized. */
const mark = Symbol.for('@tenantry/client/TenantryError');

/** A call that failed. Check `code` and `reason`; `message` is for developers.
 *
 * @example
 * try {
 *   await tenantry.createOrganization({ body: { name, slug } });
 * } catch (error) {
 *   if (isErrorOf(error, 'createOrganization') && error.code === 'SLUG_TAKEN') chooseAnother();
 *   else throw error;
 * }
 */
export class TenantryError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'TenantryError';
  declare readonly operationId: OperationId;
  declare readonly code: Code;
  /** Refines the code where advice differs. */
  declare readonly reason: ReasonOf<Code> | undefined;
  /** The HTTP status; 0 if there was no response. */
  declare readonly status: number;
  /** The invalid fields and the rules that they break. */
  declare readonly details: readonly ErrorDetail[];
  /** To name when you report a problem. */
  declare readonly requestId: string | undefined;
  /** When to try again, if the response says so. */
  declare readonly retryAfterSeconds: number | undefined;

  constructor(operationId: OperationId, refusal: Refusal) {
    super(refusal.message ?? refusal.code);
    Object.assign(this, { operationId, status: 0, details: [], [mark]: true }, refusal);
  }
}

/** Whether an error is one of this client's. */
export function isTenantryError(error: unknown): error is TenantryError {
  return typeof error === 'object' && error !== null && mark in error;
}

/** Whether an error is a {@link TenantryError}; narrows its code to those of an operation. */
export function isErrorOf<Id extends OperationId>(
  error: unknown,
  id: Id,
): error is TenantryError<CodeOf<Id>> {
  return isTenantryError(error) && error.operationId === id;
}

interface ErrorBody extends Partial<Refusal> {
  readonly error?: Partial<Refusal> | null;
  readonly meta?: { readonly requestId?: string };
}

/** Reads an error response, in the envelope or plain; any other is not Tenantry's. */
export function errorOf(id: OperationId, response: Response, body: unknown): TenantryError {
  const { error, meta, ...plain } = (body ?? {}) as ErrorBody;
  const { headers, status } = response;
  return new TenantryError(id, {
    code: 'UNREADABLE_ANSWER',
    requestId: meta?.requestId ?? headers.get('x-request-id') ?? undefined,
    ...(error ?? plain),
    status,
    retryAfterSeconds: Number(headers.get('retry-after')) || undefined,
  });
}
