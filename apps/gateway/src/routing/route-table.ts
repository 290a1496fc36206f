import type { FailureFormat } from '@tenantry/service/failures';

/** Where one instance of a service listens. */
export interface Address {
  /** Scheme, host and port, such as `http://127.0.0.1:3001`. */
  readonly origin: string;
}

/** One entry of the route table. */
export interface Route {
  /** `/api/leads` includes everything below it, but not `/api/leadsx`. */
  readonly prefix: string;
  readonly addresses: readonly Address[];
  readonly timeoutMs: number;
  /** The error format of the service, so that the gateway's errors look the same. */
  readonly failures: FailureFormat;
  /** Whether the service handles cookie sessions itself; other services get a bearer token. */
  readonly takesCookies: boolean;
}

/** The routes, longest prefix first. */
export type RouteTable = readonly Route[];

const prefixShape = /^(?:\/[a-z0-9][a-z0-9-]*)+$/;
/** The gateway serves these itself, or they are for services only. */
const reservedPrefixes = ['/api/health', '/docs', '/internal'];
/** The auth endpoints answer outside the envelope, and set the cookies of browsers. */
const authPrefix = '/api/auth';

/**
 * Parses entries such as `/api/leads=http://a:3001|http://b:3001;timeout=30`.
 *
 * @throws Error that names every entry that is not acceptable, and why.
 */
export function parseRouteTable(entries: readonly string[], defaultTimeoutSeconds: number): RouteTable {
  const problems: string[] = [];
  const routes = entries.flatMap((entry) => {
    try {
      return [parseRoute(entry, defaultTimeoutSeconds)];
    } catch (error) {
      problems.push(`${entry}: ${(error as Error).message}`);
      return [];
    }
  });
  const prefixes = routes.map(({ prefix }) => prefix);
  const repeated = prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index);
  problems.push(...repeated.map((prefix) => `${prefix} is listed twice: separate its addresses by "|"`));
  if (problems.length > 0) throw new Error(`ROUTES is not valid:\n  - ${problems.join('\n  - ')}`);
  return routes.sort((a, b) => b.prefix.length - a.prefix.length);
}

function parseRoute(entry: string, defaultTimeoutSeconds: number): Route {
  const [target = '', ...options] = entry.split(';');
  const [prefix = '', addresses = ''] = target.split('=');
  if (!prefixShape.test(prefix)) throw new Error('the prefix must look like /api/leads');
  const reserved = reservedPrefixes.find((own) => covers(own, prefix) || covers(prefix, own));
  if (reserved !== undefined) throw new Error(`${reserved} is not a service's to answer`);
  return {
    prefix,
    addresses: addresses.split('|').map(parseAddress),
    timeoutMs: timeoutSeconds(options, defaultTimeoutSeconds) * 1_000,
    takesCookies: covers(authPrefix, prefix),
    failures: covers(authPrefix, prefix) ? 'plain' : 'envelope',
  };
}

function parseAddress(text: string): Address {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(`${text} is not an http:// address, nor an https:// one`);
  }
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new Error(`${text} must be an address alone, without path, query or credentials`);
  }
  return { origin: url.origin };
}

function timeoutSeconds(options: readonly string[], standard: number): number {
  let seconds = standard;
  for (const option of options) {
    const given = /^timeout=([1-9][0-9]{0,2})$/.exec(option)?.[1];
    if (given === undefined) throw new Error(`${option} is not understood: write timeout=SECONDS, 1 to 999`);
    seconds = Number(given);
  }
  return seconds;
}

/** Whether `path` is `prefix` or lies below it. */
export function covers(prefix: string, path: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}
