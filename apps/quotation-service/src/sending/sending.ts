import { sharerOf } from '@tenantry/fair-shares';
import type { Delivery, Message, Outbox } from '@tenantry/outbox';
import type { MailTransport } from '@tenantry/outbox/mail';
import type { Logger } from '@tenantry/service-kit';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import type { PdfAsked, Pdfs } from '../pdf/pdfs.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import type { Letter, UponSend } from '../quotes/moves.ts';
import { readAnyway, type ReadLarge } from '../quotes/large-quotes.ts';
import type { DocumentHead, QuoteDocument } from '../quotes/quote-document.ts';
import { quoteSuperseded } from '../quotes/quotes.errors.ts';
import type { Language } from '../wording/languages.ts';
import type { QuoteLinks } from './quote-links.ts';
import { composeQuoteMail } from './quote-mail.ts';
import { mailedTooOften, quoteNotSent } from './sending.errors.ts';

/** What the outbox of quotes brings to customers. */
export type QuoteMessages = { readonly 'quote-mail': Letter; readonly 'answer-mail': object };

/** How far a mail has come. */
export interface QuoteDelivery extends Omit<Delivery, 'payload'> {
  readonly recipientEmail: string;
}

/** How quotes reach customers. */
export interface Sending {
  /** Puts the mail out, in the transaction in which the quote is sent. */
  readonly uponSend: UponSend;
  /** Mails a quote that was sent, once more. */
  resend(tenant: Tenant, target: QuoteTarget, letter: Letter): Promise<{ readonly id: string }>;
  /** The mails of a quote, the latest first. */
  deliveries(tenant: Tenant, quoteId: string): Promise<QuoteDelivery[]>;
  /** The quote as PDF, a draft marked as one. */
  pdf(tenant: Tenant, quoteId: string, asked: PdfAsked & { readonly language: Language }): Promise<QuotePdf>;
  /** Brings one mail out. */
  readonly deliver: (
    message: Message<Letter>,
    context: { readonly tenant: Tenant; readonly signal: AbortSignal },
  ) => Promise<void>;
}

/** A PDF and what its file is called. */
export interface QuotePdf {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** What sending needs. */
export interface SendingOptions {
  readonly outbox: Outbox<QuoteMessages>;
  readonly locked: LockedQuotes;
  /** Refuses an id that is none of the organization's. */
  readonly requireQuote: (tenant: Tenant, quoteId: string) => Promise<unknown>;
  /** The quote as it is read. */
  readonly documentOf: (tenant: Tenant, quoteId: string, readLarge: ReadLarge) => Promise<QuoteDocument>;
  /** The same without its packages. */
  readonly headOf: (tenant: Tenant, quoteId: string) => Promise<DocumentHead>;
  readonly links: QuoteLinks;
  /** The picture that it shows. */
  readonly logos: Pick<Logos, 'find'>;
  readonly pdfs: Pick<Pdfs, 'make'>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly audit: QuotationAudit;
  readonly logger: Logger;
  /** Of mails and their PDFs. */
  readonly language: Language;
}

/** How often a quote is mailed at most. */
export const mailsMax = 20;

/** How long the PDF of a letter is waited for: nobody sits before it, and its mail has to leave within the same lease. */
const letterPdfSeconds = 45;

/** Makes the use cases of sending. */
export function createSending(options: SendingOptions): Sending {
  const {
    outbox,
    locked,
    requireQuote,
    documentOf,
    headOf,
    links,
    logos,
    pdfs,
    transport,
    audit,
    logger,
    language,
  } = options;
  const topic = 'quote-mail';

  /** The threads that make PDFs bound how many quotes are read for one. */
  const pdfOf = (
    tenant: Tenant,
    quoteId: string,
    { language, ...asked }: PdfAsked & { readonly language: Language },
  ): Promise<Uint8Array> =>
    pdfs.make(async () => {
      const quote = await documentOf(tenant, quoteId, readAnyway);
      const logo = await logos.find(tenant, quote.seller.logo);
      return { quote, language, logo: logo?.content };
    }, asked);

  /** The PDF that goes with a letter; none where it cannot be made, for the letter has a link as well. */
  async function attachmentOf(tenant: Tenant, quoteId: string, signal: AbortSignal) {
    const sharer = sharerOf(tenant.scope);
    try {
      return await pdfOf(tenant, quoteId, { sharer, signal, language, timeoutSeconds: letterPdfSeconds });
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ quoteId, err: error }, 'a quote is mailed without its PDF');
      return undefined;
    }
  }

  return {
    async uponSend(tx, { quote, letter }) {
      await outbox.put(tx, { topic, subjectId: quote.id, payload: letter });
    },

    resend: (tenant, target, letter) =>
      locked.with(tenant, target, async (tx, quote) => {
        if (quote.status === 'draft') throw quoteNotSent();
        if (quote.supersededBy !== null) throw quoteSuperseded();
        if ((await outbox.list(tx, { topic, subjectId: quote.id })).length >= mailsMax)
          throw mailedTooOften(mailsMax);
        const { actorUserId } = target;
        await audit.record(tx, { actorUserId, action: 'quote.resent', target: quoteTarget(quote.id) });
        return outbox.put(tx, { topic, subjectId: quote.id, payload: letter });
      }),

    async deliveries(tenant, quoteId) {
      await requireQuote(tenant, quoteId);
      const deliveries = await outbox.list(tenant, { topic, subjectId: quoteId });
      return deliveries.map(({ payload, ...delivery }) => {
        const { recipientEmail } = payload as Letter;
        return { ...delivery, recipientEmail };
      });
    },

    async pdf(tenant, quoteId, asked) {
      const { number } = await headOf(tenant, quoteId);
      return { filename: `${number}.pdf`, bytes: await pdfOf(tenant, quoteId, asked) };
    },

    async deliver({ id, subjectId, payload, unfinished }, { tenant, signal }) {
      const quote = await headOf(tenant, subjectId);
      const pdf = unfinished === 0 ? await attachmentOf(tenant, subjectId, signal) : undefined;
      // A link of its own for each attempt: what an earlier one may have brought keeps working.
      const link = await links.make(tenant, subjectId);
      await transport.send(id, composeQuoteMail({ quote, letter: payload, link, pdf, language }));
    },
  };
}
