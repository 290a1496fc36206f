import type { Message, Outbox } from '@tenantry/outbox';
import type { MailTransport } from '@tenantry/outbox/mail';
import type { Rows, Tenant } from '../database.ts';
import type { MemberAddress } from '../members/member-address.ts';
import type { Decision } from '../quotes/decision.ts';
import type { UponAnswer } from '../quotes/decisions.ts';
import type { DocumentHead } from '../quotes/quote-document.ts';
import type { Language } from '../wording/languages.ts';
import { composeAnswerMail } from './answer-mail.ts';
import type { QuoteMessages } from './sending.ts';

/** How a seller learns what a customer has answered. */
export interface Answers {
  /** Puts the mail out, in the transaction of the answer. */
  readonly uponAnswer: UponAnswer;
  /** Brings one mail out. */
  readonly deliver: (message: Message<object>, context: { readonly tenant: Tenant }) => Promise<undefined>;
}

/** What telling sellers needs. */
export interface AnswersOptions {
  readonly outbox: Outbox<QuoteMessages>;
  /** Who sent a quote. */
  readonly senderOf: (tenant: Tenant, quoteId: string) => Promise<string | null>;
  /** The address of a member, or of an owner instead. */
  readonly addressOf: (rows: Rows, userId: string | null) => Promise<MemberAddress | undefined>;
  readonly headOf: (tenant: Tenant, quoteId: string) => Promise<DocumentHead>;
  readonly decisionOf: (rows: Rows, quoteId: string) => Promise<Decision | undefined>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly language: Language;
  /** FRONTEND_URL: mails link to the quote in it. */
  readonly frontendUrl: string | undefined;
}

/** Makes the use cases of telling sellers. The mail goes to whom it concerns when it is delivered, not when it is put. */
export function createAnswers(options: AnswersOptions): Answers {
  const { outbox, senderOf, addressOf, headOf, decisionOf, transport, language, frontendUrl } = options;
  const linkTo = (quoteId: string) => frontendUrl && `${frontendUrl.replace(/\/+$/, '')}/quotes/${quoteId}`;
  return {
    async uponAnswer(tx, { quote }) {
      await outbox.put(tx, { topic: 'answer-mail', subjectId: quote.id, payload: {} });
    },

    async deliver({ id, subjectId }, { tenant }) {
      const seller = await addressOf(tenant, await senderOf(tenant, subjectId));
      const decision = await decisionOf(tenant, subjectId);
      // An organization that is gone has nobody to tell.
      if (!seller || !decision) return undefined;
      const quote = await headOf(tenant, subjectId);
      const link = linkTo(subjectId);
      await transport.send(id, composeAnswerMail({ to: seller.email, quote, decision, link, language }));
      return undefined;
    },
  };
}
