import type { FastifyReply } from 'fastify';

/** Answers are data for one client: never sniffed, framed, cached or referred. ASVS 5.0, 3.4. */
export const standardHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Adds the request id and the standard headers to an answer; a header that a route has set itself stays. */
export function headersOfEveryAnswer(production: boolean): (reply: FastifyReply) => void {
  const headers = Object.entries({ ...standardHeaders, ...(production ? transportSecurity : {}) });
  return (reply) => {
    reply.header('x-request-id', reply.request.id);
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
  };
}
