import { isDeepStrictEqual } from 'node:util';
import type { Document } from './finish.ts';

const typeName = /^[A-Z][A-Za-z0-9]*$/;

/** Keywords that only the service itself reads. */
const ownKeywords: ReadonlySet<string> = new Set(['text', 'decimals', 'messages', 'commaList']);
/** Keywords whose contents are values and not schemas. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Moves every schema with a title into the document's components, where generated clients find its name. */
export function hoistNamedSchemas(document: Document): Document {
  const { schemas } = document.components;

  function hoist(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(hoist);
    if (typeof part !== 'object' || part === null) return part;
    const hoisted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties') hoisted[key] = hoistEach(value as object);
      else if (!ownKeywords.has(key)) hoisted[key] = values.has(key) ? value : hoist(value);
    }
    const { title } = hoisted;
    if (typeof title !== 'string' || !typeName.test(title)) return hoisted;
    if (schemas[title] !== undefined && !isDeepStrictEqual(schemas[title], hoisted)) {
      throw new Error(`Two different schemas have the title ${title}: name each after what it describes.`);
    }
    schemas[title] = hoisted;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** The keys of `properties` are names, not keywords. */
  const hoistEach = (properties: object): object =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, hoist(schema)]));

  return { ...document, paths: hoist(document.paths) as Document['paths'] };
}
