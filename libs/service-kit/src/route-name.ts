import type { RouteOptions } from 'fastify';

/** The name of a route in messages: `GET /api/leads`. */
export function routeName({ method, url }: RouteOptions): string {
  return `${[method].flat().join('|')} ${url}`;
}
