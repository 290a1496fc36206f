import type { PostedForm } from '@tenantry/service/http';

/** Fields that occur once; a repeated one counts as absent. */
export function textsIn(given: unknown): PostedForm {
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
