import { move } from 'piscina';
import { typesetQuote, type QuoteToTypeset } from './quote-pdf.ts';

/** What a worker is asked for. */
export type PdfTask = QuoteToTypeset;

/** Typesets in a thread of its own; the bytes change hands without a copy. */
export async function makePdf(task: PdfTask): Promise<Uint8Array> {
  const bytes = await typesetQuote(task);
  return move(bytes) as Uint8Array;
}
