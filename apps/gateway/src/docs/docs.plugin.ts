// Brings app.swagger() into the types; service-kit registers it.
import type {} from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Service } from '@tenantry/service-kit';
import { acceptsGzip, compress } from '../proxy/compression.ts';
import { pathOf } from '../routing/request-target.ts';
import type { RouteTable } from '../routing/route-table.ts';
import { introduction } from './introduction.ts';
import { mergeDocuments, type ApiDocument } from './merged-document.ts';
import { favicon, style, withCsrfToken } from './page.ts';
import { readServiceDocuments } from './service-documents.ts';

/** Scripts, styles and documents come only from this origin; Swagger UI sets inline styles by script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const documentPath = '/docs/openapi.json';

/** GET /docs: one reference of all services, to read and to try; GET /docs/openapi.json: the document behind it. */
export async function docsPlugin(app: Service, { routes }: { routes: RouteTable }): Promise<void> {
  const table = routes.toSorted((a, b) => a.prefix.localeCompare(b.prefix));
  const document = kept(async () => {
    const own = app.swagger() as unknown as ApiDocument;
    const info = { ...own.info, description: introduction };
    const merged = mergeDocuments({ ...own, info }, await readServiceDocuments(table));
    const json = Buffer.from(JSON.stringify(merged));
    return { json, gzip: compress(json), isComplete: merged['x-unavailable'] === undefined };
  });
  app.get(documentPath, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const { json, gzip } = await document();
    reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding');
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(json);
    return reply.header('content-encoding', 'gzip').send(gzip);
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    theme: {
      title: 'Tenantry API',
      css: [{ filename: 'tenantry.css', content: style }],
      favicon: [
        { filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon },
      ],
    },
    logo: { type: 'image/svg+xml', content: favicon },
    uiConfig: {
      layout: 'BaseLayout',
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      persistAuthorization: false,
      tryItOutEnabled: true,
      // It gets a plain object, contrary to its type.
      requestInterceptor: withCsrfToken as never,
    },
    uiHooks: {
      onRequest: ({ url }, reply, done) => {
        // The path at which Swagger UI requests the document of its host.
        if (/^\/docs\/(?:json|yaml)$/.test(pathOf(url))) void reply.redirect(documentPath);
        else done();
      },
    },
  });
}

const completeLifetimeMs = 60_000;
const incompleteLifetimeMs = 1_000;

/** Caches one run of `make`, briefly while a service is down. */
function kept<Value extends { isComplete: boolean }>(make: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let expiresAt = 0;
  return () => {
    if (current && performance.now() < expiresAt) return current;
    expiresAt = Number.POSITIVE_INFINITY;
    const run = (current = make());
    void run.then(
      ({ isComplete }) => {
        expiresAt = performance.now() + (isComplete ? completeLifetimeMs : incompleteLifetimeMs);
      },
      () => {
        expiresAt = 0;
      },
    );
    return run;
  };
}
