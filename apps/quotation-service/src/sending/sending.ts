import type { Outbox } from '@tenantry/service/work';
import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { AcceptedQuoteNews } from '../customers/leads.ts';
import type { Context, Tenant, Transaction } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { requireGlyphs } from '../pdf/glyphs.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import type { Quote, SenderThen } from '../quotes/quote.ts';
import { quoteCannotMove, quoteNotFound, quoteSuperseded } from '../quotes/quotes.errors.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { OrganizationSettings } from '../settings/organization-settings.ts';
import type { Language } from '../wording/languages.ts';
import { NotOffered, type QuoteLinks } from './quote-links.ts';
import { mailedTooOften, quoteNotSent, tooManyLinks } from './sending.errors.ts';
import type { SentQuoteRepository } from './sent-quotes.repository.ts';

/** The letter that accompanies a quote. */
export interface Letter {
  readonly recipientEmail: string;
  /** Several lines; empty for none. */
  readonly message: string;
  /** Chosen for this letter, and for the customer from then on. */
  readonly language?: Language | undefined;
}

/** A letter, and who sends it. */
export interface SentLetter extends Omit<Letter, 'language'> {
  /** Chosen for the customer; null or absent if not set. */
  readonly language?: Language | null;
  /** Absent in letters that were queued by earlier versions. */
  readonly senderId?: string;
}

/** The draft to send, and the settings of its organization, which it keeps. */
export interface SentTarget extends QuoteTarget {
  readonly settings: OrganizationSettings;
}

/** A quote that was sent. */
export type SentQuote = Quote & { readonly sentAt: string };

/** The messages in the outbox of quotes. */
export type QuoteMessages = {
  readonly 'quote-mail': SentLetter;
  readonly 'answer-mail': object;
  readonly 'quote-accepted': AcceptedQuoteNews;
};

export interface SendingOptions {
  readonly repository: SentQuoteRepository;
  readonly outbox: Outbox<QuoteMessages>;
  readonly locked: Pick<LockedQuotes, 'withCustomer'>;
  readonly links: QuoteLinks;
  readonly quotes: Pick<Quotes, 'head'>;
  readonly logos: Pick<Logos, 'keepSent'>;
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

/** Sends quotes; their mails and links. */
export class Sending {
  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  /**
   * Sends a draft with its letter, empty or not, if fonts have all its characters. From then on it is frozen. The status is read
   * under the lock, so that of two concurrent requests one is refused.
   */
  send({ tenant, actor, now: at }: Context, target: SentTarget, letter: Letter): Promise<SentQuote> {
    const { locked, repository } = this.#options;
    const asked = { ...target, language: letter.language };
    return locked.withCustomer(tenant, asked, async (tx, draft, { language }) => {
      if (draft.status !== 'draft') throw quoteCannotMove(draft.status, 'sent');
      const seller = await this.#sellerOf(tx, draft, target.settings);
      const sent = await repository.markSent(tx, draft.id, { at, by: actor.userId, seller });
      await this.#putLetter(tx, sent, { actor, action: 'quote.sent', letter, language });
      return { ...sent, sentAt: at.toISOString() };
    });
  }

  /** Mails a quote that was sent, once more. */
  resend({ tenant, actor }: Context, target: QuoteTarget, letter: Letter): Promise<{ readonly id: string }> {
    const { outbox, locked } = this.#options;
    const asked = { ...target, language: letter.language };
    return locked.withCustomer(tenant, asked, async (tx, quote, { language }) => {
      requireOffered(quote);
      if ((await outbox.list(tx, { topic, subjectId: quote.id })).length >= mailsMax)
        throw mailedTooOften(mailsMax);
      return this.#putLetter(tx, quote, { actor, action: 'quote.resent', letter, language });
    });
  }

  /** Creates a link to the customer's page of a sent quote, for sending it by other means. */
  link({ tenant, actor }: Context, target: QuoteTarget): Promise<{ readonly url: string }> {
    const { locked, links, audit } = this.#options;
    return locked.withCustomer(tenant, target, async (tx, quote) => {
      requireOffered(quote);
      if ((await links.count(tx, quote.id)) >= linksMax) throw tooManyLinks(linksMax);
      await audit.record(tx, { actor, action: 'quote.linked', target: quoteTarget(quote) });
      const url = await links.make(tx, { ...tenant.scope, quoteId: quote.id }).catch(unlessNotOffered);
      return { url };
    });
  }

  /** The mails of a quote, the latest first. */
  async deliveries(tenant: Tenant, quoteId: string) {
    const { outbox, quotes } = this.#options;
    await quotes.head(tenant, quoteId);
    const deliveries = await outbox.list(tenant, { topic, subjectId: quoteId });
    return deliveries.map(({ payload, ...delivery }) => {
      const { recipientEmail } = payload as Letter;
      return { ...delivery, recipientEmail };
    });
  }

  /** Queues a letter, and records it. */
  async #putLetter(tx: Transaction, quote: Quote, { actor, action, letter, language }: LetterToPut) {
    const { outbox, audit } = this.#options;
    const details = letter.language && { language: letter.language };
    await audit.record(tx, { actor, action, target: quoteTarget(quote), ...(details && { details }) });
    const payload = { ...letter, language, senderId: actor.userId };
    return outbox.put(tx, { topic, subjectId: quote.id, payload });
  }

  /** The seller that the quote shows from now on, after checking that fonts have all characters. */
  async #sellerOf(
    tx: Transaction,
    draft: Quote,
    { name, address, vatNumber, timeZone, logo }: OrganizationSettings,
  ): Promise<SenderThen> {
    const { repository, logos } = this.#options;
    const letters = await repository.lettersOf(tx, draft.id);
    const { customerName, customerAddress, customerVatNumber } = draft;
    const customer = [customerName, customerAddress ?? '', customerVatNumber ?? ''];
    await requireGlyphs([name, address, vatNumber, ...customer, letters]);
    await logos.keepSent(tx, logo);
    return { name, address, vatNumber, timeZone, ...(logo !== undefined && { logo }) };
  }
}

/** A letter, and the action that it belongs to. */
interface LetterToPut {
  readonly actor: Context['actor'];
  readonly action: 'quote.sent' | 'quote.resent';
  readonly letter: Letter;
  /** The customer's. */
  readonly language: Language | null;
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
