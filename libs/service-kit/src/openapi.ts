import swagger from '@fastify/swagger';
import { FailureSchema } from '@tenantry/envelope';
import type { FastifyInstance } from 'fastify';
import { Type, type TSchema } from 'typebox';
import type { RouteAccess } from './access.ts';
import type { FailureFormat } from './failures.ts';

/** Where a service's OpenAPI document is answered, and under which title. */
export interface OpenApiOptions {
  readonly title: string;
  /** Under the service's own prefix, so that the gateway routes it: `/api/leads/openapi.json`. */
  readonly path: string;
}

const PlainFailureSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    requestId: Type.String(),
  },
  { additionalProperties: false },
);
const failureSchemas: Readonly<Record<FailureFormat, TSchema>> = {
  envelope: FailureSchema,
  plain: PlainFailureSchema,
};

/** Describes every route in an OpenAPI 3.1 document, refusals and required permission included. */
export async function describeRoutes(
  app: FastifyInstance,
  { title, path, version, failures }: OpenApiOptions & { version: string; failures: FailureFormat },
): Promise<void> {
  const refusal = { description: 'Refused; the code says why.', ...failureSchemas[failures] };
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: ({ schema, url, route }) => {
      const { access } = route.config as { access?: RouteAccess };
      const described = {
        ...schema,
        response: { '4xx': refusal, '5xx': refusal, ...(schema.response as object) },
      };
      return access === 'public' || access === undefined
        ? { schema: described, url }
        : { schema: { ...described, security: [{ bearer: [] }], 'x-access': access }, url };
    },
  });
  app.get(path, { config: { access: 'public' }, schema: { hide: true } }, () => app.swagger());
}
