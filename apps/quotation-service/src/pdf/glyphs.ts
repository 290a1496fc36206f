import { ApiError } from '@tenantry/envelope';
import { unusual } from './fonts.ts';
import { printable } from './printable.ts';
import { missingInScripts } from './script-fonts.ts';

/** Maximum number of missing characters that are listed. */
const namedMax = 10;

/**
 * Refuses texts with characters that no font has: a PDF would show replacement marks.
 *
 * @throws {ApiError} LETTERS_WITHOUT_FONT naming them.
 */
export async function requireGlyphs(texts: Iterable<string>): Promise<void> {
  const missing = await missingInScripts(unusual(Array.from(texts, printable)));
  if (missing.length > 0) throw lettersWithoutFont(missing);
}

/** So the seller can replace the characters before the customer sees replacement marks. */
export function lettersWithoutFont(missing: readonly string[]): ApiError {
  const named = missing.slice(0, namedMax).map((character) => `${character} (${nameOf(character)})`);
  if (missing.length > namedMax) named.push(`${missing.length - namedMax} more`);
  return new ApiError(
    'LETTERS_WITHOUT_FONT',
    `The PDF of the quote has no font for ${named.join(', ')}. Replace these characters, then send the quote.`,
    { statusCode: 409 },
  );
}

/** `ᚠ` → `U+16A0`. */
const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** All texts in a value, such as a quote with its lines. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) yield* textsIn(part);
}
