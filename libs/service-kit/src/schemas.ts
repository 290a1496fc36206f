import type { FastifyInstance } from 'fastify';
import type { ObjectSchema } from './validation.ts';

/** Refuses to boot a route whose body, query or path would let unknown fields pass. */
export function requireClosedSchemas(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, schema }) => {
    for (const part of ['body', 'querystring', 'params'] as const) {
      const declared = schema?.[part] as ObjectSchema | undefined;
      if (declared?.type === 'object' && declared.additionalProperties !== false) {
        throw new Error(`The ${part} schema of ${url} is open: set additionalProperties to false.`);
      }
    }
  });
}
