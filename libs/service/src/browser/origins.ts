import { ApiError } from '@tenantry/envelope';

/** The origins of the front ends, exactly as browsers write them. */
export type Origins = ReadonlySet<string>;

/** Header fields as node:http gives them. */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The settings that name front ends. */
export interface FrontendSettings {
  readonly NODE_ENV: string;
  readonly FRONTEND_URL?: string | undefined;
  readonly FRONTEND_STAGING_URL?: string | undefined;
}

const developmentFrontend = 'http://localhost:5173';

/** Who may call from a browser: the configured front ends and, outside production, one under development. */
export function allowedOrigins(settings: FrontendSettings): Origins {
  const addresses = [settings.FRONTEND_URL, settings.FRONTEND_STAGING_URL].filter((url) => url !== undefined);
  if (settings.NODE_ENV !== 'production') addresses.push(developmentFrontend);
  return new Set(addresses.map((url) => new URL(url).origin));
}

/**
 * The origin of a request: a page on the list (or on our own origin), any other page, or no page at all, as with a mobile app,
 * a script or a server.
 */
export type OriginStanding = 'allowed' | 'foreign' | 'none';

/** Derives it from Origin and Sec-Fetch-Site, which no page can forge. */
export function originStanding(headers: HeaderFields, origins: Origins): OriginStanding {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return 'allowed';
  const { origin } = headers;
  if (typeof origin === 'string') return origins.has(origin) ? 'allowed' : 'foreign';
  // 'none' is a person who typed the address.
  return site === undefined || site === 'none' ? 'none' : 'foreign';
}

/** Whether the client is a browser: it gets cookies, and no token that a script could read. */
export function isBrowser(headers: HeaderFields, origins: Origins): boolean {
  return headers['sec-fetch-site'] !== undefined || originStanding(headers, origins) === 'allowed';
}

/** The refusal of a page that is not on the list. */
export function originNotAllowed(): ApiError {
  return new ApiError(
    'ORIGIN_NOT_ALLOWED',
    'Requests from this origin are not accepted. Set FRONTEND_URL to the address of the front end.',
    { statusCode: 403 },
  );
}
