import type { RouteOptions } from 'fastify';

/** How a route is spoken of in a message: `GET /api/leads`. */
export function routeName({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}
