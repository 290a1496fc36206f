import { isUtf8 } from 'node:buffer';
import { ApiError, malformed, payloadTooLarge } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Accepts only JSON bodies: Fastify's text/plain parser is removed, so that a browser's simple request gets 415. An empty body
 * counts as absent, whatever its media type: a client may send Content-Type with DELETE.
 *
 * @param mediaTypes further ones that are JSON
 */
export function acceptJsonOnly(app: FastifyInstance, ...mediaTypes: readonly string[]): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  const all = ['application/json', ...mediaTypes];
  app.addContentTypeParser<Buffer>(all, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
    } else if (!isUtf8(body)) {
      done(malformed('body', 'is not valid UTF-8'));
    } else {
      void parse(request, body.toString(), (error, value) =>
        error ? done(malformed('body', 'is not valid JSON')) : done(null, value),
      );
    }
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of a body that the handler reads by itself; its plugin calls {@link acceptStreamOnly}. */
    readonly streams?: string | readonly string[];
    /**
     * Pages of other sites post forms here; its plugin calls {@link acceptFormsOnly}. Since the user may not have intended the
     * request, cookies are ignored, and it acts for no user.
     */
    readonly foreignForms?: true;
  }
}

/** A form as it was posted: the last value of each field. */
export type PostedForm = Readonly<Record<string, string>>;

/**
 * Takes forms (application/x-www-form-urlencoded) in this scope, and no other type of body, JSON included. Whoever posts one
 * chooses its fields, so the handler reads those it knows.
 *
 * @example
 * acceptFormsOnly(app);
 * app.post('/callback', { config: { access: 'public', foreignForms: true } }, handler);
 */
export function acceptFormsOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      const form: PostedForm = Object.fromEntries(new URLSearchParams(body.toString()));
      done(null, form);
    },
  );
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm));
}

const notAForm = new ApiError(
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the form as application/x-www-form-urlencoded.',
);

/**
 * Passes bodies of some media types to the handlers of this scope as streams, without the limit of 64 KiB. Any other type is
 * 415, JSON included.
 *
 * @example
 * acceptStreamOnly(app, 'text/csv');
 * app.post('/import', { config: { access, streams: 'text/csv' }, schema }, (request) =>
 *   read(textOf(readPieces(request, { bytesMax }))),
 * );
 */
export function acceptStreamOnly(app: FastifyInstance, ...mediaTypes: readonly string[]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...mediaTypes], (_request, _body, done) => done(null, undefined));
  const other = new ApiError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${mediaTypes.join(' or ')}.`);
  app.addContentTypeParser('*', (_request, _body, done) => done(other));
}

/** Limits of reading a body. */
export interface ReadBodyOptions {
  readonly bytesMax: number;
}

/**
 * The bytes of a body that was left to its handler, as they arrive.
 *
 * @throws PAYLOAD_TOO_LARGE beyond `bytesMax`.
 */
export async function* readPieces(
  { raw }: Pick<FastifyRequest, 'raw'>,
  { bytesMax }: ReadBodyOptions,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  // What is not read is left to the server, which the client can still be answered by.
  for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw payloadTooLarge;
    yield piece;
  }
}

/**
 * The bytes of a small body that was left to its handler.
 *
 * @throws PAYLOAD_TOO_LARGE beyond `bytesMax`.
 */
export async function readBytes(
  request: Pick<FastifyRequest, 'raw'>,
  options: ReadBodyOptions,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(request, options)) pieces.push(piece);
  return Buffer.concat(pieces);
}
