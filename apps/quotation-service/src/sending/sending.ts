import type { Delivery, Outbox } from '@tenantry/outbox';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Tenant, Transaction } from '../database.ts';
import type { PdfAsked } from '../pdf/pdfs.ts';
import type { QuoteTarget } from '../quotes/locked-quotes.ts';
import { letterDetails, type Letter, type SentLetter, type SentQuote } from '../quotes/sent-letter.ts';
import type { Quote } from '../quotes/quote.ts';
import { quoteNotFound, quoteSuperseded } from '../quotes/quotes.errors.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { WithCustomer } from '../quotes/with-customer.ts';
import type { Language } from '../wording/languages.ts';
import type { MakeQuotePdf } from './quote-pdfs.ts';
import { NotOffered, type QuoteLinks } from './quote-links.ts';
import { mailedTooOften, quoteNotSent, tooManyLinks } from './sending.errors.ts';

/** The messages in the outbox of quotes. */
export type QuoteMessages = { readonly 'quote-mail': SentLetter; readonly 'answer-mail': object };

/** The state of a mail. */
export interface QuoteDelivery extends Omit<Delivery, 'payload'> {
  readonly recipientEmail: string;
}

/** A PDF and its file name. */
export interface QuotePdf {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

export interface SendingOptions {
  readonly outbox: Outbox<QuoteMessages>;
  readonly withCustomer: WithCustomer;
  readonly links: QuoteLinks;
  readonly quotes: Pick<Quotes, 'head'>;
  readonly makePdf: MakeQuotePdf;
  readonly audit: QuotationAudit;
}

/** Maximum times that a quote is mailed. */
export const mailsMax = 20;

/**
 * Maximum links of a quote. Each attempt to mail it also creates one: twenty mails that a server refuses until the last attempt
 * take 480, and leave more than a hundred for other use.
 */
export const linksMax = 600;

const topic = 'quote-mail';

/** Mails and links of quotes, and their PDFs. */
export class Sending {
  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /** Queues the mail, in the transaction in which the quote is sent. */
  async putLetter(
    tx: Transaction,
    { quote, letter }: { readonly quote: SentQuote; readonly letter: SentLetter },
  ): Promise<void> {
    await this.#options.outbox.put(tx, { topic, subjectId: quote.id, payload: letter });
  }

  /** Mails a quote that was sent, once more. */
  resend({ tenant, actor }: Context, target: QuoteTarget, letter: Letter): Promise<{ readonly id: string }> {
    const { outbox, withCustomer, audit } = this.#options;
    return withCustomer(tenant, { ...target, language: letter.language }, async (tx, quote, { language }) => {
      requireOffered(quote);
      if ((await outbox.list(tx, { topic, subjectId: quote.id })).length >= mailsMax)
        throw mailedTooOften(mailsMax);
      await audit.record(tx, {
        actor,
        action: 'quote.resent',
        target: quoteTarget(quote),
        ...letterDetails(letter),
      });
      const payload = { ...letter, language, senderId: actor.userId };
      return outbox.put(tx, { topic, subjectId: quote.id, payload });
    });
  }

  /** Creates a link to the customer's page of a sent quote, for sending it by other means. */
  link({ tenant, actor }: Context, target: QuoteTarget): Promise<{ readonly url: string }> {
    const { withCustomer, links, audit } = this.#options;
    return withCustomer(tenant, target, async (tx, quote) => {
      requireOffered(quote);
      if ((await links.count(tx, quote.id)) >= linksMax) throw tooManyLinks(linksMax);
      await audit.record(tx, { actor, action: 'quote.linked', target: quoteTarget(quote) });
      return { url: await links.make(tx, { ...tenant.scope, quoteId: quote.id }) };
    }).catch(unlessNotOffered);
  }

  /** The mails of a quote, the latest first. */
  async deliveries(tenant: Tenant, quoteId: string): Promise<QuoteDelivery[]> {
    const { outbox, quotes } = this.#options;
    await quotes.head(tenant, quoteId);
    const deliveries = await outbox.list(tenant, { topic, subjectId: quoteId });
    return deliveries.map(({ payload, ...delivery }) => {
      const { recipientEmail } = payload as Letter;
      return { ...delivery, recipientEmail };
    });
  }

  /** The quote as PDF, a draft marked as one. */
  async pdf(
    tenant: Tenant,
    quoteId: string,
    asked: PdfAsked & { readonly language: Language },
  ): Promise<QuotePdf> {
    const { quotes, makePdf } = this.#options;
    const { number } = await quotes.head(tenant, quoteId);
    return { filename: `${number}.pdf`, bytes: await makePdf(tenant, quoteId, asked) };
  }
}

/** A deleted organization has no quotes, although its tokens may still be valid for a while. */
function unlessNotOffered(error: unknown): never {
  throw error instanceof NotOffered ? quoteNotFound() : error;
}

/** Only offered quotes may be sent to the customer. */
function requireOffered({ status, supersededBy }: Quote): void {
  if (status === 'draft') throw quoteNotSent();
  if (supersededBy !== null) throw quoteSuperseded();
}
