import { ApiError, invalidField } from '@tenantry/envelope';

/** The body is not a picture that PDFs can contain. */
export const unusableLogo = (message: string): ApiError =>
  invalidField({ field: 'body', rule: 'image', message });

/** There is no logo, or the organization is not the caller's. */
export const logoNotFound = (): ApiError => new ApiError('NOT_FOUND', 'The organization has no logo.');
