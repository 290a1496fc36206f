import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { pdfLinesMax, tooLargeForPdf } from '../pdf/pdf-size.ts';
import type { PdfAsked, Pdfs } from '../pdf/pdfs.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { Language } from '../wording/languages.ts';

/** Dependencies of PDFs of quotes. */
export interface QuotePdfsOptions {
  readonly quotes: Pick<Quotes, 'unparsedDocument'>;
  /** The picture that it shows. */
  readonly logos: Pick<Logos, 'find'>;
  readonly pdfs: Pick<Pdfs, 'make'>;
}

/** Makes the PDF of a quote, as {@link Pdfs.make} says. */
export type MakeQuotePdf = (
  tenant: Tenant,
  quoteId: string,
  asked: PdfAsked & { readonly language: Language },
) => Promise<Uint8Array>;

/** Creates {@link MakeQuotePdf}. The number of PDF threads limits how many quotes are read for this. */
export function createMakeQuotePdf({ quotes, logos, pdfs }: QuotePdfsOptions): MakeQuotePdf {
  return (tenant, quoteId, { language, ...asked }) =>
    pdfs.make(async () => {
      const quote = await quotes.unparsedDocument(tenant, quoteId, { linesMax: pdfLinesMax });
      if (quote === 'too-large') throw tooLargeForPdf();
      const logo = await logos.find(tenant, quote.head.seller.logo);
      return { quote, language, logo: logo?.content };
    }, asked);
}
