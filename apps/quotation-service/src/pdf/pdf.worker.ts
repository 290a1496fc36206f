import { move } from 'piscina';
import { TooManyPages } from './pdf-size.ts';
import { typesetQuote, type QuoteToTypeset } from './quote-pdf.ts';

/** A request to a worker. */
export type PdfTask = QuoteToTypeset;

/** Its response: errors lose their class between threads. */
export type PdfResult = Uint8Array | 'too-many-pages';

/** Typesets in a thread of its own; the bytes are transferred without a copy. */
export async function makePdf(task: PdfTask): Promise<PdfResult> {
  try {
    return move(await typesetQuote(task)) as Uint8Array;
  } catch (error) {
    if (error instanceof TooManyPages) return 'too-many-pages';
    throw error;
  }
}
