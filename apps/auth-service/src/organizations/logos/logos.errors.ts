import { ApiError, invalidField } from '@tenantry/envelope';

/** The body is not a picture that documents can show. */
export const unusableLogo = (message: string): ApiError =>
  invalidField({ field: 'body', rule: 'image', message });

/** There is none, or the organization is not yours. */
export const logoNotFound = (): ApiError => new ApiError('NOT_FOUND', 'The organization has no logo.');
