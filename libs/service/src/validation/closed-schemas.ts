import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ClosedObject } from '../resources/fields.ts';
import { routeName } from '../routes/methods.ts';
import type { OwnKeywords } from './ajv.ts';
import { formatNames } from './wording.ts';

const empty = ClosedObject({});

/** The body of a route that takes none. */
export const noBody = Type.Union([empty, Type.Null()]);

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Makes every described route strict: undeclared fields are refused, and so is an undeclared query or body. A route whose
 * schemas would accept anything else does not boot.
 */
export function closeSchemas(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema, method } = route;
    for (const part of ['body', 'querystring', 'params'] as const) {
      if (schema?.[part] !== undefined) assertClosed(schema[part], `${routeName(route)}: ${part}`);
    }
    if (schema === undefined || schema.hide === true) return;
    const takesBody = [method].flat().some((name) => methodsWithBody.has(name));
    route.schema = { querystring: empty, ...(takesBody ? { body: noBody } : {}), ...schema };
  });
}

/** A JSON schema, as far as it matters here. */
interface JsonSchema extends OwnKeywords {
  readonly type?: string | readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly prefixItems?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly [keyword: string]: unknown;
}

/** Keywords that constrain a value. */
const restrictions = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'];

/**
 * Refuses a schema that accepts undeclared values at any depth, or whose only message would be a regular expression.
 *
 * @throws an Error that names the place and says what to write there.
 */
function assertClosed(part: unknown, place: string): void {
  const schema = (part ?? {}) as JsonSchema;
  if (!restrictions.some((keyword) => schema[keyword] !== undefined)) {
    throw new Error(`${place} takes any value: give its schema a type.`);
  }
  const types = [schema.type].flat();
  if (types.includes('object') && schema.additionalProperties !== false) {
    throw new Error(`${place} lets unknown fields pass: make it a ClosedObject.`);
  }
  if (types.includes('array') && schema.items === undefined && schema.prefixItems === undefined) {
    throw new Error(`${place} takes any items: say which, as in Type.Array(Type.String()).`);
  }
  assertWorded(schema, place);
  for (const [child, where] of children(schema)) assertClosed(child, place + where);
}

/** Every finding has a message that a client's user understands. */
function assertWorded({ pattern, format, messages }: JsonSchema, place: string): void {
  if (pattern !== undefined && messages?.['pattern'] === undefined) {
    throw new Error(
      `${place} has a pattern without words: add { messages: { pattern: 'must be 6 digits' } }.`,
    );
  }
  if (format !== undefined && messages?.['format'] === undefined && !Object.hasOwn(formatNames, format)) {
    throw new Error(
      `${place} has the format ${format}, which has no words: add { messages: { format: 'must be …' } }.`,
    );
  }
}

/** The schemas of the values inside a value, with their paths. */
function* children(schema: JsonSchema): Generator<readonly [child: unknown, where: string]> {
  for (const keyword of ['properties', 'patternProperties', '$defs', 'definitions']) {
    for (const [name, child] of Object.entries(schema[keyword] ?? {})) yield [child, `.${name}`];
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    for (const branch of (schema[keyword] ?? []) as readonly unknown[]) yield [branch, ''];
  }
  for (const item of [schema.prefixItems, schema.items].flat()) {
    if (typeof item === 'object') yield [item, '[]'];
  }
}
