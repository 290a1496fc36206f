import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Context, Transaction } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { requireGlyphs } from '../pdf/glyphs.ts';
import type { LockedQuotes, QuoteTarget } from './locked-quotes.ts';
import { quoteCannotMove } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';
import type { Quote, SenderThen } from './quote.ts';
import type { Settings } from '../settings/settings.ts';

/** What goes to the customer beside the quote. */
export interface Letter {
  readonly recipientEmail: string;
  /** Several lines; empty for none. */
  readonly message: string;
}

/** A letter, and who sends it. */
export interface SentLetter extends Letter {
  /** Not kept of letters that were put before it was. */
  readonly senderId?: string;
}

/** A quote that was sent. */
export type SentQuote = Quote & { readonly sentAt: string };

/** Puts the letter that brings a quote into the outbox, in the transaction that sends it: together with it or not at all. */
export type PutLetter = (
  tx: Transaction,
  sent: { readonly quote: SentQuote; readonly letter: SentLetter },
) => Promise<void>;

/** What sending a quote works on. */
export interface SendQuoteOptions {
  readonly repository: Pick<QuoteRepository, 'lettersOf' | 'markSent'>;
  readonly locked: LockedQuotes;
  readonly customers: Pick<Customers, 'requireKept'>;
  readonly settings: Settings;
  readonly logos: Pick<Logos, 'keepSent'>;
  readonly audit: QuotationAudit;
  readonly putLetter: PutLetter;
}

/** Sends quotes. */
export class SendQuote {
  readonly #options: SendQuoteOptions;

  constructor(options: SendQuoteOptions) {
    this.#options = options;
  }

  /**
   * Sends a draft, empty or not, whose letters its PDF can show. From then on it is frozen. The status is read under the lock, so
   * that of two requests at once one is refused.
   */
  send({ tenant, actor, now: at }: Context, target: QuoteTarget, letter: Letter): Promise<SentQuote> {
    const { locked, customers, repository, audit, putLetter } = this.#options;
    return locked.with(tenant, target, async (tx, draft) => {
      if (draft.status !== 'draft') throw quoteCannotMove(draft.status, 'sent');
      await customers.requireKept(tx, draft);
      const seller = await this.#sellerOf(tx, draft);
      const sent = await repository.markSent(tx, draft.id, { at, by: actor.userId, seller });
      const quote = { ...sent, sentAt: at.toISOString() };
      await audit.record(tx, { actor, action: 'quote.sent', target: quoteTarget(quote) });
      await putLetter(tx, { quote, letter: { ...letter, senderId: actor.userId } });
      return quote;
    });
  }

  /** The organization as the quote shows it from now on, once it is clear that every letter can be shown. */
  async #sellerOf(tx: Transaction, draft: Quote): Promise<SenderThen> {
    const { settings, repository, logos } = this.#options;
    const { name, address, vatNumber, timeZone, logo: shown } = await settings.current(tx);
    const letters = await repository.lettersOf(tx, draft.id);
    await requireGlyphs([name, address, vatNumber, draft.customerName, letters]);
    const logo = await logos.keepSent(tx, shown);
    return { name, address, vatNumber, timeZone, ...(logo !== undefined && { logo }) };
  }
}
