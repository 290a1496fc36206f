import { isDeepStrictEqual } from 'node:util';

/**
 * Whether changes leave everything as it is; omitted fields are unchanged. Such a change writes nothing: neither a row, nor an
 * entry in a trail or feed, nor another version.
 *
 * @example if (changesNothing(lead, changes)) return lead;
 */
export function changesNothing<Resource extends object>(
  before: Resource,
  changes: { readonly [Field in keyof Resource]?: Resource[Field] | undefined },
): boolean {
  const changed = Object.entries(changes) as [keyof Resource, unknown][];
  return changed.every(([field, value]) => value === undefined || isDeepStrictEqual(value, before[field]));
}

/**
 * Which fields of a resource as it is, or of what was to change, differ from the resource as it was.
 *
 * @example changedFields({ name: 'Ada', age: 36 }, { name: 'Ada Lovelace' }) // ['name']
 */
export const changedFields = <After extends object>(
  before: { readonly [Field in keyof After]?: unknown },
  after: After,
): (keyof After)[] =>
  (Object.keys(after) as (keyof After)[]).filter((field) => !isDeepStrictEqual(before[field], after[field]));

/**
 * The methods of a route that changes the fields its body names and leaves the rest: PATCH (RFC 5789), and PUT for
 * clients of the published contract.
 *
 * @example app.route({ method: partialUpdate(), url: '/api/leads/:id', config, schema, handler });
 */
export function partialUpdate(): ['PUT', 'PATCH'] {
  return ['PUT', 'PATCH'];
}
