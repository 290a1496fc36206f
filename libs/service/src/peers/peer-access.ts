import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@tenantry/envelope';
import type { FastifyRequest } from 'fastify';
import type { AccessCheck } from '../routes/access.ts';

/**
 * Lets in a peer service that shows one of the keys (`Authorization: Bearer <INTERNAL_API_KEY>`).
 *
 * Digests are compared, always with every key, so that the time taken reveals nothing about them. More than one key is valid
 * while it is rotated.
 */
export function peerAccess(keys: readonly string[]): AccessCheck {
  const digests = keys.map(digestOf);
  return async ({ headers }: FastifyRequest) => {
    const shown = digestOf(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
    const matches = digests.filter((digest) => timingSafeEqual(digest, shown));
    if (matches.length === 0) throw keyRequired();
  };
}

function keyRequired(): ApiError {
  return new ApiError(
    'UNAUTHENTICATED',
    'Show the key of the services (INTERNAL_API_KEY) as a bearer token.',
    {
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');
