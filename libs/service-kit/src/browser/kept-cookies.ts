import type { FastifyInstance, FastifyRequest } from 'fastify';

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/**
 * Whether the browser that sends a request stores our cookies, which are Secure: over plain HTTP it does so only for loopback
 * addresses. A page over HTTPS can only call over HTTPS, even if a proxy in between hides that.
 */
export function keepsCookies({
  protocol,
  host,
  headers,
}: Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>) {
  return protocol === 'https' || loopback.test(host) || headers.origin?.startsWith('https:') === true;
}

/** Logs once why browsers stay signed out: the sign-in itself succeeds, and the browser reports no error. */
export function warnOfLostCookies(app: FastifyInstance): void {
  let isSaid = false;
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!isSaid && reply.getHeader('set-cookie') !== undefined && !keepsCookies(request)) {
      isSaid = true;
      request.log.warn(
        { host: request.host },
        'browsers drop the cookies of a session that is reached over plain HTTP, and stay signed out: serve it over ' +
          'HTTPS, or at localhost. Where TLS ends at a proxy, name the proxy in TRUST_PROXY.',
      );
    }
    done();
  });
}
