import type { MailTransport } from '@tenantry/service/mail';
import type { Message, Outbox } from '@tenantry/service/work';
import type { Tenant, Transaction } from '../database.ts';
import type { Members } from '../members/members.ts';
import type { Decisions, SellerNotices } from '../quotes/decisions.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { Language } from '../wording/languages.ts';
import { composeDecisionMail } from './decision-mail.ts';
import type { QuoteMessages } from './sending.ts';

export interface DecisionNoticesOptions {
  readonly outbox: Outbox<QuoteMessages>;
  readonly quotes: Pick<Quotes, 'head' | 'documentHead'>;
  readonly decisions: Pick<Decisions, 'find'>;
  readonly members: Pick<Members, 'addressOf'>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly language: Language;
  /** FRONTEND_URL: mails link to the quote in it. */
  readonly frontendUrl: string | undefined;
}

/** Notifies the seller of a customer's decision. The recipient is chosen at delivery, not when the mail is queued. */
export class DecisionNotices implements SellerNotices {
  readonly #options: DecisionNoticesOptions;

  constructor(options: DecisionNoticesOptions) {
    this.#options = options;
  }

  async queue(tx: Transaction, quote: Pick<Quote, 'id'>): Promise<void> {
    await this.#options.outbox.put(tx, { topic: 'answer-mail', subjectId: quote.id, payload: {} });
  }

  /** Delivers one mail. */
  async deliver(
    { id, subjectId }: Message<object>,
    { tenant }: { readonly tenant: Tenant },
  ): Promise<undefined> {
    const { quotes, decisions, members, transport, language } = this.#options;
    const { sentBy } = await quotes.head(tenant, subjectId);
    const seller = await members.addressOf(tenant, sentBy);
    const decision = await decisions.find(tenant, subjectId);
    // Without a seller, or without a decision, there is no one to notify.
    if (!seller || !decision) return undefined;
    const quote = await quotes.documentHead(tenant, subjectId);
    const link = this.#linkTo(subjectId);
    await transport.send(id, composeDecisionMail({ to: seller.email, quote, decision, link, language }));
    return undefined;
  }

  #linkTo(quoteId: string) {
    const { frontendUrl } = this.#options;
    return frontendUrl && `${frontendUrl.replace(/\/+$/, '')}/quotes/${quoteId}`;
  }
}
