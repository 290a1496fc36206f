import type { FastifyReply } from 'fastify';

/** Well below the timeout of the gateway, and of any proxy that limits silence. */
const everyMs = 3_000;

/**
 * Sends 102 Processing every few seconds until the response begins (RFC 2518, 10.1), so that a gateway with a timeout for
 * silent services keeps waiting.
 *
 * @returns a function that stops it
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
