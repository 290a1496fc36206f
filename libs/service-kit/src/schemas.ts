import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { ObjectSchema } from './validation.ts';

const empty = Type.Object({}, { additionalProperties: false });

/** The body of a route that takes none. */
export const noBody = Type.Union([empty, Type.Null()]);

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Holds every described route to what it declares: what it does not ask for it refuses, a query or a body it says
 * nothing of included. One whose body, query or path would let unknown fields pass does not boot.
 */
export function closeSchemas(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { url, schema, method } = route;
    for (const part of ['body', 'querystring', 'params'] as const) {
      const declared = schema?.[part] as ObjectSchema | undefined;
      if (declared?.type === 'object' && declared.additionalProperties !== false) {
        throw new Error(`The ${part} schema of ${url} is open: set additionalProperties to false.`);
      }
    }
    if (schema === undefined || schema.hide === true) return;
    const takesBody = [method].flat().some((name) => methodsWithBody.has(name));
    route.schema = { querystring: empty, ...(takesBody ? { body: noBody } : {}), ...schema };
  });
}
