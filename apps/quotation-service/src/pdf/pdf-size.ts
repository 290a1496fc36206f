import { ApiError } from '@tenantry/envelope';
import type { QuoteDocument } from '../quotes/quote-document.ts';

/** What a line costs to typeset, in characters of text: its figures, its place and its rule. */
const charactersOfLine = 150;

/** Some 10,000 usual lines, or 2 million letters: about 10 s of a thread and 250 MB of its heap. */
const sizeMax = 2_000_000;

/** Whether a quote is made into a PDF. One that is not is read on its page. */
export function fitsPdf({ title, description, workPackages }: QuoteDocument): boolean {
  let size = title.length + description.length;
  for (const workPackage of workPackages) {
    size += workPackage.name.length + workPackage.description.length;
    for (const item of workPackage.items) size += charactersOfLine + item.description.length;
    if (size > sizeMax) return false;
  }
  return size <= sizeMax;
}

/** No PDF is made of the quote, now or later. */
export const tooLargeForPdf = (cause?: unknown): ApiError =>
  new ApiError(
    'QUOTE_TOO_LARGE_FOR_PDF',
    'The quote is too large for a PDF. Divide it, or use the page that its customer reads it on.',
    { statusCode: 409, cause },
  );

/** Whether something failed because a quote is too large. */
export const isTooLargeForPdf = (error: unknown): boolean =>
  error instanceof ApiError && error.code === tooLargeForPdf().code;
