import { ApiError } from '@tenantry/envelope';
import type { QuoteDocument } from '../quotes/quote-document.ts';

/** How many pages a PDF has at most, counted as they are set: some 5,000 usual lines. */
export const pagesMax = 200;

/** What all pages take up at most before they are compressed: mixed scripts take more than a page of plain text. */
export const contentBytesMax = 24 * 1024 * 1024;

/** No page has more rows of a table. */
const rowsOfPageMax = 30;

/** Thrown by the typesetter at the first page beyond the limit. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages';
}

/** Whether a quote has more lines than {@link pagesMax} pages have room for, whatever its texts take up. */
export function isSurelyTooLarge({ workPackages }: QuoteDocument): boolean {
  const rows = workPackages.reduce((sum, { items }) => sum + items.length, 0);
  return rows > pagesMax * rowsOfPageMax;
}

/** The quote can never become a PDF. */
export const tooLargeForPdf = (cause?: unknown): ApiError =>
  new ApiError(
    'QUOTE_TOO_LARGE_FOR_PDF',
    `The quote is too large for a PDF of ${pagesMax} pages. Divide it, or use the page that its customer reads it on.`,
    { statusCode: 409, cause },
  );
