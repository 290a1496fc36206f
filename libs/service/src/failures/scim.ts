import { ApiError, type ErrorCode, type Refusal } from '@tenantry/envelope';

/** The kinds of errors of SCIM 2.0: RFC 7644, 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness';

/** The media type of SCIM: RFC 7644, 8.1. */
export const scimMediaType = 'application/scim+json';

/**
 * A refusal that tells a directory its kind.
 *
 * @example throw new ScimError('CONFLICT', 'uniqueness', 'This userName belongs to somebody else.');
 */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(code: ErrorCode, scimType: ScimType, detail: string) {
    super(code, detail);
    this.scimType = scimType;
  }
}

/** The body of a refusal as SCIM has it: RFC 7644, 3.12. The status is text there. */
export function scimFailure(refusal: Refusal): object {
  const { statusCode, message: detail } = refusal;
  const scimType = scimTypeOf(refusal);
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(statusCode),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}

/** The kind of a refusal, as SCIM names it. A request that none of our rules has refused is not well-formed. */
export function scimTypeOf(refusal: Refusal): ScimType | undefined {
  if (refusal instanceof ScimError) return refusal.scimType;
  return refusal.statusCode === 400 ? 'invalidSyntax' : undefined;
}
