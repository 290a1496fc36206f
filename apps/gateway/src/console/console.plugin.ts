import type { Service } from '@tenantry/service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsCoding } from '../proxy/compression.ts';
import { pathOf } from '../routing/request-target.ts';
import { covers, type RouteTable } from '../routing/route-table.ts';
import { encodings, pagePath, type ConsoleFile, type ConsoleFiles } from './console-files.ts';

/**
 * Everything is loaded from this origin, inline scripts are blocked, and the page cannot be framed; a PDF is shown in a frame.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Paths that are never the page, whatever the request accepts. */
const elsewhere = ['/api', '/docs', '/internal', '/.well-known', '/assets'];

/** The console's files, and the paths that are not its own. */
export interface ConsoleOptions {
  readonly files: ConsoleFiles;
  readonly routes: RouteTable;
}

/**
 * Serves the files of the console, and its page for every other address that a person opens. It runs before requests are
 * counted, so that loading a page does not use up the caller's limit.
 */
export function serveConsole(app: Service, { files, routes }: ConsoleOptions): void {
  const prefixes = [...elsewhere, ...routes.map(({ prefix }) => prefix)];

  function fileFor({ method, headers }: FastifyRequest, path: string): ConsoleFile | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const file = files.get(path);
    if (file || prefixes.some((prefix) => covers(prefix, path))) return file;
    return path === '/' || namesHtml(headers.accept) ? files.get(pagePath) : undefined;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url);
    const file = fileFor(request, path);
    if (!file) {
      done();
      return;
    }
    request.isRoutine = true;
    answer(request, reply, { path, file });
  });
}

/** A browser that opens a page accepts HTML explicitly; any other client gets 404. */
function namesHtml(accept = ''): boolean {
  return accept.split(',').some((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, file }: { readonly path: string; readonly file: ConsoleFile },
): void {
  const { headers } = request;
  const encoding = encodings.find(
    (name) => file.bodies[name] && (name === 'identity' || acceptsCoding(name, headers['accept-encoding'])),
  );
  const entityTag = `"${file.digest}.${encoding ?? 'identity'}"`;
  reply.headers({
    'content-type': file.contentType,
    vary: 'Accept, Accept-Encoding',
    etag: entityTag,
    // The name of an asset changes with its content.
    'cache-control': covers('/assets', path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (file.contentType.startsWith('text/html')) {
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'cross-origin-opener-policy': 'same-origin',
    });
  }
  if (headers['if-none-match']?.includes(entityTag)) {
    void reply.code(304).send();
    return;
  }
  if (encoding !== undefined && encoding !== 'identity') reply.header('content-encoding', encoding);
  void reply.send(file.bodies[encoding ?? 'identity']);
}
