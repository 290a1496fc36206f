import type { ValidateFunction } from 'ajv';

/** Where Ajv found a value, as it tells the function of a keyword. */
type Place = Parameters<ValidateFunction>[1];

/** Puts a text in the place of the one that Ajv checks; the keywords that follow see it. */
export function replaceText(place: Place, text: string): void {
  if (!place) return;
  (place.parentData as Record<string | number, unknown>)[place.parentDataProperty] = text;
}
