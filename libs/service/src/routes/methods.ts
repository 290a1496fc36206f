import type { RouteOptions } from 'fastify';

/** RFC 9110, 9.2.1. */
const safeMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request may change something. */
export function isUnsafe(method: string | undefined): boolean {
  return !safeMethods.has(method);
}

/** The name of a route in messages: `GET /api/leads`. */
export function routeName({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}

/** Whether a request to a route may change something. */
export function isUnsafeRoute({ method }: Pick<RouteOptions, 'method'>): boolean {
  return [method].flat().some(isUnsafe);
}
