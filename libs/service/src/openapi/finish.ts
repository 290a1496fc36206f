import { headerName } from './names.ts';
import { refusedKey } from './operations.ts';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  /** As it appears in a query or header. */
  example?: string | number | boolean;
  schema?: { readonly commaList?: readonly string[] };
  style?: 'form';
  explode?: false;
}

/** An operation of a document under way. */
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Response['content'] };
  responses: Record<string, Response>;
  [extension: `x-${string}`]: unknown;
}

/** A response of a document under way. */
export interface Response {
  description: string;
  content?: Record<string, { schema?: object; example?: unknown; examples?: Record<string, unknown> }>;
}

/** An OpenAPI document under way. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, Response> };
}

/** Completes every operation: errors, names of headers, an operationId for each method. */
export function finishOperations({ paths }: Document): void {
  for (const operations of Object.values(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const response of Object.values(operation.responses)) response.description = 'Success.';
      operation.responses = { ...(operation[refusedKey] as object), ...operation.responses };
      Reflect.deleteProperty(operation, refusedKey);
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'header') parameter.name = headerName(parameter.name);
        if (parameter.required !== true) describeByExample(parameter);
        describeCommaList(parameter);
      }
      const { put } = operations;
      if (method === 'patch' && put && put.operationId === operation.operationId) {
        operation.operationId = operation.operationId.replace(/^[a-z]+/, 'patch');
      }
    }
  }
}

/** A text with commas for the service is an array for clients, written as `form` without `explode`: `new,won`. */
function describeCommaList(parameter: Parameter): void {
  const { commaList } = parameter.schema ?? {};
  if (!commaList) return;
  const items = { type: 'string', enum: commaList };
  Object.assign(parameter, {
    schema: { type: 'array', minItems: 1, items },
    style: 'form',
    explode: false,
  });
}

/** The example of an optional parameter goes into its description: tools that try requests would otherwise always send it. */
function describeByExample(parameter: Parameter): void {
  const { description, example } = parameter;
  if (example === undefined) return;
  parameter.description = [description, `for example ${String(example)}`].filter(Boolean).join('; ');
  delete parameter.example;
}
