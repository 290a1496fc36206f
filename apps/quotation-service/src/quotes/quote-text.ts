import { ApiError, invalidField } from '@tenantry/envelope';

/** Maximum text of a quote, with its packages and lines, in bytes of UTF-8. */
export const textBytesMax = 1024 * 1024;

/** The total bytes of some texts. */
export const bytesOf = (...texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

/** Text that is added to a quote, or taken from it. */
export interface TextChange {
  /** Negative if it decreases. */
  readonly bytes: number;
  /** The field of the request that contains it. */
  readonly field: string;
}

/**
 * The bytes of a quote after a change. One that was already over the limit may still decrease.
 *
 * @throws VALIDATION_ERROR naming the field that exceeds the limit.
 */
export function bytesAfter(before: number, { bytes, field }: TextChange): number {
  const after = Math.max(0, before + bytes);
  if (after > textBytesMax && bytes > 0) throw tooMuchText(field);
  return after;
}

/** The texts of the quote take up more than {@link textBytesMax}. */
export const tooMuchText = (field: string): ApiError => {
  const message = `takes the texts of the quote over ${textBytesMax.toLocaleString('en')} bytes`;
  return invalidField({ field, rule: 'quoteText', params: { limit: textBytesMax }, message });
};
