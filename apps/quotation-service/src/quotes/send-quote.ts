import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Context, Transaction } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { requireGlyphs } from '../pdf/glyphs.ts';
import type { QuoteTarget } from './locked-quotes.ts';
import { quoteCannotMove } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';
import type { Quote, SenderThen } from './quote.ts';
import type { Settings } from '../settings/settings.ts';
import type { Sending } from '../sending/sending.ts';
import { letterDetails, type Letter, type SentQuote } from './sent-letter.ts';
import type { WithCustomer } from './with-customer.ts';

/** Dependencies of {@link SendQuote}. */
export interface SendQuoteOptions {
  readonly repository: Pick<QuoteRepository, 'lettersOf' | 'markSent'>;
  readonly withCustomer: WithCustomer;
  readonly settings: Settings;
  readonly logos: Pick<Logos, 'keepSent'>;
  readonly audit: QuotationAudit;
  readonly sending: Pick<Sending, 'putLetter'>;
}

/** Sends quotes. */
export class SendQuote {
  readonly #options: SendQuoteOptions;

  constructor(options: SendQuoteOptions) {
    this.#options = options;
  }

  /**
   * Sends a draft, empty or not, if fonts have all its characters. From then on it is frozen. The status is read under the
   * lock, so that of two concurrent requests one is refused.
   */
  send({ tenant, actor, now: at }: Context, target: QuoteTarget, letter: Letter): Promise<SentQuote> {
    const { withCustomer, repository, audit, sending } = this.#options;
    const { language } = letter;
    return withCustomer(tenant, { ...target, language }, async (tx, draft, customer) => {
      if (draft.status !== 'draft') throw quoteCannotMove(draft.status, 'sent');
      const seller = await this.#sellerOf(tx, draft);
      const sent = await repository.markSent(tx, draft.id, { at, by: actor.userId, seller });
      const quote = { ...sent, sentAt: at.toISOString() };
      await audit.record(tx, {
        actor,
        action: 'quote.sent',
        target: quoteTarget(quote),
        ...letterDetails(letter),
      });
      const sentLetter = { ...letter, language: customer.language, senderId: actor.userId };
      await sending.putLetter(tx, { quote, letter: sentLetter });
      return quote;
    });
  }

  /** The seller that the quote shows from now on, after checking that fonts have all characters. */
  async #sellerOf(tx: Transaction, draft: Quote): Promise<SenderThen> {
    const { settings, repository, logos } = this.#options;
    const { name, address, vatNumber, timeZone, logo: shown } = await settings.current(tx);
    const letters = await repository.lettersOf(tx, draft.id);
    await requireGlyphs([name, address, vatNumber, draft.customerName, letters]);
    const logo = await logos.keepSent(tx, shown);
    return { name, address, vatNumber, timeZone, ...(logo !== undefined && { logo }) };
  }
}
