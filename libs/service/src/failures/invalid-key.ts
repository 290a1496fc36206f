import { ApiError } from '@tenantry/envelope';
import type { FastifyInstance } from 'fastify';

/** The key of a service account is not valid: one answer for one that is unknown, expired or deleted. */
export function invalidKey(): ApiError {
  const message = 'This key is not valid: it was deleted, has expired, or never existed.';
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError('INVALID_KEY', message, {
    statusCode: 401,
    headers: { 'www-authenticate': challenge },
  });
}

/** Documents on every route of members what the gateway answers to such a key. Call it before routes are added. */
export function declareInvalidKeys(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access?.includes(':')) return;
    route.config = { ...route.config, errors: [...(route.config.errors ?? []), invalidKey()] };
  });
}
