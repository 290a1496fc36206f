import type { ErrorObject } from 'ajv';

const plainName = /^[^.[\]"\s]+$/;
const fieldLengthMax = 200;

/** One step into a value, as a field's path writes it: `.name`, `[3]`, or `["a.b"]` where a plain name would mislead. */
function stepInto(parent: unknown, key: string): string {
  if (Array.isArray(parent)) return `[${key}]`;
  return plainName.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** The path of a field from the keys that lead to it, such as `items[3].unitPrice`; '' for the value itself. */
export function fieldPath(root: unknown, keys: readonly string[]): string {
  let path = '';
  let parent: unknown = root;
  for (const key of keys) {
    if (path.length > fieldLengthMax) break;
    path += stepInto(parent, key);
    parent = childOf(parent, key);
  }
  const field = path.startsWith('.') ? path.slice(1) : path;
  return field.length > fieldLengthMax ? `${field.slice(0, fieldLengthMax)}…` : field;
}

function childOf(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key)) return undefined;
  return (parent as Readonly<Record<string, unknown>>)[key];
}

/** The keys that lead to what a finding of Ajv is about. */
export function keysOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const keys = instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') keys.push(String(params['missingProperty']));
  if (keyword === 'additionalProperties') keys.push(String(params['additionalProperty']));
  return keys;
}

/** RFC 6901, section 4. */
const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
