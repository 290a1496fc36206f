import type { RouteOptions } from 'fastify';

/** RFC 9110, 9.2.1. */
const safeMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request may change something. */
export function isUnsafe(method: string | undefined): boolean {
  return !safeMethods.has(method);
}

/** Whether a request to a route may change something. */
export function isUnsafeRoute({ method }: Pick<RouteOptions, 'method'>): boolean {
  return [method].flat().some(isUnsafe);
}
