import type { Logger } from '@tenantry/service/logging';
import type { MailTransport } from '@tenantry/service/mail';
import type { Message, NotDelivered } from '@tenantry/service/work';
import type { Tenant } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import type { Members } from '../members/members.ts';
import type { Decision } from '../quotes/decision.ts';
import type { Decisions } from '../quotes/decisions.ts';
import type { Quote } from '../quotes/quote.ts';
import type { QuotePdfs } from '../quote-pdfs/quote-pdfs.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { Language } from '../wording/languages.ts';
import type { LetterBudget, OverBudget } from './letter-budget.ts';
import { NotOffered, type QuoteLinks } from './quote-links.ts';
import { composeQuoteMail } from './quote-mail.ts';
import type { SentLetter } from './sending.ts';

export interface LettersOptions {
  readonly quotes: Pick<Quotes, 'head' | 'documentHead'>;
  readonly decisions: Pick<Decisions, 'find'>;
  readonly members: Pick<Members, 'addressOf'>;
  readonly quotePdfs: Pick<QuotePdfs, 'make'>;
  readonly logos: Pick<Logos, 'find'>;
  readonly links: QuoteLinks;
  readonly budget: LetterBudget;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly logger: Logger;
  /** The language of mails and PDFs, if none was chosen for the customer. */
  readonly language: Language;
}

/** The organization of a letter, and its deadline. */
interface Leaving {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** Timeout for the PDF of a letter: no user waits for it, but its mail must be sent within the same lease. */
const pdfSeconds = 45;

/** A letter that waits longer for its budget is dropped. */
const patienceMs = 3 * 24 * 60 * 60 * 1_000;

/** Sends letters to customers. */
export class Letters {
  readonly #options: LettersOptions;

  constructor(options: LettersOptions) {
    this.#options = options;
  }

  /** Sends a letter, or returns why it waits or is dropped. */
  async deliver(message: Message<SentLetter>, leaving: Leaving): Promise<NotDelivered | undefined> {
    const { quotes, decisions, budget } = this.#options;
    const { id, subjectId, payload, createdAt } = message;
    const { tenant } = leaving;
    const { sentBy, supersededBy } = await quotes.head(tenant, subjectId);
    const decision = await decisions.find(tenant, subjectId);
    const obsolete = whyObsolete(createdAt, { supersededBy, decision });
    if (obsolete) return { droppedBecause: obsolete };
    const senderId = payload.senderId ?? sentBy;
    const over = await budget.spend(tenant, { id, senderId, recipientEmail: payload.recipientEmail });
    if (over) return afterBudget(over, createdAt);
    try {
      await this.#mail(message, { ...leaving, senderId });
    } catch (error) {
      await budget.giveBack(tenant, id);
      if (error instanceof NotOffered) return notOffered(error);
      throw error;
    }
    return undefined;
  }

  async #mail(
    { id, subjectId, payload, unfinished }: Message<SentLetter>,
    { tenant, signal, senderId }: Leaving & { readonly senderId: string | null },
  ): Promise<void> {
    const { quotes, members, links, logos, transport } = this.#options;
    const language = payload.language ?? this.#options.language;
    const quote = await quotes.documentHead(tenant, subjectId);
    const pdf =
      unfinished === 0 ? await this.#attachment(subjectId, { tenant, signal, language }) : undefined;
    const logo = await logos.find(tenant, quote.seller.logo);
    const seller = await members.addressOf(tenant, senderId);
    const replyTo = seller?.isProven === true ? seller.email : undefined;
    // Each attempt has its own link; links of earlier attempts keep working.
    const link = await links.make(tenant, { ...tenant.scope, quoteId: subjectId });
    signal.throwIfAborted();
    await transport.send(
      id,
      composeQuoteMail({ quote, letter: payload, link, pdf, logo, replyTo, language }),
    );
  }

  /** The PDF of a letter; undefined if it cannot be created, since the letter also has a link. */
  async #attachment(
    quoteId: string,
    { tenant, signal, language }: Leaving & { readonly language: Language },
  ): Promise<Uint8Array | undefined> {
    const { quotePdfs, logger } = this.#options;
    const asked = {
      asking: { organizationId: tenant.scope.organizationId },
      signal,
      timeoutSeconds: pdfSeconds,
    };
    try {
      return await quotePdfs.make(tenant, quoteId, { ...asked, language });
    } catch (error) {
      signal.throwIfAborted();
      logger.warn({ quoteId, err: error }, 'a quote is mailed without its PDF');
      return undefined;
    }
  }
}

/** Why a letter that was queued at a time is no longer sent: its quote has ended. */
function whyObsolete(
  putAt: Date,
  { supersededBy, decision }: Pick<Quote, 'supersededBy'> & { readonly decision: Decision | undefined },
): string | undefined {
  if (supersededBy !== null) return 'QUOTE_REVISED';
  return decision && decision.decidedAt >= putAt ? 'QUOTE_ANSWERED' : undefined;
}

/** Due work of a deleted organization is paused, and continues if it is restored. */
const notOffered = ({ reason }: NotOffered): NotDelivered =>
  reason === 'ORGANIZATION_DELETED' ? { againAfterSeconds: 0, reason } : { droppedBecause: reason };

function afterBudget({ reason, seconds }: OverBudget, putAt: Date): NotDelivered {
  const waitedMs = Date.now() - putAt.getTime();
  if (waitedMs + seconds * 1_000 > patienceMs) return { droppedBecause: reason };
  return { againAfterSeconds: Math.ceil(seconds), reason };
}
