import { headerName } from './names.ts';
import { refusedKey } from './operations.ts';

/** An operation of a document under way. */
interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  responses: Record<string, Response>;
  [extension: `x-${string}`]: unknown;
}

/** A response of a document under way. */
export interface Response {
  description: string;
  content?: Record<string, { examples?: Record<string, unknown> }>;
}

/** An OpenAPI document under way. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, Response> };
}

/** Puts into every operation what its maker left aside: refusals, names of headers, an operationId for each method. */
export function finishOperations({ paths }: Document): void {
  for (const operations of Object.values(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const response of Object.values(operation.responses)) response.description = 'Success.';
      operation.responses = { ...(operation[refusedKey] as object), ...operation.responses };
      Reflect.deleteProperty(operation, refusedKey);
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'header') parameter.name = headerName(parameter.name);
      }
      const { put } = operations;
      if (method === 'patch' && put && put.operationId === operation.operationId) {
        operation.operationId = operation.operationId.replace(/^[a-z]+/, 'patch');
      }
    }
  }
}
