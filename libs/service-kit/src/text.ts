/** A NUL, which PostgreSQL cannot store, or half of a surrogate pair, which UTF-8 cannot carry. */
const unstorable = /\0|\p{Surrogate}/u;

/**
 * Finds text that could not be stored faithfully, anywhere in a parsed body, query or path.
 *
 * @returns the dotted path of the first such text, or `undefined`.
 */
export function findUnstorableText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return unstorable.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = findUnstorableText(child, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
