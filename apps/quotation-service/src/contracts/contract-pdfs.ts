import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { pdfLinesMax, tooLargeForPdf } from '../pdf/pdf-size.ts';
import type { PdfAsked, Pdfs } from '../pdf/pdfs.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { Language } from '../wording/languages.ts';
import { contractNotFound } from './contracts.errors.ts';
import type { Contracts } from './contracts.ts';

/** Dependencies of PDFs of contracts. */
interface ContractPdfsOptions {
  readonly contracts: Pick<Contracts, 'madeAt' | 'unparsed'>;
  readonly quotes: Pick<Quotes, 'head'>;
  readonly logos: Pick<Logos, 'find'>;
  readonly pdfs: Pick<Pdfs, 'make'>;
}

/** In which language a PDF is made, and for whom. */
interface ContractPdfAsked extends PdfAsked {
  readonly language: Language;
}

/** Contracts as PDFs for both parties to sign: of what was accepted, whatever was renamed since. */
export class ContractPdfs {
  readonly #options: ContractPdfsOptions;

  constructor(options: ContractPdfsOptions) {
    this.#options = options;
  }

  /**
   * The contract of a quote, for its organization.
   *
   * @throws {ApiError} as {@link Pdfs.make} does; NOT_FOUND
   */
  async show(tenant: Tenant, quoteId: string, asked: ContractPdfAsked) {
    const { contracts, quotes } = this.#options;
    if ((await contracts.madeAt(tenant, quoteId)) === null) throw contractNotFound();
    const { number } = await quotes.head(tenant, quoteId);
    return { filename: `${number}-contract.pdf`, bytes: await this.make(tenant, quoteId, asked) };
  }

  /** Makes the PDF, as {@link Pdfs.make} says. The number of PDF threads limits how many contracts are read for this. */
  make(tenant: Tenant, quoteId: string, { language, ...asked }: ContractPdfAsked): Promise<Uint8Array> {
    const { contracts, logos, pdfs } = this.#options;
    return pdfs.make(async () => {
      const contract = await contracts.unparsed(tenant, quoteId, { linesMax: pdfLinesMax });
      if (contract === 'too-large') throw tooLargeForPdf();
      const { document: quote, acceptance, contentHash, createdAt } = contract;
      const logo = await logos.find(tenant, quote.head.seller.logo);
      const agreement = {
        acceptedAt: acceptance.decidedAt.toISOString(),
        acceptedBy: acceptance.userId === null ? ('customer' as const) : ('seller' as const),
        name: acceptance.name,
        contentHash: contentHash.toString('hex'),
        createdAt,
      };
      return { quote, language, logo: logo?.content, agreement };
    }, asked);
  }
}
