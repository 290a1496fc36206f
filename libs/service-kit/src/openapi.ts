import swagger from '@fastify/swagger';
import { ErrorDetailSchema, FailureSchema } from '@tenantry/envelope';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { Type, type TSchema } from 'typebox';
import type { RouteAccess } from './access.ts';
import type { FailureFormat } from './failures/answers.ts';
import { noBody } from './validation/closed-schemas.ts';

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
    details: Type.Optional(Type.Array(ErrorDetailSchema)),
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
    transform: ({ schema: declared, url, route }) => {
      // A route may declare none, whatever the type says.
      const schema = (declared as FastifySchema | undefined) ?? {};
      const { body, ...bodiless } = schema;
      const access = (route.config as { access?: RouteAccess } | undefined)?.access;
      const described = {
        ...(body === noBody ? bodiless : schema),
        ...(schema.querystring ? { querystring: withoutDefaulted(schema.querystring) } : {}),
        response: { '4xx': refusal, '5xx': refusal, ...(schema.response as object) },
      };
      return access === 'public' || access === undefined
        ? { schema: described, url }
        : { schema: { ...described, security: [{ bearer: [] }], 'x-access': access }, url };
    },
  });
  app.get(path, { config: { access: 'public' }, schema: { hide: true } }, () => app.swagger());
}

/** What has a default may be left out of a query, whatever the type of what the handler then gets. */
function withoutDefaulted(query: unknown): object {
  const { required = [], properties = {}, ...rest } = query as QuerySchema;
  return {
    ...rest,
    properties,
    required: required.filter((name) => properties[name]?.default === undefined),
  };
}

interface QuerySchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}
