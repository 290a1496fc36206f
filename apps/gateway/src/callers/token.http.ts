import { sessionCookies } from '@tenantry/service/browser';
import type { FastifyRequest } from 'fastify';

const scheme = 'Bearer ';

/** The access token of a request, from its Authorization header or cookie; unverified. */
export function tokenOf({ headers, cookies }: FastifyRequest): string | undefined {
  const { authorization, cookie } = headers;
  if (authorization === undefined) return cookie === undefined ? undefined : sessionCookies(cookies).access;
  const given = authorization.slice(0, scheme.length).toLowerCase();
  return given === scheme.toLowerCase() ? authorization.slice(scheme.length) : undefined;
}
