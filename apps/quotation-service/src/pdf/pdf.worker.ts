import { move } from 'piscina';
import { parsedDocument, type UnparsedDocument } from '../quotes/quote-document.ts';
import { TooManyPages } from './pdf-size.ts';
import { typesetQuote, type QuoteToTypeset } from './quote-pdf.ts';

/** A request to a worker: texts and bytes are copied at once, and objects one by one, which takes the event loop. */
export interface PdfTask extends Omit<QuoteToTypeset, 'quote'> {
  readonly quote: UnparsedDocument;
}

/** Its response: errors lose their class between threads. */
export type PdfResult = Uint8Array | 'too-many-pages';

/** Typesets in a thread of its own; the bytes are transferred without a copy. */
export async function makePdf({ quote, ...task }: PdfTask): Promise<PdfResult> {
  try {
    return move(await typesetQuote({ ...task, quote: parsedDocument(quote) })) as Uint8Array;
  } catch (error) {
    if (error instanceof TooManyPages) return 'too-many-pages';
    throw error;
  }
}
