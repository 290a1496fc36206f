import type { IncomingHttpHeaders } from 'node:http';
import { apiKeyPrefix, serviceTokenPath } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';

/** A key, or a token that it was exchanged for, where only a user may act. */
export function userRequired(): ApiError {
  return new ApiError(
    'USER_REQUIRED',
    'This needs a signed-in user: keys and service accounts have no access to accounts and organizations. Send the key to another service, or sign in.',
  );
}

/**
 * Refuses keys and the tokens of service accounts on every route under /api/auth but the one that exchanges them, public routes
 * included: no key makes another, signs in or out, or changes an organization. Other routes than public ones verify the token, and
 * refuse it then; here it is only read.
 */
export function usersOnly(app: Service): void {
  const isOurs = (url: string | undefined) => url?.startsWith('/api/auth/') && url !== serviceTokenPath;
  app.addHook('onRoute', ({ url, config }) => {
    if (config && isOurs(url)) config.errors = [...(config.errors ?? []), userRequired()];
  });
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions;
    if (isOurs(url) && isOfProgram(request.headers, config.access === 'public')) throw userRequired();
  });
}

function isOfProgram({ authorization }: IncomingHttpHeaders, isPublic: boolean): boolean {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return false;
  const bearer = authorization.slice(7).trimStart();
  return bearer.startsWith(apiKeyPrefix) || (isPublic && kindIn(bearer) === 'service');
}

/** The claim `kind` of a token; undefined if it is no token. */
function kindIn(token: string): unknown {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(payload) as { readonly kind?: unknown } | null)?.kind;
  } catch {
    return undefined;
  }
}
