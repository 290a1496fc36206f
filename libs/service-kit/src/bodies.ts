import { isUtf8 } from 'node:buffer';
import { ApiError } from '@tenantry/envelope';
import type { FastifyInstance } from 'fastify';

const notJson = (message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `The body ${message}.`, {
    details: [{ field: 'body', rule: 'wellFormed', message }],
  });

/**
 * JSON bodies and nothing else: Fastify's text/plain parser goes, so that a browser's simple request is 415.
 * An empty body counts as absent, whatever its media type: a client may send Content-Type with DELETE.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
    } else if (!isUtf8(body)) {
      done(notJson('is not valid UTF-8'));
    } else {
      void parse(request, body.toString(), (error, value) =>
        error ? done(notJson('is not valid JSON')) : done(null, value),
      );
    }
  });
}
