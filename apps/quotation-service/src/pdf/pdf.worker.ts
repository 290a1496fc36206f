import { move } from 'piscina';
import type { QuoteDocument } from '../quotes/quote-document.ts';
import type { Language } from '../wording/languages.ts';
import { typesetQuote } from './quote-pdf.ts';

/** What a worker is asked for. */
export interface PdfTask {
  readonly quote: QuoteDocument;
  readonly language: Language;
}

/** Typesets in a thread of its own; the bytes change hands without a copy. */
export async function makePdf({ quote, language }: PdfTask): Promise<Uint8Array> {
  const bytes = await typesetQuote(quote, language);
  return move(bytes) as Uint8Array;
}
