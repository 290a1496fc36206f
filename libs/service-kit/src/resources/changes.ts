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

/** Which of these fields differ between a resource as it was and as it is. */
export const changedFields = <Resource extends object, Field extends keyof Resource>(
  before: Resource,
  after: Resource,
  fields: readonly Field[],
): Field[] => fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
