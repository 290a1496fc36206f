/** Where a key is exchanged for an access token: the only route of auth-service that takes one. */
export const serviceTokenPath = '/api/auth/service-token';
