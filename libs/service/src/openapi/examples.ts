import type { Document } from './finish.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const exampleId = '0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f';
const exampleMoment = '2027-01-31T12:00:00.000Z';

/**
 * Gives the JSON body of every request an example: its own, or one combined from the examples of its fields. An optional field
 * appears only where it has an example, so that what is shown can be sent as it is.
 */
export function addExamples({ paths }: Document): void {
  for (const { requestBody } of Object.values(paths).flatMap((path) => Object.values(path))) {
    const json = requestBody?.content?.['application/json'];
    if (json?.schema && json.example === undefined) json.example = exampleOf(json.schema);
  }
}

/** Undefined if the schema has too few examples. */
function exampleOf(schema: Schema): unknown {
  const [given = schema.const ?? schema.default ?? schema.enum?.[0]] = schema.examples ?? [];
  if (given !== undefined) return given;
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {});
  switch ([schema.type].flat()[0]) {
    case 'object':
      return exampleOfFields(schema);
    case 'array': {
      const item = schema.items && exampleOf(schema.items);
      return item === undefined ? [] : [item];
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return { uuid: exampleId, 'date-time': exampleMoment }[schema.format ?? ''];
  }
}

function exampleOfFields({ properties = {}, required = [] }: Schema): object {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const isShown = required.includes(name) || schema.examples !== undefined;
    const example = isShown ? exampleOf(schema) : undefined;
    return example === undefined ? [] : [[name, example] as const];
  });
  return Object.fromEntries(fields);
}
