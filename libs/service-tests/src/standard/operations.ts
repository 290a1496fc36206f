import { randomUUID } from 'node:crypto';
import type { Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Method } from '../callers.ts';

/** One operation of a service's OpenAPI document. */
export interface Operation {
  readonly method: Method;
  /** As the document has it, `/api/leads/{id}`. */
  readonly path: string;
  /** With an id that exists nowhere. */
  readonly url: string;
  /** Who may call it: `public`, `signed-in`, `internal` or a permission. */
  readonly access: string;
  /** The media types of its body; empty without one. */
  readonly mediaTypes: readonly string[];
  /** The headers that it documents, in lower case. */
  readonly headers: readonly string[];
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly 'x-access'?: string;
  readonly requestBody?: { readonly content: object };
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

/** The document in which a service describes itself. */
export async function documentOf(app: Service, prefix: string): Promise<Document> {
  return (await app.inject(`${prefix}/openapi.json`)).json<Document>();
}

/** Everything that a document describes. */
export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Method,
      path,
      url: path.replaceAll(/\{[^}]+\}/g, () => randomUUID()),
      access: operation['x-access'] ?? 'public',
      mediaTypes: Object.keys(operation.requestBody?.content ?? {}),
      headers: (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name.toLowerCase()),
    })),
  );
}

/** Two routes beside the service's own, so that these tests have something to ask of a service that has none yet. */
export const probeRoutes = (prefix: string) => (app: Service) => {
  const config = { access: 'organization:read' } as const;
  const response = { 200: ClosedObject({ done: Type.Boolean() }) };
  app.get(
    `${prefix}/of/these/tests`,
    { config, schema: { operationId: 'readOfTests', response } },
    async () => ({ done: true }),
  );
  app.post(
    `${prefix}/of/these/tests`,
    {
      config,
      schema: { operationId: 'writeOfTests', body: ClosedObject({ name: Type.String() }), response },
    },
    async () => ({ done: true }),
  );
};
