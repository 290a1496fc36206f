export { ApiError, errorStatus, invalidField } from './errors.ts';
export type { ApiErrorOptions, ErrorCode, ErrorDetail } from './errors.ts';
export {
  internal,
  isRefusal,
  malformed,
  nothingHere,
  payloadTooLarge,
  unsupportedMediaType,
  type Refusal,
} from './refusals.ts';
export { failure, page, success } from './envelopes.ts';
export type { Failure, Page, PageMeta, PublicError, RequestMeta, Success } from './envelopes.ts';
export {
  ErrorDetailSchema,
  FailureSchema,
  PageMetaSchema,
  PageOf,
  ReasonSchema,
  RequestMetaSchema,
  SuccessOf,
  SuccessWithMeta,
} from './schemas.ts';
