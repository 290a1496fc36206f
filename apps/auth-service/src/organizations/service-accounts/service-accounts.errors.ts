import { apiKeysMax, serviceAccountsMax } from '@tenantry/contracts';
import { ApiError, invalidField } from '@tenantry/envelope';

/** The account does not exist, or belongs to another organization. */
export function serviceAccountNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no service account with this id.');
}

/** The key does not exist, or belongs to another account. */
export function apiKeyNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The service account has no key with this id.');
}

/** @see serviceAccountsMax */
export function tooManyServiceAccounts(): ApiError {
  return new ApiError(
    'QUOTA_EXCEEDED',
    `The organization has ${serviceAccountsMax} service accounts, and nothing was changed. Delete one first.`,
    { statusCode: 409, reason: 'SERVICE_ACCOUNTS' },
  );
}

/** @see apiKeysMax */
export function tooManyKeys(): ApiError {
  return new ApiError(
    'QUOTA_EXCEEDED',
    `The service account has ${apiKeysMax} keys, and nothing was changed. Delete one first.`,
    { statusCode: 409, reason: 'API_KEYS' },
  );
}

/** A permission that the role of the account does not have. */
export function permissionAboveRole(field: string): ApiError {
  return invalidField({ field, rule: 'allowed', message: 'is above the role of the service account' });
}

/** The names together would make tokens too long. */
export function tooManyPermissions(charactersMax: number): ApiError {
  const message = `must have at most ${charactersMax} characters together; leave it out for everything that the role may`;
  return invalidField({
    field: 'permissions',
    rule: 'maxLength',
    params: { limit: charactersMax },
    message,
  });
}

/** A key without an end, or with one too far away. */
export function expiryOutOfRange(daysMax: number): ApiError {
  const message = `must lie ahead, within ${daysMax} days`;
  return invalidField({ field: 'expiresAt', rule: 'range', message });
}
