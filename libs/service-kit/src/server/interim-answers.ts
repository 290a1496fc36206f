import type { FastifyReply } from 'fastify';

/** Well within the patience of the gateway, and of any proxy that counts silence. */
const everyMs = 3_000;

/**
 * Says every few seconds that an answer is being worked on, until the answer begins: 102 (RFC 2518, 10.1). A gateway that
 * gives up on a service that is silent then waits for one that is not.
 *
 * @returns what ends it
 */
export function sendInterimAnswers({ raw, request }: FastifyReply): () => void {
  // RFC 9110, 15.2: a client of HTTP/1.0 understands none.
  if (request.raw.httpVersion === '1.0' || !raw.socket) return () => undefined;
  const timer = setInterval(() => {
    if (raw.headersSent || raw.destroyed) clearInterval(timer);
    else raw.writeProcessing();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
