/** What a key of a service account begins with. */
export const apiKeyPrefix = 'tak_';

/** Where a key is exchanged for an access token: the only route of auth-service that takes one. */
export const serviceTokenPath = '/api/auth/service-token';
