import { ApiError } from '@tenantry/envelope';
import type { ArchivedFile, FilesAsked } from '@tenantry/service/archive';
import type { Tenant } from '../database.ts';
import type { ContractPdfs } from '../contracts/contract-pdfs.ts';
import type { Logos } from '../logos/logos.ts';
import type { QuotePdfs } from '../quote-pdfs/quote-pdfs.ts';
import type { Settings } from '../settings/settings.ts';
import type { Language } from '../wording/languages.ts';
import { SentPdfRepository, type SentPdf } from './sent-pdfs.repository.ts';

interface QuotationFilesOptions {
  readonly quotePdfs: Pick<QuotePdfs, 'make'>;
  readonly contractPdfs: Pick<ContractPdfs, 'make'>;
  readonly logos: Pick<Logos, 'find'>;
  readonly settings: Pick<Settings, 'find'>;
  /** Of quotes whose customer has no language. */
  readonly language: Language;
}

/** In turn with the PDFs of others. */
const pdfSecondsMax = 120;

/** The files of an archive: the logo, each sent quote as its customer has it, and its contract. */
export class QuotationFiles {
  readonly #options: QuotationFilesOptions;
  readonly #repository = new SentPdfRepository();

  constructor(options: QuotationFilesOptions) {
    this.#options = options;
  }

  async *of(tenant: Tenant, { moment, pdfs, year, ...asked }: FilesAsked): AsyncGenerator<ArchivedFile> {
    const { logos, settings } = this.#options;
    const digest = (await settings.find(tenant))?.logo;
    // One that has not been fetched yet is on no quote.
    const logo = await logos.find(tenant, digest).catch(() => undefined);
    if (logo) yield { path: `logo.${logo.mediaType === 'image/png' ? 'png' : 'jpg'}`, bytes: logo.content };
    if (pdfs === 'none') return;
    for await (const quote of this.#repository.list(tenant, { moment, year })) {
      asked.signal.throwIfAborted();
      yield await this.#pdf(tenant, { quote, kind: 'quote' }, asked);
      if (quote.hasContract) yield await this.#pdf(tenant, { quote, kind: 'contract' }, asked);
    }
  }

  async #pdf(
    tenant: Tenant,
    { quote, kind }: { readonly quote: SentPdf; readonly kind: 'quote' | 'contract' },
    { asking, signal }: Pick<FilesAsked, 'asking' | 'signal'>,
  ): Promise<ArchivedFile> {
    const { quotePdfs, contractPdfs } = this.#options;
    const [pdfs, path] =
      kind === 'quote'
        ? [quotePdfs, `pdf/${nameOf(quote)}`]
        : [contractPdfs, `pdf/${nameOf(quote)}-contract`];
    const language = quote.language ?? this.#options.language;
    const asked = { asking, signal, language, timeoutSeconds: pdfSecondsMax };
    try {
      return { path: `${path}.pdf`, bytes: await pdfs.make(tenant, quote.id, asked) };
    } catch (error) {
      // Its customer has no PDF either.
      if (!(error instanceof ApiError && error.code === 'QUOTE_TOO_LARGE_FOR_PDF')) throw error;
      return { path: `${path}.txt`, bytes: Buffer.from(`${error.message}\n`) };
    }
  }
}

/** Its number, without what a file system might not take; a later revision has the same. */
function nameOf({ number, revision }: SentPdf): string {
  const name = number.replaceAll(/[^\p{L}\p{N}-]/gu, '_');
  return revision > 1 ? `${name}-${revision}` : name;
}
