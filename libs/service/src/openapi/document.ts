import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { FailureFormat } from '../failures/answers.ts';
import type { Refusal } from '@tenantry/envelope';
import { hoistNamedSchemas } from './components.ts';
import { addExamples } from './examples.ts';
import { finishOperations, type Document } from './finish.ts';
import { describeOperation, requireOperationIds } from './operations.ts';
import { hoistSharedRefusals } from './shared-refusals.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** A verb and a noun, such as `listLeads`; unique in the service. */
    operationId?: string;
  }
  interface FastifyContextConfig {
    /**
     * The errors that the handler throws in addition to those implied by its access, path, body and headers: the document shows
     * each as an example.
     *
     * @example config: { access: 'leads:write', errors: [slugTaken()] }
     */
    errors?: readonly Refusal[];
    /** Whether the document describes it; set when the route is added. */
    isDescribed?: boolean;
  }
}

/** Path and title of a service's OpenAPI document. */
export interface OpenApiOptions {
  readonly title: string;
  /** Under the service's own prefix, so that the gateway routes it: `/api/leads/openapi.json`. */
  readonly path: string;
}

/**
 * Describes every route in an OpenAPI 3.1 document: its operationId, the permission it needs, and every code that it
 * refuses with, each with an example. Schemas with a title become components; bodies and answers without one are named
 * after their operation.
 */
export async function describeRoutes(
  app: FastifyInstance,
  {
    title,
    path,
    version,
    failures,
  }: OpenApiOptions & {
    version: string;
    failures: FailureFormat;
  },
): Promise<void> {
  requireOperationIds(app);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: ({ schema, url, route }) => ({ schema: describeOperation(schema, route, failures), url }),
    transformObject: (made) => {
      const { openapiObject } = made as { openapiObject: object };
      // Operations share parts: each gets a copy that may be changed.
      const document = JSON.parse(JSON.stringify(openapiObject)) as Document;
      document.components.responses = {};
      finishOperations(document);
      addExamples(document);
      const named = hoistNamedSchemas(document);
      hoistSharedRefusals(named);
      return named;
    },
  });
  app.get(path, { config: { access: 'public' }, schema: { hide: true } }, () => app.swagger());
}

/** Creates the document once all routes are defined: if that fails it is a defect of the service, not of a request. */
export async function makeDocument(app: FastifyInstance): Promise<void> {
  await app.ready();
  if (app.hasDecorator('swagger')) app.swagger();
}
