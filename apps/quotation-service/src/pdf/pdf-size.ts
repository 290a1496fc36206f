import { ApiError } from '@tenantry/envelope';
import type { QuoteDocument } from '../quotes/quote-document.ts';

/** Maximum pages of a PDF, counted during typesetting: some 5,000 usual lines. */
export const pagesMax = 200;

/** Maximum size of all pages before compression: mixed scripts take more than plain text. */
export const contentBytesMax = 24 * 1024 * 1024;

/** Maximum rows of a table on a page. */
const rowsOfPageMax = 30;

/** A quote of more lines never fits on {@link pagesMax} pages. */
export const pdfLinesMax = pagesMax * rowsOfPageMax;

/** Thrown by the typesetter at the first page beyond the limit. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages';
}

/** Whether a quote has more lines than {@link pdfLinesMax}. */
export const isSurelyTooLarge = ({ workPackages }: QuoteDocument): boolean =>
  workPackages.reduce((lines, { items }) => lines + items.length, 0) > pdfLinesMax;

/** The quote is too large for a PDF. */
export const tooLargeForPdf = (cause?: unknown): ApiError =>
  new ApiError(
    'QUOTE_TOO_LARGE_FOR_PDF',
    `The quote is too large for a PDF of ${pagesMax} pages. Divide it, or use the page that its customer reads it on.`,
    { statusCode: 409, cause },
  );
