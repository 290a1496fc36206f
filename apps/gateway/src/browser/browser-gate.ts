import {
  cookieNames,
  cookieToken,
  corsHeaders,
  isPreflight,
  originNotAllowed,
  preflightHeaders,
  readSessionCookies,
  requireBound,
  type BrowserRequest,
  type HeaderFields,
  type Logger,
  type Origins,
} from '@tenantry/service-kit';
import type { RouteTable } from '../routing/route-table.ts';

/** What the gateway does for browsers, so that the services behind it need not know of cookies. */
export interface BrowserGate {
  /** CORS headers of whatever is answered to a request of this origin. */
  corsHeaders(origin: string | undefined): Readonly<Record<string, string>>;
  /** The headers of an answer to a preflight; undefined for any other request. @throws ORIGIN_NOT_ALLOWED */
  answerPreflight(method: string, headers: HeaderFields): Readonly<Record<string, string>> | undefined;
  /**
   * The header fields that take the place of Cookie, names and values in turn.
   *
   * @throws ORIGIN_NOT_ALLOWED, CSRF_FAILED or UNAUTHENTICATED for a cookie that our own page may not have sent, or
   *   that is used where it does not belong
   */
  credentials(request: BrowserRequest, route: { readonly takesCookies: boolean }): string[];
}

/** What the gate is built of. */
export interface BrowserGateOptions {
  readonly origins: Origins;
  readonly routes: RouteTable;
  readonly logger: Logger;
}

/** Makes the gate. */
export function createBrowserGate({ origins, routes, logger }: BrowserGateOptions): BrowserGate {
  const auth = routes.find(({ takesCookies }) => takesCookies)?.addresses[0];

  return {
    corsHeaders: (origin) => corsHeaders({ origin }, origins),

    answerPreflight(method, headers) {
      if (!isPreflight(method, headers)) return undefined;
      const granted = preflightHeaders(headers, origins);
      if (!granted) throw originNotAllowed();
      return granted;
    },

    credentials(request, { takesCookies }) {
      // The auth service looks sessions up and judges for itself.
      if (takesCookies) return ['cookie', sessionCookies(request.headers)];
      const token = cookieToken(request, origins);
      if (token === undefined) return [];
      try {
        requireBound(token, request);
      } catch (error) {
        if (auth) void reportMisuse(`${auth.origin}/api/auth/session`, request, logger);
        throw error;
      }
      return ['authorization', `Bearer ${token}`];
    },
  };
}

/** What a browser keeps for us; whatever else lies in its jar is no service's business. */
function sessionCookies({ cookie }: HeaderFields): string {
  const cookies = readSessionCookies(cookie as string | undefined);
  return Object.entries(cookieNames)
    .flatMap(([kind, name]) => {
      const value = cookies[kind as keyof typeof cookies];
      return value === undefined ? [] : `${name}=${value}`;
    })
    .join('; ');
}

const reportMsMax = 5_000;

/** Shows the auth service what it would have seen: on another device it ends the session, and it tells of either. */
async function reportMisuse(
  url: string,
  { headers, address }: BrowserRequest,
  logger: Logger,
): Promise<void> {
  const shown = { cookie: sessionCookies(headers), 'x-forwarded-for': address };
  const device = ['user-agent', 'x-device-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  try {
    const answer = await fetch(url, {
      headers: { ...Object.fromEntries(device), ...shown },
      signal: AbortSignal.timeout(reportMsMax),
    });
    await answer.body?.cancel();
  } catch (error) {
    logger.warn({ err: error }, 'a session used elsewhere could not be reported to the auth service');
  }
}
