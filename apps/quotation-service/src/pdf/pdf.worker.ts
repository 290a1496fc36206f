import { move } from 'piscina';
import { TooManyPages } from './pdf-size.ts';
import { typesetQuote, type QuoteToTypeset } from './quote-pdf.ts';

/** What a worker is asked for. */
export type PdfTask = QuoteToTypeset;

/** What it answers: errors lose their class between threads. */
export type PdfResult = Uint8Array | 'too-many-pages';

/** Typesets in a thread of its own; the bytes change hands without a copy. */
export async function makePdf(task: PdfTask): Promise<PdfResult> {
  try {
    return move(await typesetQuote(task)) as Uint8Array;
  } catch (error) {
    if (error instanceof TooManyPages) return 'too-many-pages';
    throw error;
  }
}
