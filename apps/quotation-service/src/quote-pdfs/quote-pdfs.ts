import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { pdfLinesMax, tooLargeForPdf } from '../pdf/pdf-size.ts';
import type { PdfAsked, Pdfs } from '../pdf/pdfs.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { Language } from '../wording/languages.ts';
import type { CurrentSettings } from '../settings/current-settings.ts';

/** Dependencies of PDFs of quotes. */
interface QuotePdfsOptions {
  readonly quotes: Pick<Quotes, 'head' | 'unparsedDocument'>;
  /** The picture that it shows. */
  readonly logos: Pick<Logos, 'find'>;
  readonly currentSettings: Pick<CurrentSettings, 'readWithLogo'>;
  readonly pdfs: Pick<Pdfs, 'make'>;
}

/** In which language a PDF is made, and for whom. */
interface QuotePdfAsked extends PdfAsked {
  readonly language: Language;
}

/** The PDFs of quotes. */
export class QuotePdfs {
  readonly #options: QuotePdfsOptions;

  constructor(options: QuotePdfsOptions) {
    this.#options = options;
  }

  /**
   * The quote as it stands, for its organization. A draft is marked as one, and shows the settings of the organization as they
   * are now.
   *
   * @throws {ApiError} as {@link Pdfs.make} does; NOT_FOUND; UPSTREAM_UNAVAILABLE while the settings have not arrived
   */
  async show(tenant: Tenant, quoteId: string, asked: QuotePdfAsked) {
    const { quotes, currentSettings } = this.#options;
    const { number, status } = await quotes.head(tenant, quoteId);
    if (status === 'draft') await currentSettings.readWithLogo(tenant);
    return { filename: `${number}.pdf`, bytes: await this.make(tenant, quoteId, asked) };
  }

  /** Makes the PDF, as {@link Pdfs.make} says. The number of PDF threads limits how many quotes are read for this. */
  make(tenant: Tenant, quoteId: string, { language, ...asked }: QuotePdfAsked): Promise<Uint8Array> {
    const { quotes, logos, pdfs } = this.#options;
    return pdfs.make(async () => {
      const quote = await quotes.unparsedDocument(tenant, quoteId, { linesMax: pdfLinesMax });
      if (quote === 'too-large') throw tooLargeForPdf();
      const logo = await logos.find(tenant, quote.head.seller.logo);
      return { quote, language, logo: logo?.content };
    }, asked);
  }
}
