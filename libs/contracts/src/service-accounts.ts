/** The most service accounts of an organization. */
export const serviceAccountsMax = 20;

/** The most keys of a service account. */
export const apiKeysMax = 5;

/** What a key of a service account begins with. */
export const apiKeyPrefix = 'tak_';

/** Where a key is exchanged for an access token: the only route of auth-service that takes one. */
export const serviceTokenPath = '/api/auth/service-token';
