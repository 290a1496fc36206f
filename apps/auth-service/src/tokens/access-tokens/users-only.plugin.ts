import type { IncomingHttpHeaders } from 'node:http';
import {
  apiKeyPrefix,
  misplacedScimToken,
  scimPath,
  scimTokenPrefix,
  serviceTokenPath,
} from '@tenantry/contracts';
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
 * included, and the tokens of directories on every route but those of SCIM: no key makes another, signs in or out, or changes an
 * organization. Other routes than public ones verify the token of a service account, and refuse it then; here it is only read.
 */
export function usersOnly(app: Service): void {
  const isOurs = (url: string | undefined) => url?.startsWith('/api/auth/') && url !== serviceTokenPath;
  app.addHook('onRoute', ({ url, config }) => {
    if (config && isOurs(url)) config.errors = [...(config.errors ?? []), userRequired()];
  });
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions;
    const bearer = bearerIn(request.headers);
    if (bearer === undefined || !url?.startsWith('/api/auth/')) return;
    if (isOurs(url) && isOfProgram(bearer, config.access === 'public')) throw userRequired();
    if (bearer.startsWith(scimTokenPrefix) && !url.startsWith(`${scimPath}/`)) throw directoryMisplaced();
  });
}

/** The token of a directory, where it provisions nobody. */
const directoryMisplaced = (): ApiError => new ApiError('USER_REQUIRED', misplacedScimToken);

function bearerIn({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trimStart();
}

function isOfProgram(bearer: string, isPublic: boolean): boolean {
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
