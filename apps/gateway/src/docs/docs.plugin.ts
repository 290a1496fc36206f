import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { RouteTable } from '../routing/route-table.ts';

/** Swagger UI styles elements inline; its scripts and documents come from this very origin. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /docs: the OpenAPI documents of all services, to read and to try. */
export async function docsPlugin(app: FastifyInstance, { routes }: { routes: RouteTable }): Promise<void> {
  const urls = routes
    .map(({ prefix }) => ({ name: prefix, url: `${prefix}/openapi.json` }))
    .sort((a, b) => a.name.localeCompare(b.name));
  // Swagger UI asks for a document of the host itself; the gateway has none but those of the services.
  await app.register(swagger, { openapi: { info: { title: 'Tenantry', version: '' } } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    uiConfig: { urls, layout: 'StandaloneLayout', persistAuthorization: false },
  });
}
