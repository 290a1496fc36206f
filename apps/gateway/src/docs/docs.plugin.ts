// Brings app.swagger() into the types; libs/service registers it.
import type {} from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { sharedFor, type Service } from '@tenantry/service/http';
import { acceptsCoding, compress } from '../proxy/compression.ts';
import { pathOf } from '../routing/request-target.ts';
import type { Address, RouteTable } from '../routing/route-table.ts';
import { getJson } from '../upstream/get-json.ts';
import { mergeDocuments, type ApiDocument, type Part } from './merged-document.ts';
import { favicon, introduction, style, withCsrfToken } from './page.ts';

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
  const document = sharedFor(lifetimeMs, async () => {
    const own = app.swagger() as unknown as ApiDocument;
    const info = { ...own.info, description: introduction };
    const merged = mergeDocuments({ ...own, info }, await readServiceDocuments(table));
    const json = Buffer.from(JSON.stringify(merged));
    return { json, gzip: compress(json), isComplete: merged['x-unavailable'] === undefined };
  });
  app.get(documentPath, { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const { json, gzip } = await document();
    reply.type('application/json; charset=utf-8').header('vary', 'Accept-Encoding');
    if (!acceptsCoding('gzip', request.headers['accept-encoding'])) return reply.send(json);
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

/** While a service is down, it is soon asked again. */
const lifetimeMs = ({ isComplete }: { readonly isComplete: boolean }) => (isComplete ? 60_000 : 1_000);

const answerTimeoutMs = 2_000;

/** The documents of all services, each from the first instance that returns it. */
function readServiceDocuments(routes: RouteTable): Promise<readonly Part[]> {
  const parts = routes.map(async ({ prefix, addresses }) => {
    const responses = addresses.map((address) => readDocument(address, `${prefix}/openapi.json`));
    return { prefix, document: await Promise.any(responses).catch(() => undefined) };
  });
  return Promise.all(parts);
}

async function readDocument(address: Address, path: string): Promise<ApiDocument> {
  const { ok, body } = await getJson(address, path, answerTimeoutMs);
  const document = body as Partial<ApiDocument> | null;
  if (!ok || !document?.paths || !document.components) throw new Error(`${path} is no document`);
  return document as ApiDocument;
}
